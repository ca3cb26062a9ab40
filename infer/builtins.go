package infer

// This file provides the builtin functions that need the interpreter's frames.

import (
	"strconv"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// hookBuiltins adds super, globals, locals, vars, eval and exec.
func (in *Interp) hookBuiltins() {
	b := in.world.Builtins()
	def := func(name string, fn value.NativeFunc) {
		b.Set(&in.heap, name, &value.Builtin{Name: name, Fn: fn})
	}
	if c := in.world.Class("super"); c != nil {
		c.Attrs.Set(&in.heap, "__new__", &value.Builtin{Name: "super", Static: true, Fn: in.newSuper})
		c.Attrs.Set(&in.heap, "__init__", &value.Builtin{Name: "super.__init__",
			Fn: func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
				return value.None, nil
			}})
	}
	def("globals", func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
		if err := in.imports.finishImports(in.stack.frame.globals); err != nil {
			return nil, err
		}
		return in.losses.dictView(in.stack.frame.globals.Attrs), nil
	})
	def("locals", func(value.Thread, []value.Value, []value.Kw) (value.Value, error) { return in.locals(), nil })
	if vars, ok := b.Get("vars"); ok {
		def("vars", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
			if len(args) == 0 {
				return in.locals(), nil
			}
			if m, ok := args[0].(*value.Module); ok {
				if err := in.imports.finishImports(m); err != nil {
					return nil, err
				}
				return in.imports.moduleDict(m), nil
			}
			if a := ensureAttrs(in, args[0]); a != nil {
				return in.losses.dictView(a), nil
			}
			return in.Call(vars, args, kw)
		})
	}
	if dir, ok := b.Get("dir"); ok {
		def("dir", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
			if len(args)+len(kw) == 0 {
				sorted, _ := b.Get("sorted")
				if in.stack.frame.globals != nil && in.stack.frame.ns == in.stack.frame.globals.Attrs {
					if err := in.imports.finishImports(in.stack.frame.globals); err != nil {
						return nil, err
					}
				}
				return in.Call(sorted, []value.Value{in.locals()}, nil)
			}
			if len(args) == 1 {
				if m, ok := args[0].(*value.Module); ok {
					if err := in.imports.finishImports(m); err != nil {
						return nil, err
					}
				}
			}
			v, err := in.Call(dir, args, kw)
			if l, ok := v.(*value.List); ok && err == nil && len(args) == 1 {
				return in.imports.dir(args[0], l), nil
			}
			return v, err
		})
	}
	def("eval", in.evalBuiltin)
	def("exec", in.execBuiltin)
	def("compile", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) > 0 && in.fileOf(args[0]) != "" { // what exec gets is the text
			return args[0], nil
		}
		c := &value.Cause{At: in.Here(), Reason: "compile() is not followed"}
		in.losses.explain(c, diag.New(diag.Unsupported, c.At, "compile() of text is not followed: its result is unknown", "compile"))
		if in.stack.inEntry {
			in.losses.surface(c)
		}
		return in.losses.unknown(c), nil
	})
	def("__import__", func(_ value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		if len(args) > 0 {
			if s, ok := value.AsStr(args[0]); ok {
				m, err := in.ImportModule(s)
				if top, _, dotted := strings.Cut(s, "."); dotted && err == nil && !value.IsUnknown(m) && !listsNames(in, args, kw) {
					return in.ImportModule(top)
				}
				return m, err
			}
		}
		return in.Unknown("__import__ of an unknown name"), nil
	})
}

// listsNames reports whether the argument fromlist of __import__ is given, with names or with
// what is not known: only then is the result the module that is named, and not its package.
func listsNames(th value.Thread, args []value.Value, kw []value.Kw) bool {
	var list value.Value
	if len(args) > 3 {
		list = args[3]
	}
	for _, k := range kw {
		if k.Name == "fromlist" {
			list = k.Value
		}
	}
	if list == nil {
		return false
	}
	some, err := th.Truth(list)
	return err != nil || some != value.Value(value.Bool(false))
}

func (in *Interp) locals() value.Value { return in.localsOf(in.stack.frame) }

// localsOf are the variables of a frame that have values, those of functions around it that its code uses last.
func (in *Interp) localsOf(f *frame) *value.Dict {
	if f.ns != nil {
		return in.losses.dictView(f.ns)
	}
	d := in.heap.NewDict()
	if f.code == nil {
		return d
	}
	for i, name := range f.code.scope.Locals {
		v := f.V[i]
		if f.cells != nil && f.cells[i] != nil {
			v = f.cells[i].V
		}
		if v != nil {
			d.SetStr(&in.heap, name, v)
		}
	}
	for i, free := range f.code.scope.Free {
		if v := f.free[i].V; v != nil {
			d.SetStr(&in.heap, free.Name, v)
		}
	}
	return d
}

// newSuper implements super() and super(C, self).
func (in *Interp) newSuper(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	args = args[1:]
	var cls *value.Class
	var self value.Value
	switch len(args) {
	case 0:
		f := in.stack.frame
		cls = f.classCell()
		if cls == nil {
			return nil, in.Raise("RuntimeError", "super(): no arguments")
		}
		self = f.firstArg()
		for g := f.caller; self == nil && g != nil; g = g.caller {
			self = g.firstArg()
		}
		if self == nil {
			return nil, in.Raise("RuntimeError", "super(): no arguments")
		}
	default:
		c, ok := args[0].(*value.Class)
		if !ok {
			if value.IsUnknown(args[0]) {
				return args[0], nil
			}
			return nil, in.Raise("TypeError", "super() argument 1 must be a type")
		}
		cls = c
		if len(args) > 1 {
			self = args[1]
		} else {
			self = c
		}
	}
	if value.IsUnknown(self) {
		return self, nil
	}
	of := in.TypeOf(self)
	if c, ok := self.(*value.Class); ok && c.IsSubclass(cls) {
		of = c
	} else if !of.IsSubclass(cls) {
		return nil, in.Raise("TypeError", "super(type, obj): obj must be an instance or subtype of type")
	}
	return &value.Super{Class: cls, Self: self, Of: of}, nil
}

// classCell gives the class in whose body the running function was defined.
func (f *frame) classCell() *value.Class {
	if f.code == nil {
		return nil
	}
	for i, fv := range f.code.scope.Free {
		if fv.Name == "__class__" && i < len(f.free) {
			c, _ := f.free[i].V.(*value.Class)
			return c
		}
	}
	return nil
}

// firstArg is the first parameter of the function that runs, which super() without arguments takes: in a cell,
// where an inner function uses it.
func (f *frame) firstArg() value.Value {
	if f.code == nil || f.code.scope.NumParams == 0 {
		return nil
	}
	if f.cells != nil && f.cells[0] != nil {
		return f.cells[0].V
	}
	return f.V[0]
}

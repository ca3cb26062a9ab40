package infer

// This file provides the builtin functions that need the interpreter's frames.
//
// It also tells a library what an object was made with, as Lightning's save_hyperparameters
// reads it from the frames of the calls.

import (
	"strconv"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
)

// builtins are Python's functions that look at frames: exec, eval, super and the like. What they run, the interpreter runs.
type builtins struct {
	*base
	*texts
	in *Interp
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// hookBuiltins adds super, globals, locals, vars, eval and exec.
func (bu *builtins) hookBuiltins() {
	b := bu.world.Builtins()
	def := func(name string, fn value.NativeFunc) {
		b.Set(&bu.heap, name, &value.Builtin{Name: name, Static: true, Fn: fn})
	}
	if c := bu.world.Class("super"); c != nil {
		library, _ := c.Attrs.Get("__new__")
		c.Attrs.Set(&bu.heap, "__new__", &value.Builtin{Name: "super", Static: true, Fn: bu.zeroSuper(library)})
	}
	def("globals", func(value.Thread, []value.Value, []value.Kw) (value.Value, error) {
		if err := bu.in.imports.finishImports(bu.in.stack.frame.globals); err != nil {
			return nil, err
		}
		return bu.in.losses.dictView(bu.in.stack.frame.globals.Attrs), nil
	})
	def("locals", func(value.Thread, []value.Value, []value.Kw) (value.Value, error) { return bu.locals(), nil })
	if vars, ok := b.Get("vars"); ok {
		def("vars", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
			if len(args) == 0 {
				return bu.locals(), nil
			}
			if m, ok := args[0].(*value.Module); ok {
				if err := bu.in.imports.finishImports(m); err != nil {
					return nil, err
				}
				return bu.in.imports.moduleDict(m), nil
			}
			if a := ensureAttrs(bu.in, args[0]); a != nil {
				return bu.in.losses.dictView(a), nil
			}
			return bu.in.Call(vars, args, kw)
		})
	}
	if dir, ok := b.Get("dir"); ok {
		def("dir", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
			if len(args)+len(kw) == 0 {
				sorted, _ := b.Get("sorted")
				if bu.in.stack.frame.globals != nil && bu.in.stack.frame.ns == bu.in.stack.frame.globals.Attrs {
					if err := bu.in.imports.finishImports(bu.in.stack.frame.globals); err != nil {
						return nil, err
					}
				}
				return bu.in.Call(sorted, []value.Value{bu.locals()}, nil)
			}
			if len(args) == 1 {
				if m, ok := args[0].(*value.Module); ok {
					if err := bu.in.imports.finishImports(m); err != nil {
						return nil, err
					}
				}
			}
			v, err := bu.in.Call(dir, args, kw)
			if l, ok := v.(*value.List); ok && err == nil && len(args) == 1 {
				return bu.in.imports.dir(args[0], l), nil
			}
			return v, err
		})
	}
	def("eval", bu.evalBuiltin)
	def("exec", bu.execBuiltin)
	def("compile", func(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
		if len(args) > 0 && bu.fileOf(args[0]) != "" { // what exec gets is the text
			return args[0], nil
		}
		c := &value.Cause{At: bu.in.Here(), Reason: "compile() is not followed"}
		bu.in.losses.explain(c, diag.New(diag.Unsupported, c.At, "compile() of text is not followed: its result is unknown", "compile"))
		if bu.in.stack.inEntry {
			bu.in.losses.surface(c)
		}
		return bu.in.losses.unknown(c), nil
	})
	def("__import__", func(_ value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		if len(args) > 0 {
			if s, ok := value.AsStr(args[0]); ok {
				m, err := bu.in.ImportModule(s)
				if top, _, dotted := strings.Cut(s, "."); dotted && err == nil && !value.IsUnknown(m) && !listsNames(bu.in, args, kw) {
					return bu.in.ImportModule(top)
				}
				return m, err
			}
		}
		return bu.in.Unknown("__import__ of an unknown name"), nil
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

func (bu *builtins) locals() value.Value { return bu.localsOf(bu.in.stack.frame) }

// localsOf are the variables of a frame that have values, those of functions around it that its code uses last.
func (bu *builtins) localsOf(f *frame) *value.Dict {
	if f.ns != nil {
		return bu.in.losses.dictView(f.ns)
	}
	d := bu.heap.NewDict()
	if f.code == nil {
		return d
	}
	for i, name := range f.code.scope.Locals {
		v := f.V[i]
		if f.cells != nil && f.cells[i] != nil {
			v = f.cells[i].V
		}
		if v != nil {
			d.SetStr(&bu.heap, name, v)
		}
	}
	for i, free := range f.code.scope.Free {
		if v := f.free[i].V; v != nil {
			d.SetStr(&bu.heap, free.Name, v)
		}
	}
	return d
}

// zeroSuper is super's __new__ that gives super() its class and object, and else is the one of the library.
func (bu *builtins) zeroSuper(library value.Value) value.NativeFunc {
	return func(_ value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
		if len(args) == 1 { // the class alone
			f := bu.in.stack.frame
			cls, self := f.classCell(), f.firstArg()
			for g := f.caller; self == nil && g != nil; g = g.caller {
				self = g.firstArg()
			}
			if cls == nil || self == nil {
				return nil, bu.in.Raise("RuntimeError", "super(): no arguments")
			}
			args = []value.Value{args[0], cls, self}
		}
		return bu.in.Call(library, args, kw)
	}
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

// initArguments gives the arguments of the constructors of an object that are under way in the
// project's code, by their names and with what they are now: those of a derived class go before those of its
// bases, and what **kwargs holds counts by itself.
func (na *natives) initArguments(_ value.Thread, args []value.Value, _ []value.Kw) (value.Value, error) {
	out := na.heap.NewDict()
	if len(args) != 1 {
		return nil, na.in.Raise("TypeError", "init_arguments takes the object")
	}
	for f := na.in.stack.frame; f != nil; f = f.caller {
		if f.prelude || f.fn == nil || f.fn.Name != "__init__" || f.firstArg() != args[0] {
			continue
		}
		p, vars := f.fn.Params, na.in.builtin.localsOf(f)
		for i, a := range append(append(p.PosOnly[:len(p.PosOnly):len(p.PosOnly)], p.Args...), p.KwOnly...) {
			if v, ok := vars.GetStr(a.Name); ok && i > 0 {
				out.SetStr(&na.heap, a.Name, v)
			}
		}
		if p.KwArg == nil {
			continue
		}
		more, _ := vars.GetStr(p.KwArg.Name)
		switch more := more.(type) {
		case *value.Dict:
			for i := range more.Len() {
				if name, ok := value.AsStr(more.Key(i)); ok {
					out.SetStr(&na.heap, name, more.At(i))
				}
			}
			if more.Open != nil {
				out.Open = more.Open
			}
		case *value.Unknown:
			out.Open = &value.Open{Key: more, Elem: more}
		}
	}
	return out, nil
}

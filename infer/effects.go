package infer

// This file makes unknown what code may change that is not followed: the rest of a
// generator, and functions that were given to something unknown. Seen are the changes that
// the code writes down: to variables of functions around it and of the module, to attributes
// and elements of what its names stand for, and calls of methods that change lists, dicts
// and sets.

import (
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
)

// changers are methods that change their container.
var changers = map[string]bool{"append": true, "extend": true, "insert": true, "remove": true, "pop": true, "clear": true, "sort": true,
	"reverse": true,
	"update":  true, "setdefault": true, "popitem": true, "add": true, "discard": true, "appendleft": true, "popleft": true, "extendleft": true}

// lostGenerator is why the values are unknown that the rest of a generator may change.
const lostGenerator = "a generator that is not followed any more may change it"

// An oblivion forgets what the code of a frame may change.
type oblivion struct {
	in   *Interp
	f    *frame
	why  string
	seen map[value.Value]bool
}

// forgetEffects forgets what the rest of the function of a frame may change.
func (in *Interp) forgetEffects(f *frame, why string) {
	if f.fn == nil || f.fn.Node == nil {
		return
	}
	o := &oblivion{in, f, why, map[value.Value]bool{}}
	ast.Inspect(f.code.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Assign:
			for _, t := range n.Targets {
				o.target(t)
			}
		case *ast.AugAssign:
			o.target(n.Target)
		case *ast.Nonlocal:
			o.variables(n.Names, func(name string) resolve.Binding { return f.unit.info.Bind(f.scopeIndex(), name) })
		case *ast.Global:
			o.variables(n.Names, func(string) resolve.Binding { return resolve.Binding{Kind: resolve.Global} })
		case *ast.Call:
			if a, ok := n.Func.(*ast.Attribute); ok && changers[a.Attr.Name] {
				o.contents(o.standsFor(a.Value))
			}
		}
		return true
	})
}

// target forgets what an assignment writes to, unless it is a variable of the function
// itself.
func (o *oblivion) target(t ast.Expr) {
	switch t := t.(type) {
	case *ast.Attribute:
		if i, ok := o.standsFor(t.Value).(*value.Instance); ok && i.Attrs != nil {
			i.Attrs.Set(&o.in.heap, t.Attr.Name, o.in.Unknown(o.why))
		}
	case *ast.Subscript:
		o.contents(o.standsFor(t.Value))
	case *ast.Tuple:
		for _, e := range t.Elts {
			o.target(e)
		}
	}
}

// variables forgets variables of a function around the code, or of its module.
func (o *oblivion) variables(names []ast.Ident, bound func(name string) resolve.Binding) {
	for _, name := range names {
		b := bound(name.Name)
		_, err := o.in.quietly(func() (value.Value, error) {
			return value.None, o.in.storeBinding(o.f, b, name.Name, o.in.Unknown(o.why))
		})
		if err != nil { // there is no such variable, and nothing to forget
			continue
		}
	}
}

// contents forgets the contents of a container.
func (o *oblivion) contents(v value.Value) {
	if v == nil || o.seen[v] {
		return
	}
	o.seen[v] = true
	in, u := o.in, o.in.Unknown(o.why)
	switch v := v.(type) {
	case *value.List:
		in.heap.Touch(v)
		v.Elems, v.Open = nil, &value.Open{Elem: u, Len: in.DataInt("u", 0, nil).D}
	case *value.Dict:
		v.Clear(&in.heap)
		v.Open = &value.Open{Key: u, Elem: u, Len: in.DataInt("u", 0, nil).D}
	case *value.Set:
		in.heap.Touch(v)
		v.Open = &value.Open{Elem: u, Len: in.DataInt("u", 0, nil).D}
	case *value.Choice:
		o.contents(v.Then)
		o.contents(v.Else)
	}
}

// standsFor gives what a name or an attribute of one stands for; nil where that takes
// more than a look. A name in a function, class or comprehension inside the code is taken
// for the variable of that name of the code: what inner frames hold is made when they run.
func (o *oblivion) standsFor(e ast.Expr) value.Value {
	in, f := o.in, o.f
	switch e := e.(type) {
	case *ast.Name:
		v, err := in.quietly(func() (value.Value, error) {
			return in.loadBinding(f, f.unit.info.Bind(f.scopeIndex(), e.ID), e.ID, e)
		})
		if err == nil {
			return v
		}
	case *ast.Attribute:
		if i, ok := o.standsFor(e.Value).(*value.Instance); ok {
			if v, ok := i.Attrs.Get(e.Attr.Name); ok {
				return v
			}
		}
	}
	return nil
}

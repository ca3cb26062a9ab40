package infer

// This file makes unknown what code may change that is not followed: the rest of a
// generator, and functions that were given to something unknown. Seen are the changes that
// the code writes down: to variables of functions around it and of the module, to attributes
// and elements of what its names stand for, and calls of methods that change lists, dicts
// and sets.

import (
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// changers are methods that change their container.
var changers = map[string]bool{"append": true, "extend": true, "insert": true, "remove": true, "pop": true, "clear": true, "sort": true, "reverse": true,
	"update": true, "setdefault": true, "popitem": true, "add": true, "discard": true, "appendleft": true, "popleft": true, "extendleft": true}

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
			o.variables(n.Names)
		case *ast.Global:
			o.variables(n.Names)
		case *ast.Call:
			if a, ok := n.Func.(*ast.Attribute); ok && changers[a.Attr.Name] {
				o.contents(in.standsFor(f, a.Value))
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
		if i, ok := o.in.standsFor(o.f, t.Value).(*value.Instance); ok && i.Attrs != nil {
			i.Attrs.Set(&o.in.heap, t.Attr.Name, o.in.Unknown(o.why))
		}
	case *ast.Subscript:
		o.contents(o.in.standsFor(o.f, t.Value))
	case *ast.Tuple:
		for _, e := range t.Elts {
			o.target(e)
		}
	}
}

// variables forgets variables of a function around the code, or of its module.
func (o *oblivion) variables(names []ast.Ident) {
	for _, name := range names {
		_, err := o.in.quietly(func() (value.Value, error) { return value.None, o.in.bind(o.f, name.Name, o.in.Unknown(o.why)) })
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
	}
}

// standsFor gives what a name or an attribute of one stands for; nil where that takes
// more than a look.
func (in *Interp) standsFor(f *frame, e ast.Expr) value.Value {
	switch e := e.(type) {
	case *ast.Name:
		v, err := in.quietly(func() (value.Value, error) { return in.eval(f, e) })
		if err == nil {
			return v
		}
	case *ast.Attribute:
		if i, ok := in.standsFor(f, e.Value).(*value.Instance); ok {
			if v, ok := i.Attrs.Get(e.Attr.Name); ok {
				return v
			}
		}
	}
	return nil
}

package infer

// This file makes unknown what a generator may still change that is not followed any
// more. Seen are the changes that its code writes down: to variables of functions
// around it, to attributes and elements of what its names stand for, and calls of
// methods that change lists, dicts and sets.

import (
	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// changers are methods that change their container.
var changers = map[string]bool{"append": true, "extend": true, "insert": true, "remove": true, "pop": true, "clear": true, "sort": true, "reverse": true,
	"update": true, "setdefault": true, "popitem": true, "add": true, "discard": true, "appendleft": true, "popleft": true, "extendleft": true}

// forgetEffects forgets what the rest of a generator may change.
func (in *Interp) forgetEffects(g *generator) {
	f := g.frame
	if f.fn == nil || f.fn.Node == nil {
		return
	}
	seen := map[value.Value]bool{}
	ast.Inspect(f.fn.Node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Assign:
			for _, t := range n.Targets {
				in.forgetTarget(f, t, seen)
			}
		case *ast.AugAssign:
			in.forgetTarget(f, n.Target, seen)
		case *ast.Nonlocal:
			for _, name := range n.Names {
				in.forgetVariable(f, name.Name)
			}
		case *ast.Call:
			if a, ok := n.Func.(*ast.Attribute); ok && changers[a.Attr.Name] {
				in.forgetContents(in.standsFor(f, a.Value), seen)
			}
		}
		return true
	})
}

// forgetTarget forgets what an assignment writes to, unless it is a variable of the
// generator itself.
func (in *Interp) forgetTarget(f *frame, t ast.Expr, seen map[value.Value]bool) {
	switch t := t.(type) {
	case *ast.Attribute:
		if i, ok := in.standsFor(f, t.Value).(*value.Instance); ok && i.Attrs != nil {
			i.Attrs.Set(&in.heap, t.Attr.Name, in.lostGenerator())
		}
	case *ast.Subscript:
		in.forgetContents(in.standsFor(f, t.Value), seen)
	case *ast.Tuple:
		for _, e := range t.Elts {
			in.forgetTarget(f, e, seen)
		}
	}
}

func (in *Interp) lostGenerator() value.Value {
	return in.Unknown("a generator that is not followed any more may change it")
}

// forgetVariable forgets a variable of a function around the generator.
func (in *Interp) forgetVariable(f *frame, name string) {
	_, err := in.quietly(func() (value.Value, error) { return value.None, in.bind(f, name, in.lostGenerator()) })
	if err != nil { // it has no such variable: there is nothing to forget
		return
	}
}

// forgetContents forgets the contents of a container.
func (in *Interp) forgetContents(v value.Value, seen map[value.Value]bool) {
	if v == nil || seen[v] {
		return
	}
	seen[v] = true
	u := in.lostGenerator()
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

package lower

// This file tells views from copies where the strides decide: reshape views a tensor
// if its strides allow it, contiguous gives the tensor itself if it is contiguous.
// Sizes of 1 make views of what is a copy otherwise. What moves to a device may be the
// tensor itself, too.

import (
	"shapecheck/infer/graph"
	"shapecheck/symshape"
)

// moved notes that the result of an operation that gives the tensor itself, where that
// is on the device that is asked for already, may have its argument's memory,
// and reports whether n is one of which that is not known.
func (v *viewer) moved(n *graph.Node, args []graph.Arg) bool {
	o := n.Outputs[0]
	if !n.Is.Has(graph.MaybeSelf) || len(args) == 0 || o.Base != nil || argument(n, "copy") == graph.Bool(true) {
		return false
	}
	x, ok := args[0].Value.(*graph.Value)
	if !ok || x.Kind == graph.ScalarKind || x.Type.DType != o.Type.DType || x.Type.Device != "" && o.Type.Device != "" {
		return false
	}
	p := v.track(x).place
	if v.matters(p) || v.touched[o] {
		v.giveMemory(o, unite(nil, p.storages(nil)))
	}
	return true
}

// strided notes what memory the result of an operation has that gives a view of its
// first argument if the strides allow it, and reports whether n is one.
func (v *viewer) strided(n *graph.Node, args []graph.Arg) bool {
	contiguous := n.Is.Has(graph.ViewIfContiguous)
	if !contiguous && !n.Is.Has(graph.ViewIfStrided) || len(n.Outputs) != 1 || len(args) == 0 {
		return false
	}
	o := n.Outputs[0]
	x, ok := args[0].Value.(*graph.Value)
	if !ok || x.Kind == graph.ScalarKind || !x.Type.Ranked || x.Type.Strides == nil || !o.Type.Ranked || o.Type.DType != x.Type.DType {
		return false
	}
	from := v.track(x).place
	if !v.matters(from) && !v.touched[o] {
		return false
	}
	p := v.giveMemory(o, nil)
	c := v.viewable(&x.Type, o.Type.Shape, contiguous)
	view := from.with(step{n, 0, 0})
	switch is, known := constant(c); {
	case c == nil:
		v.giveMemory(o, unite(nil, from.storages(nil)))
	case known && is:
		v.aliases[o] = &alias{view, v.clock}
	case !known:
		v.aliases[o] = &alias{&place{cond: graph.Cond{Cond: c}, then: view, els: p}, v.clock}
	}
	return true
}

func constant(c *symshape.Cond) (is, known bool) {
	if c == nil {
		return false, false
	}
	return c.Const()
}

// viewable is the condition under which a tensor can be viewed in a shape; nil where it
// is not known.
func (v *viewer) viewable(t *graph.TensorType, to symshape.Shape, contiguous bool) *symshape.Cond {
	p := v.l.Pool
	before, ok1 := products(p, t.Shape)
	after, ok2 := products(p, to)
	if !ok1 || !ok2 || len(t.Strides) != len(t.Shape) {
		return nil
	}
	one := func(i int) *symshape.Cond { return p.Eq(t.Shape[i].Expr, p.Const(1)) }
	// between lists that there are more than one in the dimensions between i and j.
	between := func(i, j int) []*symshape.Cond {
		var list []*symshape.Cond
		for k := i + 1; k < j; k++ {
			list = append(list, p.Not(one(k)))
		}
		return list
	}
	var all []*symshape.Cond
	// Dimensions that become one, or parts of one, must follow one another.
	start, m := 0, 0
	for end := 1; end <= len(t.Shape); end++ {
		at := m
		for !contiguous && at < len(after) && after[at] != before[end] {
			at++
		}
		if end < len(t.Shape) && (contiguous || at == len(after)) {
			continue
		}
		m = at
		for i := start; i < end; i++ {
			for j := i + 1; j < end; j++ {
				follows := p.Eq(t.Strides[i], p.Mul(t.Strides[j], t.Shape[j].Expr))
				all = append(all, p.Or(append(between(i, j), one(i), one(j), follows)...))
			}
		}
		start = end
	}
	if contiguous { // the last dimension of more than one has the stride 1
		n := len(t.Shape)
		for i := range t.Shape {
			all = append(all, p.Or(append(between(i, n), one(i), p.Eq(t.Strides[i], p.Const(1)))...))
		}
	}
	return p.And(all...)
}

// products lists the numbers of elements of the first 0, 1, … dimensions.
func products(p *symshape.Pool, s symshape.Shape) ([]*symshape.Expr, bool) {
	list := []*symshape.Expr{p.Const(1)}
	for i, d := range s {
		if d.Expr == nil {
			return nil, false
		}
		list = append(list, p.Mul(list[i], d.Expr))
	}
	return list, true
}

package lint

// This file aligns the axes before and after a reshape.

import (
	"shapecheck/infer/graph"
	"shapecheck/symshape"
)

// A group is a run of origins of the input and the run of axes of the result that
// holds the same elements. Where both have several, they cross: the boundaries
// inside are at different places.
type group struct {
	from []*origin
	to   []int
	// before are the numbers of elements of the tensor up to the end of each of
	// from; after those of to. The last ones of a group are equal.
	before, after []*symshape.Expr
}

func (g *group) crosses() bool { return len(g.from) > 1 && len(g.to) > 1 }

// align finds the groups of a reshape; nil when a size is not known. Axes of size
// 1 are in no group.
func (l *linter) align(in, out *graph.Value) []group {
	var from []*origin
	for i, a := range l.of(in) {
		if isConst(in.Type.Shape[i], 1) {
			continue
		}
		for _, o := range a {
			if o.size.Expr == nil {
				return nil
			}
			from = append(from, o)
		}
	}
	var to []int
	for i, d := range out.Type.Shape {
		if d.Expr == nil {
			return nil
		}
		if !isConst(d, 1) {
			to = append(to, i)
		}
	}
	before, after := l.products(from, nil, nil), l.products(nil, out.Type.Shape, to)
	if before == nil || after == nil {
		return nil
	}
	// Axes at the end that stay have a boundary before them, whose two products need
	// not look the same: [B,h,t,C] as [B,h*t//L,L,C].
	for n, m := len(from)-2, len(to)-2; n >= 0 && m >= 0 && l.equal(from[n+1].size.Expr, out.Type.Shape[to[m+1]].Expr); n, m = n-1, m-1 {
		after[m] = before[n]
	}
	var groups []group
	i, j := 0, 0 // the group begins there
	for n := range before {
		m := j
		if n == len(before)-1 {
			m = len(after) - 1
		} else {
			for m < len(after)-1 && !l.equal(before[n], after[m]) {
				m++
			}
			if m == len(after)-1 { // no boundary of the result is here
				continue
			}
		}
		groups = append(groups, group{from[i : n+1], to[j : m+1], before[i : n+1], after[j : m+1]})
		i, j = n+1, m+1
		if j == len(after) && n < len(before)-1 {
			return nil
		}
	}
	return groups
}

// products returns the products of the first sizes, of the first two, and so on.
func (l *linter) products(from []*origin, shape symshape.Shape, axes []int) []*symshape.Expr {
	var sizes []*symshape.Expr
	for _, o := range from {
		sizes = append(sizes, o.size.Expr)
	}
	for _, i := range axes {
		sizes = append(sizes, shape[i].Expr)
	}
	p := l.Pool.Const(1)
	for i, e := range sizes {
		if p = l.Pool.Mul(p, e); p == nil {
			return nil
		}
		sizes[i] = p
	}
	return sizes
}

// reshapeStep gives the result what stands in its place in the input: several
// origins for what is joined, a part for what is split, something new where the
// axes cross.
func reshapeStep(l *linter, n *graph.Node, in, out *graph.Value) []axis {
	if in == nil {
		return nil
	}
	if len(in.Type.Shape) == len(out.Type.Shape) && in.Type.DType != out.Type.DType {
		return l.sameSizes(l.of(in), in, out, made)
	}
	groups := l.align(in, out)
	if groups == nil {
		return nil
	}
	res := make([]axis, len(out.Type.Shape))
	for _, g := range groups {
		switch {
		case len(g.to) == 1:
			res[g.to[0]] = g.from
		case len(g.from) == 1:
			for _, i := range g.to {
				res[i] = axis{{birth: part, size: out.Type.Shape[i], of: g.from[0]}}
			}
		default:
			for _, o := range g.from {
				l.crossed[o] = true
			}
		}
	}
	for i := range res {
		if res[i] == nil {
			res[i] = axis{{birth: made, size: out.Type.Shape[i]}}
		}
	}
	return res
}

package lint

// This file finds out which axes of the arguments are the batch.
//
// A layer whose first axis can be nothing else (convolutions, pooling and batch
// norm of tensors with all their dimensions, losses of classes) names the axis of
// the argument that comes to it alone and in front. So does the user, who calls a
// size B or batch. In both cases the axis must come through to a result of the
// entry, or to a loss: what is summed up on the way (the instances of a bag, the
// nodes of a graph) are no samples. An argument with the axis twice (an adjacency
// matrix) denies it.

import (
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/symshape"
)

// declared are the names by which users call the size of a batch.
var declared = map[string]bool{
	"b": true, "bs": true, "bsz": true, "bsize": true, "batch": true, "batch_size": true, "batchsize": true, "nbatch": true,
}

// NamesBatch reports whether a name is one by which programs call the size of a batch.
func NamesBatch(name string) bool { return declared[strings.ToLower(name)] }

// batchFirst reports whether the first of rank axes must be the batch. Two axes are
// no evidence: batch norm also goes over nodes, points and items of a list.
func batchFirst(n *graph.Node, rank int) bool {
	if !n.Is.Has(graph.BatchFirst) {
		return false
	}
	return n.Spatial == 0 && rank >= 3 || n.Spatial > 0 && rank == int(n.Spatial)+2
}

// sequence gives the first axis of data that a layer for sequences gets, and whether batch_first=True says that it is the batch.
func (l *linter) sequence(n *graph.Node, in *graph.Value) (o *origin, first, ok bool) {
	b, given := arg(n, "batch_first").(graph.Bool)
	if !given || in.Type.Rank() != 3 {
		return nil, false, false
	}
	o = l.of(in)[0].single()
	return o, bool(b), o != nil && o.birth == argument && o.index == 0
}

// findBatch collects the origins that are batches.
func (l *linter) findBatch() {
	l.batch, l.shown, l.layered, l.normed = map[*origin]bool{}, map[*origin]bool{}, map[*origin]bool{}, map[*origin]bool{}
	layers := map[*origin]bool{} // what comes first to layers and cells whose first axis is the batch
	found := map[*origin]bool{}
	through := map[*origin]bool{}
	said := map[*origin]bool{} // of the first axes of sequences: whether all layers take them for the batch
	for _, o := range l.symbols {
		if declared[strings.ToLower(o.size.Expr.String())] {
			found[o] = true
		}
	}
	evidence := func(a []axis) {
		if len(a) < 2 {
			return
		}
		if o := a[0].single(); o != nil && o.birth == argument && o.index == 0 {
			found[o], layers[o] = true, true
		}
	}
	carried := func(a []axis) {
		l.Spend(len(a))
		for _, x := range a {
			for _, o := range x {
				through[o] = true
			}
		}
	}
	for _, n := range l.nodes {
		in := subject(n)
		if in == nil {
			continue
		}
		if o, first, ok := l.sequence(n, in); ok {
			before, again := said[o]
			said[o] = first && (before || !again)
		}
		if batchFirst(n, in.Type.Rank()) {
			evidence(l.of(in))
			if o := l.of(in)[0].single(); o != nil && n.Spatial == 0 { // layers with windows take tensors without a batch, too
				l.normed[o] = true
			}
		}
		if n.Form == graph.Cell && in.Type.Rank() == 2 {
			if o := l.of(in)[0].single(); o != nil && o.birth == argument && o.index == 0 {
				layers[o] = true
			}
		}
		switch {
		case n.Form == graph.CrossEntropy || n.Form == graph.NLL:
			evidence(l.of(in))
			carried(l.of(in))
		case n.Is.Has(graph.Loss) || n.Form == graph.BinaryEntropy || n.Form == graph.LogitEntropy:
			carried(l.of(in))
		}
	}
	for _, v := range l.Outputs {
		carried(l.of(v))
	}
	for o, first := range said {
		if first {
			found[o], through[o], layers[o] = true, true, true
		}
	}
	for _, o := range l.loaded {
		l.batch[o] = true
	}
	for o := range found {
		if (through[o] || l.crossed[o]) && !o.within {
			l.batch[o] = true
		}
	}
	for _, o := range l.symbols {
		if o.birth == argument && o.index == 0 && !o.within {
			l.layered[o] = layers[o] && through[o]
			l.shown[o] = l.layered[o] || l.Called[o.size.Expr]
		}
	}
}

// isLayered reports whether one of the origins of an axis is a batch by a layer.
func (l *linter) isLayered(a axis) bool {
	return slices.ContainsFunc(a, func(o *origin) bool { return l.layered[o] })
}

// sampled finds the tensors of whose rows loaders make batches.
func (l *linter) sampled() []*graph.Value {
	var tables []*graph.Value
	for _, b := range l.Batches {
		for _, v := range b {
			if v.Def == nil || !l.collates(v.Def) {
				continue
			}
			if e := subject(v.Def); e != nil && e.Def != nil && e.Def.Form == graph.GetItem {
				if t := subject(e.Def); t != nil && t.Type.Rank() == e.Type.Rank()+1 {
					tables = append(tables, t)
				}
			}
		}
	}
	return tables
}

// becomesSamples reports whether v, or what is made of it with the same first axis, is a
// tensor of whose rows a loader makes batches.
func (l *linter) becomesSamples(v *graph.Value) bool {
	seen := map[*graph.Value]bool{}
	var from func(w *graph.Value, rows axis) bool
	from = func(w *graph.Value, rows axis) bool {
		if w == v {
			return true
		}
		if seen[w] || w.Def == nil {
			return false
		}
		seen[w] = true
		found := false
		for _, a := range w.Def.Args {
			graph.Operands(a.Value, func(x *graph.Value) {
				if b := l.of(x); !found && len(b) > 0 && sameAxis(b[0], rows) {
					found = from(x, rows)
				}
			})
		}
		return found
	}
	for _, t := range l.sampled() {
		if a := l.of(t); len(a) > 0 && from(t, a[0]) {
			return true
		}
	}
	return false
}

// isBatch reports whether an axis is the batch and nothing else.
func (l *linter) isBatch(a axis) bool { return a.single() != nil && l.batch[a[0]] }

// hasBatch reports whether an axis holds the batch, alone or with others.
func (l *linter) hasBatch(a axis) bool {
	for _, o := range a {
		if l.batch[o] {
			return true
		}
	}
	return false
}

// consumers calls f for all nodes that use v directly.
func (l *linter) consumers(v *graph.Value, f func(*graph.Node)) {
	if l.uses == nil {
		l.uses = map[*graph.Value][]*graph.Node{}
		for _, n := range l.nodes {
			for _, a := range n.Args {
				graph.Operands(a.Value, func(u *graph.Value) { l.uses[u] = append(l.uses[u], n) })
			}
			if n.Op == graph.If {
				l.throughIf(n)
			}
		}
	}
	for _, n := range l.uses[v] {
		f(n)
	}
}

// throughIf makes an If a user of what its branches result in.
func (l *linter) throughIf(n *graph.Node) {
	for _, r := range n.Regions {
		for _, o := range r.Results {
			graph.Operands(o, func(u *graph.Value) { l.uses[u] = append(l.uses[u], n) })
		}
	}
}

// tested reports whether the program asks for the size of a batch by itself, so
// that it knows that it may be 1, or the user vouches that it is not.
func (l *linter) tested(o *origin) bool {
	var known symshape.Facts
	for _, c := range l.Assumed {
		if f, ok := known.Assume(c); ok {
			known = f
		}
	}
	if known.Decide(l.Pool.Eq(o.size.Expr, l.Pool.Const(1))).Answer == symshape.No {
		return true
	}
	for _, n := range l.nodes {
		if n.Op != graph.If {
			continue
		}
		if c, ok := arg(n, "cond").(graph.Cond); ok {
			for _, s := range c.Symbols() {
				if s == o.size.Expr {
					return true
				}
			}
		}
	}
	return false
}

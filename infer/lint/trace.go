package lint

// This file carries provenance through the graph: what the axes of a node's
// results are made of. An axis is described by where it was born: an argument's axis, a layer's
// features, a fresh one. Lint rules compare such descriptions, for example to see that a softmax
// goes over the batch. Where provenance is lost an axis is fresh, so that a rule says nothing
// rather than something wrong.

import "shapecheck/infer/graph"

// A step gives the axes of the result out of n; in is the tensor worked on. nil
// means that the step does not apply and the general one does. Its result must have as many axes as
// out, or it is not used.
type step func(l *linter, n *graph.Node, in, out *graph.Value) []axis

// steps are the forms of operations that need more than the general step.
var steps = [...]struct {
	form graph.Form
	step step
}{
	{graph.Linear, layerStep},
	{graph.Conv, convStep},
	{graph.ConvTransp, convStep},
	{graph.Embedding, embeddingStep},
	{graph.OneHot, oneHotStep},
	{graph.Spectrum, spectrumStep},
	{graph.MatMul, matmulStep},
	{graph.Einsum, einsumStep},
	{graph.Gather, gatherStep},
	{graph.Concat, catStep},
	{graph.Stack, stackStep},
	{graph.Transpose, transposeStep},
	{graph.Permute, permuteStep},
	{graph.Reverse, reverseStep},
	{graph.Rearrange, symbolStep},
	{graph.GetItem, getitemStep},
	{graph.Resize, resizedStep},
	{graph.Reshape, reshapeStep},
}

// stepOf is the step of a form, nil for the general one. There are few forms, so the list is
// searched.
func stepOf(f graph.Form) step {
	for i := range steps {
		if steps[i].form == f {
			return steps[i].step
		}
	}
	return nil
}

// trace visits all nodes in order. Inputs get their axes first.
func (l *linter) trace() {
	l.inputs()
	l.region(l.Graph.Body)
}

// region follows the axes through the nodes in order. Each operation has its step; where that does not say as
// many axes as the result has, sizes by the same symbol are taken for the same axis. A Loop's parameters get
// their axes before its body, and the outputs of an If those of its branches.
func (l *linter) region(r *graph.Region) {
	for _, n := range r.Nodes {
		// Nodes with regions are charged by what is in them.
		if len(n.Regions) == 0 {
			work := traceWork(n)
			if work > maxTraceWork {
				continue // its axes are born there
			}
			l.Spend(work / traceAtOnce)
		}
		l.nodes = append(l.nodes, n)
		switch n.Op {
		case graph.If:
			for _, sub := range n.Regions {
				l.region(sub)
			}
			l.merge(n)
			continue
		case graph.Loop:
			l.enterLoop(n)
			for _, sub := range n.Regions {
				l.region(sub)
			}
			continue
		}
		in := subject(n)
		for _, out := range n.Outputs {
			if !out.Type.Ranked || out.Kind != graph.TensorKind {
				continue
			}
			if _, known := l.axes[out]; known {
				continue // a batch of a loader
			}
			var a []axis
			if n.Is.Has(graph.Drawn) && !n.Lib {
				l.axes[out] = l.drawn(out)
				continue
			}
			if s := stepOf(n.Form); s != nil && in != nil {
				a = s(l, n, in, out)
			} else if s != nil {
				a = s(l, n, nil, out)
			} else {
				a = l.general(n, in, out)
			}
			if len(a) != len(out.Type.Shape) {
				a = l.bySymbol(n, out)
			}
			l.axes[out] = a
		}
	}
}

// Nodes with very many operands are left out, whose comparisons would take the square of their
// number.
const (
	maxTraceWork = 1 << 22 // for one node
	traceAtOnce  = 8       // comparisons of axes that take as long as to make an object
)

// traceWork is about what it takes to look at a node: the axes of its outputs and operands are compared with those of
// all operands.
func traceWork(n *graph.Node) int {
	in, out := 1, 0
	for _, x := range n.Args {
		graph.Leaves(x.Value, func(o graph.Operand) {
			in++
			if v, ok := o.(*graph.Value); ok && v != nil {
				in += max(v.Type.Rank(), 0)
			}
		})
	}
	for _, v := range n.Outputs {
		out += 1 + max(v.Type.Rank(), 0)
	}
	return in * (in + out)
}

// drawn gives random numbers of a size the axes of data. Random numbers have axes of data, but are
// marked, since an axis of noise may be mixed.
func (l *linter) drawn(out *graph.Value) []axis {
	a := l.dataAxes(out)
	for i := range a {
		if a[i][0].arg == out {
			a[i][0].drawn = true
		}
	}
	return a
}

// merge gives the results of an If the axes on which both branches agree. Where the branches
// differ, or have no values, the axis is fresh.
func (l *linter) merge(n *graph.Node) {
	for i, out := range n.Outputs {
		if !out.Type.Ranked {
			continue
		}
		a := l.freshAll(out, made)
		l.axes[out] = a
		if len(n.Regions) != 2 || i >= len(n.Regions[0].Results) || i >= len(n.Regions[1].Results) {
			continue
		}
		x, _ := n.Regions[0].Results[i].(*graph.Value)
		y, _ := n.Regions[1].Results[i].(*graph.Value)
		p, q := l.of(x), l.of(y)
		if len(p) != len(a) || len(q) != len(a) {
			continue
		}
		for j := range a {
			if sameAxis(p[j], q[j]) {
				a[j] = p[j]
			}
		}
	}
}

// enterLoop gives the carried values of a loop the axes that they begin with, as
// far as their sizes stay. The first parameter is the number of the iteration. A size that stays
// from round to round is the same axis.
func (l *linter) enterLoop(n *graph.Node) {
	init, _ := arg(n, "init").(graph.List)
	for _, r := range n.Regions {
		for i, p := range r.Params[min(1, len(r.Params)):] {
			if !p.Type.Ranked || i >= len(init) {
				continue
			}
			if v, ok := init[i].(*graph.Value); ok && v != nil && v.Type.Rank() == p.Type.Rank() {
				l.axes[p] = l.sameSizes(l.of(v), v, p, made)
			}
		}
	}
}

// sameSizes gives each axis of out the provenance of the axis of in at the same
// place, if it has the same size; others are born here. Sizes are compared as expressions.
func (l *linter) sameSizes(a []axis, in, out *graph.Value, b birth) []axis {
	res := make([]axis, len(out.Type.Shape))
	for i, d := range out.Type.Shape {
		if i < len(a) && d.Expr != nil && in.Type.Shape[i].Expr == d.Expr {
			res[i] = a[i]
		} else {
			res[i] = l.fresh(d, b)
		}
	}
	return res
}

// general is the step of most operations: a reduction over dim, or a result whose
// axes are those of the operands, aligned at the end as by broadcasting. dim is read for
// reductions, which drop the axes or keep them with size 1. nil where the shapes do not fit
// broadcasting.
func (l *linter) general(n *graph.Node, in, out *graph.Value) []axis {
	rank := out.Type.Rank()
	if in != nil {
		if dims, ok := dimsArg(n, in.Type.Rank()); ok && in.Type.Rank() == rank+len(dims) && len(dims) > 0 {
			return drop(l.of(in), dims)
		}
		if in.Type.Rank() != rank {
			if a := l.aroundOnes(in, out); a != nil {
				return a
			}
		}
	}
	res := l.freshAll(out, made)
	found, widest := false, 0
	for _, x := range n.Args {
		graph.Operands(x.Value, func(v *graph.Value) { widest = max(widest, v.Type.Rank()) })
	}
	if widest != rank {
		return nil
	}
	for _, x := range n.Args {
		graph.Operands(x.Value, func(v *graph.Value) {
			if !v.Type.Ranked || v.Kind != graph.TensorKind || v.Type.Rank() > rank {
				return
			}
			a, off := l.of(v), rank-v.Type.Rank()
			for i := range a {
				d := out.Type.Shape[i+off]
				same := d.Expr != nil && v.Type.Shape[i].Expr == d.Expr
				// Of several operands the axis that is known best counts.
				if same && (!found || a[i].rank() > res[i+off].rank()) {
					res[i+off] = a[i]
				}
			}
			found = true
		})
	}
	if in != nil && in.Type.Rank() == rank && n.Is.Has(graph.View) {
		l.pieces(in, out, res)
	}
	if in != nil {
		// A kept axis of a reduction is marked as such.
		if dims, ok := dimsArg(n, in.Type.Rank()); ok && in.Type.Rank() == rank {
			for _, d := range dims {
				if isConst(out.Type.Shape[d], 1) && !isConst(in.Type.Shape[d], 1) {
					res[d] = axis{{birth: kept, size: out.Type.Shape[d]}}
				}
			}
		}
	}
	return res
}

// pieces marks an axis that split or chunk cut: some of a layer's features are features of that layer.
func (l *linter) pieces(in, out *graph.Value, res []axis) {
	for i, d := range out.Type.Shape {
		was := in.Type.Shape[i]
		_, piece := d.Const()
		_, whole := was.Const()
		if o := l.of(in)[i].single(); piece && whole && was.Expr != d.Expr && o != nil && o.root().birth == layer {
			res[i] = axis{{birth: layer, size: d}}
		}
	}
}

// bySymbol finds axes by their sizes alone: a size that is no number, and that only
// one axis of the operands has, is that axis. Equal numbers would prove nothing.
func (l *linter) bySymbol(n *graph.Node, out *graph.Value) []axis {
	res := l.freshAll(out, made)
	for i, d := range out.Type.Shape {
		if _, number := d.Const(); number || d.Expr == nil {
			continue
		}
		var from axis
		unique := true
		for _, x := range n.Args {
			graph.Operands(x.Value, func(v *graph.Value) {
				for j, a := range l.of(v) {
					if v.Type.Shape[j].Expr != d.Expr {
						continue
					}
					unique = unique && (from == nil || sameAxis(from, a))
					from = a
				}
			})
		}
		if from != nil && unique {
			res[i] = from
		}
	}
	return res
}

// The step for rearranged tensors.
func symbolStep(l *linter, n *graph.Node, _, out *graph.Value) []axis { return l.bySymbol(n, out) }

// dimsArg reads the argument dim of a reduction. Axes count from 0. False without the argument, and
// where it is not known.
func dimsArg(n *graph.Node, rank int) ([]int, bool) {
	var list []graph.Operand
	switch d := arg(n, "dim").(type) {
	case graph.Tuple:
		list = d
	case graph.List:
		list = d
	case nil:
		return nil, false
	default:
		list = []graph.Operand{d}
	}
	var out []int
	for _, e := range list {
		i, ok := intOf(e)
		if i < 0 {
			i += rank
		}
		if !ok || i < 0 || i >= rank {
			return nil, false
		}
		out = append(out, i)
	}
	return out, true
}

// The order of the others stays.
func drop(a []axis, dims []int) []axis {
	var out []axis
next:
	for i := range a {
		for _, d := range dims {
			if d == i {
				continue next
			}
		}
		out = append(out, a[i])
	}
	return out
}

// aroundOnes gives out the axes of in where they differ in axes of size 1 only, as
// after squeeze, unsqueeze and x[:, None]. nil where other sizes differ, too.
func (l *linter) aroundOnes(in, out *graph.Value) []axis {
	a := l.of(in)
	var kept []int
	for i, d := range in.Type.Shape {
		if !isConst(d, 1) {
			kept = append(kept, i)
		}
	}
	res := make([]axis, len(out.Type.Shape))
	for i, d := range out.Type.Shape {
		if isConst(d, 1) {
			res[i] = axis{{birth: made, size: d}}
			continue
		}
		if len(kept) == 0 || d.Expr == nil || in.Type.Shape[kept[0]].Expr != d.Expr {
			return nil
		}
		res[i] = a[kept[0]]
		kept = kept[1:]
	}
	if len(kept) > 0 {
		return nil
	}
	return res
}

package lint

// This file holds the steps of layers, products, joins and permutations. A step tells which axis of
// its operands each axis of a node's result is, with the birth of those that are new (trace.go).
// nil says that it cannot tell: then the axes are taken for new ones, unless a symbol names them.
// No step may guess: a wrong provenance makes a wrong finding.

import (
	"strings"

	"shapecheck/infer/graph"
)

// layerStep: a new last axis, the others are those of the input.
func layerStep(l *linter, _ *graph.Node, in, out *graph.Value) []axis {
	if in == nil || in.Type.Rank() != out.Type.Rank() {
		return nil
	}
	res := append([]axis(nil), l.of(in)...)
	last := len(res) - 1
	res[last] = axis{{birth: layer, size: out.Type.Shape[last]}}
	return res
}

// embeddingStep: the axes of the indices, and one of features, which the table brings.
func embeddingStep(l *linter, n *graph.Node, in, out *graph.Value) []axis {
	for _, name := range [...]string{"input", "indices"} {
		if v := tensorArg(n, name); v != nil {
			in = v
		}
	}
	if in == nil || in.Type.Rank()+1 != out.Type.Rank() {
		return nil
	}
	last := out.Type.Shape[out.Type.Rank()-1]
	return append(append([]axis(nil), l.of(in)...), axis{{birth: layer, size: last}})
}

// oneHotStep: the axes of the classes' numbers, and one of classes.
func oneHotStep(l *linter, _ *graph.Node, in, out *graph.Value) []axis {
	if in == nil || in.Type.Rank()+1 != out.Type.Rank() {
		return nil
	}
	last := out.Type.Shape[out.Type.Rank()-1]
	return append(append([]axis(nil), l.of(in)...), axis{{birth: layer, size: last}})
}

// spectrumStep: the axes before the signal stay.
func spectrumStep(l *linter, _ *graph.Node, in, out *graph.Value) []axis {
	if in == nil || in.Type.Rank() < 1 || in.Type.Rank() >= out.Type.Rank() {
		return nil
	}
	return append(append([]axis(nil), l.of(in)[:in.Type.Rank()-1]...), l.freshAll(out, made)[in.Type.Rank()-1:]...)
}

// gatherStep: the result has the axes of the index. One of size 1 was made to look
// something up with, not to be broadcast: it is taken for the choice of a layer.
func gatherStep(l *linter, n *graph.Node, _, out *graph.Value) []axis {
	index := tensorArg(n, "index")
	if index == nil {
		index = tensorArg(n, "indices")
	}
	if index == nil || index.Type.Rank() != out.Type.Rank() {
		return nil
	}
	res := l.sameSizes(l.of(index), index, out, made)
	for i, d := range out.Type.Shape {
		if isConst(d, 1) {
			// The indices are an operand.
			res[i] = axis{{birth: layer, size: d}}
		}
	}
	return res
}

// convStep: the batch stays, channels are born; spatial axes stay where their size does.
func convStep(l *linter, _ *graph.Node, in, out *graph.Value) []axis {
	if in == nil || in.Type.Rank() != out.Type.Rank() {
		return nil
	}
	res := l.sameSizes(l.of(in), in, out, made)
	res[0] = l.of(in)[0]
	if len(res) > 1 {
		res[1] = axis{{birth: layer, size: out.Type.Shape[1]}}
	}
	return res
}

// matmulStep: rows of the first, columns of the second; axes before them are broadcast.
func matmulStep(l *linter, n *graph.Node, _, out *graph.Value) []axis {
	if len(n.Args) < 2 {
		return nil
	}
	x, y := tensorOf(n.Args[0].Value), tensorOf(n.Args[1].Value)
	if x == nil || y == nil || x.Type.Rank() < 2 || y.Type.Rank() < 2 {
		return nil
	}
	a, b := l.of(x), l.of(y)
	rank := out.Type.Rank()
	if rank != max(len(a), len(b)) {
		return nil
	}
	// Axes of the batch come from the operand that has their size.
	res := l.freshAll(out, made)
	for i := range rank - 2 {
		for _, v := range [...]*graph.Value{x, y} {
			j := i - rank + v.Type.Rank()
			if j >= 0 && v.Type.Shape[j].Expr == out.Type.Shape[i].Expr && l.of(v)[j].rank() >= res[i].rank() {
				res[i] = l.of(v)[j]
			}
		}
	}
	res[rank-2], res[rank-1] = a[len(a)-2], b[len(b)-1]
	return res
}

// einsumStep follows the letters of an equation without an ellipsis.
func einsumStep(l *linter, n *graph.Node, _, out *graph.Value) []axis {
	eq, operands := equation(n)
	left, right, ok := strings.Cut(eq, "->")
	terms := strings.Split(left, ",")
	if !ok || strings.Contains(eq, ".") || len(terms) != len(operands) || len(right) != out.Type.Rank() {
		return nil
	}
	letters := map[rune]axis{}
	for i, t := range terms {
		a := l.of(operands[i])
		if len(a) != len(t) {
			// A letter for several axes of one operand has the provenance of any of them; the one
			// that says more is kept.
			return nil
		}
		for j, c := range t {
			if old := letters[c]; old == nil || a[j].rank() > old.rank() {
				letters[c] = a[j]
			}
		}
	}
	var res []axis
	for _, c := range right {
		res = append(res, letters[c])
	}
	return res
}

// equation returns the text of an einsum without spaces, and its tensors.
func equation(n *graph.Node) (string, []*graph.Value) {
	eq := ""
	var operands []*graph.Value
	var visit func(o graph.Operand)
	visit = func(o graph.Operand) {
		switch o := o.(type) {
		case graph.Str:
			eq = strings.ReplaceAll(string(o), " ", "")
		case *graph.Value:
			operands = append(operands, o)
		case graph.Tuple:
			for _, e := range o {
				visit(e)
			}
		case graph.List:
			for _, e := range o {
				visit(e)
			}
		}
	}
	for _, a := range n.Args {
		visit(a.Value)
	}
	return eq, operands
}

// elements returns the tensors of a list argument.
func elements(n *graph.Node) []*graph.Value {
	var out []*graph.Value
	if len(n.Args) > 0 {
		graph.Operands(n.Args[0].Value, func(v *graph.Value) { out = append(out, v) })
	}
	return out
}

// catStep: the axis along which they are joined is a new one.
func catStep(l *linter, n *graph.Node, _, out *graph.Value) []axis {
	list := elements(n)
	dim, ok := axisArg(n, "dim", out.Type.Rank())
	if !ok || len(list) == 0 {
		return nil
	}
	res := l.freshAll(out, joined)
	for _, v := range list {
		if v.Type.Rank() != len(res) {
			continue
		}
		for i, a := range l.of(v) {
			if i != dim && v.Type.Shape[i].Expr == out.Type.Shape[i].Expr && a.rank() >= res[i].rank() {
				res[i] = a
			}
		}
	}
	b := made // features of the same number put together, as of an edge's two ends
	if dim != out.Type.Rank()-1 || dim < 2 {
		b = joined
	}
	first := list[0].Type.Shape
	for _, v := range list {
		s := v.Type.Shape
		if len(s) != dim+1 || len(first) != dim+1 || isConst(s[dim], 1) || !l.equal(s[dim].Expr, first[dim].Expr) {
			b = joined
		}
	}
	res[dim] = axis{{birth: b, size: out.Type.Shape[dim]}}
	return res
}

// stackStep: the axes of the first tensor, with a new one.
func stackStep(l *linter, n *graph.Node, _, out *graph.Value) []axis {
	list := elements(n)
	dim, ok := axisArg(n, "dim", out.Type.Rank())
	if !ok || len(list) == 0 || list[0].Type.Rank()+1 != out.Type.Rank() {
		return nil
	}
	a := l.of(list[0])
	// All tensors have these axes.
	res := append([]axis(nil), a[:dim]...)
	res = append(res, l.fresh(out.Type.Shape[dim], made))
	return append(res, a[dim:]...)
}

func transposeStep(l *linter, n *graph.Node, in, _ *graph.Value) []axis { return l.reordered(n, in) }

func permuteStep(l *linter, n *graph.Node, in, _ *graph.Value) []axis { return l.reordered(n, in) }

// reordered gives the axes of an operand in the order of the node.
func (l *linter) reordered(n *graph.Node, in *graph.Value) []axis {
	if in == nil {
		return nil
	}
	var res []axis
	for _, i := range orderOf(n, in.Type.Rank()) {
		res = append(res, l.of(in)[i])
	}
	return res
}

// orderOf says which axis of the operand each axis of the result of a transpose or permute
// is; nil where that is not known.
func orderOf(n *graph.Node, rank int) []int {
	order := make([]int, rank)
	// The two axes have different names in different functions.
	if n.Form == graph.Transpose {
		for i := range order {
			order[i] = i
		}
		for _, names := range [...][2]string{{"dim0", "dim1"}, {"axis0", "axis1"}} {
			i, ok1 := axisArg(n, names[0], rank)
			j, ok2 := axisArg(n, names[1], rank)
			if ok1 && ok2 {
				order[i], order[j] = j, i
				return order
			}
		}
		return nil
	}
	dims, ok := arg(n, "dims").(graph.Tuple)
	if !ok {
		list, _ := arg(n, "dims").(graph.List)
		dims = graph.Tuple(list)
	}
	if len(dims) != rank {
		return nil
	}
	for i, d := range dims {
		j, ok := intOf(d)
		if j < 0 {
			j += rank
		}
		if !ok || j < 0 || j >= rank {
			return nil
		}
		order[i] = j
	}
	return order
}

// reverseStep is x.T and x.t(). The property stands for mT, too, which is the same
// for matrices.
func reverseStep(l *linter, n *graph.Node, in, out *graph.Value) []axis {
	if in == nil || in.Type.Rank() > 2 {
		return l.bySymbol(n, out)
	}
	res := append([]axis(nil), l.of(in)...)
	for i, j := 0, len(res)-1; i < j; i, j = i+1, j-1 {
		res[i], res[j] = res[j], res[i]
	}
	return res
}

// resizedStep: what changes its size is joined with something, or cut.
func resizedStep(l *linter, _ *graph.Node, in, out *graph.Value) []axis {
	if in == nil || in.Type.Rank() != out.Type.Rank() {
		return nil
	}
	return l.sameSizes(l.of(in), in, out, joined)
}

// getitemStep: integers drop their axes, None makes one; slices keep theirs or cut them.
func getitemStep(l *linter, n *graph.Node, in, out *graph.Value) []axis {
	if in == nil {
		return nil
	}
	key, ok := arg(n, "key").(graph.Tuple)
	if !ok {
		key = graph.Tuple{arg(n, "key")}
	}
	a, shape := l.of(in), in.Type.Shape
	named := 0 // axes that the key speaks of
	for _, k := range key {
		switch k.(type) {
		case nil, graph.Ellipsis:
		default:
			named++
		}
	}
	var res []axis
	next := 0
	// A slice that keeps the size keeps the axis.
	keep := func() {
		if next >= len(shape) || len(res) >= len(out.Type.Shape) {
			return
		}
		if d := out.Type.Shape[len(res)]; d.Expr != nil && d.Expr == shape[next].Expr {
			res = append(res, a[next])
		} else {
			res = append(res, l.fresh(d, joined))
		}
		next++
	}
	for _, k := range key {
		// Each item of the key is an axis of the operand, but None, which is one of the result, and
		// the ellipsis.
		switch k := k.(type) {
		case nil:
			if len(res) < len(out.Type.Shape) {
				res = append(res, axis{{birth: made, size: out.Type.Shape[len(res)]}})
			}
		case graph.Ellipsis:
			for i := len(shape) - named; i > 0; i-- {
				keep()
			}
		case graph.Slice:
			keep()
		default:
			// Masks and index arrays are not followed here.
			if _, ok := intOf(k); !ok {
				return nil
			}
			next++
		}
	}
	for next < len(shape) && len(res) < len(out.Type.Shape) {
		keep()
	}
	return res
}

package lint

// This file holds the rule of indices that are drawn: SC413.

import (
	"fmt"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// drawnIndices is SC413: randint draws numbers of which the table, the axis or the
// classes have fewer. Nothing but views, batches of loaders and uses that only read the
// numbers are made of the draw: what computes, masks or writes, through any view, may
// keep them in range.
func drawnIndices(l *linter, n *graph.Node) {
	index, table := tensorArg(n, "index"), subject(n)
	var axis int
	what := "size of the axis"
	switch n.Form {
	case graph.Embedding:
		index, table = tensorArg(n, "input"), tensorArg(n, "weight")
		what = "rows of the table"
	case graph.CrossEntropy, graph.NLL:
		index = tensorArg(n, "target")
		if table == nil || index == nil || table.Type.Rank() != index.Type.Rank()+1 {
			return // probabilities
		}
		axis = min(1, table.Type.Rank()-1)
		what = "classes of the input"
	case graph.OneHot:
		index, table = table, result(n)
		if table == nil || table.Type.Rank() < 1 {
			return
		}
		axis = table.Type.Rank() - 1
		what = "classes of the result"
	case graph.Gather:
		if table == nil {
			return
		}
		dim, ok := axisArg(n, "dim", table.Type.Rank())
		if !ok {
			return
		}
		axis = dim
	}
	if index == nil || table == nil || axis >= table.Type.Rank() {
		return
	}
	for index.Def != nil && (onlyViews(index.Def) || picks(index.Def) || converts(index.Def) || l.collates(index.Def)) {
		if index = subject(index.Def); index == nil {
			return
		}
	}
	if n.Form == graph.CrossEntropy || n.Form == graph.NLL {
		l.filledClass(n, index, table, axis)
	}
	if index.Def == nil || !index.Def.Is.Has(graph.Drawn) || !l.onlyIndexes(index) {
		return
	}
	high, known := intArg(index.Def, "high")
	size, ok := table.Type.Shape[axis].Const()
	if !known || !ok || high <= int(size) {
		return
	}
	if ignored, ok := intArg(n, "ignore_index"); (n.Form == graph.CrossEntropy || n.Form == graph.NLL) && ok && ignored >= int(size) {
		return
	}
	d := l.report(diag.DrawnIndices, n, fmt.Sprintf("the indices are drawn from the numbers below %d, and the %s are %d", high, what, size))
	shows(d, index.Def.At, fmt.Sprintf("numbers up to %d are drawn here", high-1))
	if b := ops.Births(table, axis); len(b) > 0 {
		shows(d, b[0].At, b[0].Msg)
	}
}

// filledClass is SC413 for targets that are filled with one class, as that of the background,
// and of which fewer elements are written then than there are: the class is one too many.
func (l *linter) filledClass(n *graph.Node, target, scores *graph.Value, axis int) {
	for target.Def != nil && target.Def.Form == graph.SetItem {
		in, key := subject(target.Def), tensorArg(target.Def, "key")
		if in == nil || key == nil || in.Type.Rank() != 1 || key.Type.Rank() != 1 || key.Type.DType == dtype.Bool {
			return
		}
		all, known := in.Type.Shape[0].Const()
		written, also := key.Type.Shape[0].Const()
		if !known || !also || written >= all {
			return
		}
		target = in
	}
	if target.Def == nil {
		return
	}
	class, filled := intArg(target.Def, "fill_value")
	size, ok := scores.Type.Shape[axis].Const()
	ignored, ignores := intArg(n, "ignore_index")
	if !filled || !ok || class < int(size) || ignores && class == ignored {
		return
	}
	d := l.report(diag.DrawnIndices, n, fmt.Sprintf("elements of the target are %d, and the classes of the input are %d", class, size))
	shows(d, target.Def.At, fmt.Sprintf("all are %d here", class))
	for _, b := range ops.Births(scores, axis) {
		shows(d, b.At, b.Msg)
	}
}

// onlyViews reports whether n is a view that no tensor chooses the elements of.
func onlyViews(n *graph.Node) bool {
	if !n.Is.Has(graph.View) || len(n.Args) == 0 {
		return false
	}
	tensors := false
	for _, a := range n.Args[1:] {
		graph.Operands(a.Value, func(v *graph.Value) { tensors = tensors || v.Kind == graph.TensorKind })
	}
	return !tensors
}

// picks reports whether n takes elements of its operand by number.
func picks(n *graph.Node) bool {
	numbers := n.Form == graph.GetItem
	for _, a := range n.Args[min(1, len(n.Args)):] {
		graph.Operands(a.Value, func(v *graph.Value) { numbers = numbers && v.Type.DType == dtype.I64 })
	}
	return numbers
}

// converts reports whether n gives the integers of its operand in another type or place.
func converts(n *graph.Node) bool {
	in, out := subject(n), result(n)
	return in != nil && out != nil && n.Is.Has(graph.MaybeSelf) && (out.Type.DType == dtype.I64 || out.Type.DType == dtype.I32)
}

// collates reports whether n makes a batch of a loader out of one of its samples.
func (l *linter) collates(n *graph.Node) bool {
	return n.Is.Has(graph.Uninitialised) && slices.ContainsFunc(n.Outputs, func(v *graph.Value) bool { return l.ofLoader[v] })
}

// onlyIndexes reports whether v, and each view of it, is only read as indices, or compared
// with other tensors.
func (l *linter) onlyIndexes(v *graph.Value) bool {
	only := true
	l.consumers(v, func(n *graph.Node) {
		switch {
		case n.Form == graph.Embedding || n.Form == graph.CrossEntropy || n.Form == graph.NLL || n.Form == graph.Gather || n.Form == graph.OneHot:
		case n.Form == graph.Comparison:
			for _, a := range n.Args {
				only = only && tensorOf(a.Value) != nil
			}
		case subject(n) == v && picks(n) || onlyViews(n) || converts(n) || l.collates(n) || n.Form == graph.Stack:
			for _, out := range n.Outputs {
				only = only && l.onlyIndexes(out)
			}
		case n.Op == graph.If:
			for _, r := range n.Regions {
				for i, o := range r.Results {
					only = only && (o != graph.Operand(v) || i < len(n.Outputs) && l.onlyIndexes(n.Outputs[i]))
				}
			}
		case n.Op == graph.Loop:
			init, _ := arg(n, "init").(graph.List)
			for i, o := range init {
				if o != graph.Operand(v) {
					continue
				}
				for _, r := range n.Regions {
					only = only && i+1 < len(r.Params) && l.onlyIndexes(r.Params[i+1])
				}
				only = only && i < len(n.Outputs) && l.onlyIndexes(n.Outputs[i])
			}
		default:
			only = false
		}
	})
	return only
}

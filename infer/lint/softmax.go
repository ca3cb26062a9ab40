package lint

// This file holds the rules of what works along one axis: SC405, SC406, SC409, SC410 and
// SC415. Rules get a linter, which knows of each axis where it came from (l.of: the birth of an
// axis, as an argument's or a layer's), and one node. They report where the program is likely to be
// wrong although its shapes fit; so each is silent where the use may be meant.

import (
	"fmt"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// acrossBatch is SC405: what a sample gives depends on the others in its batch.
// It is meant where another axis holds the batch, too, or comes from the front of
// another argument (similarities of all pairs),
// where the axis is contracted later (attention over samples), and where a sample
// has one number (the best of several candidates). It is for softmax and normalize.
func acrossBatch(l *linter, n *graph.Node) {
	in, out := subject(n), result(n)
	if in == nil || out == nil || in.Type.Rank() < 2 {
		return
	}
	dim, ok := axisArg(n, "dim", in.Type.Rank())
	a := l.of(in)
	// samples are rows of a data set rather than of a batch.
	samples := ok && dim == 0 && n.Form == graph.Softmax && l.becomesSamples(out)
	// The axis must be a batch by name or by use.
	if !ok || !l.hasBatch(a[dim]) && !l.scores(a, dim, out) && !samples {
		return
	}
	several := false
	for i, x := range a {
		// The first axis of another argument is a batch of its own: similarities between two
		// batches.
		if o := x.single(); i != dim && (l.hasBatch(x) || o != nil && o.birth == argument && o.index == 0) {
			return
		}
		// A sample with one number only has nothing else to normalise over.
		several = several || i != dim && !isConst(in.Type.Shape[i], 1)
	}
	if !several || !samples && l.contracted(out) {
		return
	}
	what := "makes the samples of a batch sum up to 1"
	if n.Form == graph.Normalize {
		what = "gives the samples of a batch one length together"
	}
	if samples {
		l.report(diag.AcrossBatch, n, fmt.Sprintf("%s over dimension %d of %s, the samples of a data set, makes all samples sum up to 1",
			short(n), dim, in.Type.Shape),
			"what one sample is depends on the others; give the dimension of the features")
		return
	}
	d := l.report(diag.AcrossBatch, n, fmt.Sprintf("%s over dimension %d of %s, the batch, %s", short(n), dim, in.Type.Shape, what),
		"the result for one sample depends on the others; give the dimension of the classes or features")
	d.Fact.Shown = l.isLayered(a[dim])
}

// onlyScore is SC415: the softmax of the only output of a layer is 1, whatever that is. Only layers
// whose output size of 1 is visible are reported: linear and convolutions.
func onlyScore(l *linter, n *graph.Node) {
	in := subject(n)
	if in == nil || n.Form != graph.Softmax {
		return
	}
	dim, ok := axisArg(n, "dim", in.Type.Rank())
	if !ok || !isConst(in.Type.Shape[dim], 1) || in.Def == nil {
		return
	}
	weight := tensorArg(in.Def, "weight")
	switch {
	case in.Def.Form == graph.Linear && dim == in.Type.Rank()-1, in.Def.Form == graph.Conv && dim == in.Type.Rank()-1-int(in.Def.Spatial):
	default:
		return
	}
	d := l.report(diag.OnlyScore, n, fmt.Sprintf("%s over dimension %d of %s, the only output of the layer, gives 1 everywhere", short(n),
		dim, in.Type.Shape),
		"give the dimension of what is compared, or use sigmoid() for one score")
	// The weight's place shows which layer it is.
	if weight != nil {
		shows(d, weight.At, fmt.Sprintf("the layer: weight %s", &weight.Type))
	}
}

// scores reports whether the entry does nothing else: its only result is what a
// layer made of the rows of its only argument, a matrix, normalised over the rows.
// They are samples, whatever they are called. Then the only axes are rows and outputs.
func (l *linter) scores(a []axis, dim int, out *graph.Value) bool {
	if dim != 0 || len(a) != 2 || a[0].single() == nil || a[1].single() == nil || len(l.Outputs) != 1 || l.Outputs[0] != out {
		return false
	}
	row, column := a[0][0], a[1][0]
	if row.birth != argument || row.index != 0 || row.within || len(row.arg.Type.Shape) != 2 || column.birth != layer {
		return false
	}
	for _, v := range l.Graph.Inputs {
		if v != row.arg && !v.Param {
			return false
		}
	}
	return true
}

// contracted reports whether the batch in v is summed up by a product or a sum
// over it alone, somewhere after v. Consumers are followed through floating results, as counting
// predictions over a batch is no contraction of it.
func (l *linter) contracted(v *graph.Value) bool {
	seen := map[*graph.Value]bool{}
	var visit func(v *graph.Value) bool
	visit = func(v *graph.Value) bool {
		if seen[v] {
			return false
		}
		seen[v] = true
		found := false
		l.consumers(v, func(n *graph.Node) {
			if found || n.Is.Has(graph.Loss) {
				return
			}
			if l.contracts(n, v) {
				found = true
				return
			}
			// A loss reduces the batch by intention.
			for _, out := range n.Outputs {
				if d := out.Type.DType; d.IsFloat() || d.IsComplex() || d == dtype.Unknown { // predictions are counted
					found = found || visit(out)
				}
			}
		})
		return found
	}
	return visit(v)
}

// contracts reports whether n takes the batch out of v, and not all axes at once. A product such as
// attention over samples gives a result without the batch.
func (l *linter) contracts(n *graph.Node, v *graph.Value) bool {
	holds := func(list []axis) bool {
		for _, a := range list {
			if l.hasBatch(a) {
				return true
			}
		}
		return false
	}
	if !holds(l.of(v)) {
		return false
	}
	// A full reduction takes all axes.
	for _, out := range n.Outputs {
		if out.Type.Rank() == 0 && v.Type.Rank() > 1 || !out.Type.Ranked || holds(l.of(out)) {
			return false
		}
	}
	switch n.Form {
	case graph.Arithmetic, graph.Concat, graph.Stack, graph.Cell, graph.Recurrent:
		return false // the batch is there under the name of another argument's
	}
	return len(n.Outputs) > 0 && n.Op != graph.If
}

// implicitDim is SC406: softmax without dim. The rule for the axis is PyTorch's _get_softmax_dim.
func implicitDim(l *linter, n *graph.Node) {
	in := subject(n)
	if in == nil || arg(n, "dim") != nil {
		return
	}
	dim := 1
	if r := in.Type.Rank(); r == 0 || r == 1 || r == 3 {
		dim = 0
	}
	l.report(diag.ImplicitDim, n, fmt.Sprintf("%s without dim works on dimension %d of %s", short(n), dim, in.Type.Shape),
		"PyTorch chooses by the number of dimensions (0 for 0, 1 and 3, else 1), and warns; write dim")
}

// squeezeBatch is SC407: squeeze() also drops a batch of one sample. A batch whose size is a number
// is not reported, since it is never 1 by chance.
func squeezeBatch(l *linter, n *graph.Node) {
	in, out := subject(n), result(n)
	if in == nil || out == nil || arg(n, "dim") != nil {
		return
	}
	ones := []int{}
	batch := -1
	for i, a := range l.of(in) {
		switch d := in.Type.Shape[i]; {
		case isConst(d, 1):
			ones = append(ones, i)
		// A size that the program compares with 1 is handled by it.
		case l.isBatch(a) && !l.tested(a[0]):
			if _, number := d.Const(); !number {
				batch = i
			}
		}
	}
	if batch < 0 || len(ones) == 0 {
		return
	}
	dims := fmt.Sprint(ones[0])
	if len(ones) > 1 {
		dims = strings.ReplaceAll(strings.Trim(fmt.Sprint(ones), "[]"), " ", ", ")
		dims = "(" + dims + ")"
	}
	l.report(diag.SqueezeBatch, n, fmt.Sprintf("squeeze() of %s also drops the batch %s when it has one sample", in.Type.Shape,
		in.Type.Shape[batch].Compact()),
		"name the dimensions to drop: squeeze("+dims+")")
}

// sequenceIsBatch is SC409: a layer that was made without batch_first=True takes
// the batch for time. The input has three axes: [time, batch, features] for such a layer.
func sequenceIsBatch(l *linter, n *graph.Node) {
	in := subject(n)
	if in == nil || in.Type.Rank() != 3 || isConst(in.Type.Shape[1], 1) {
		return
	}
	// batch_first is the layer's own argument.
	if first, ok := arg(n, "batch_first").(graph.Bool); ok && bool(first) {
		return
	}
	a := l.of(in)
	if l.hasBatch(a[1]) || !l.isBatch(a[0]) && !l.readAsBatch(a[0], a[1]) {
		return
	}
	d := l.report(diag.SequenceIsBatch, n,
		fmt.Sprintf("the layer takes dimension 0 of %s as time, but it is the batch: samples follow one another",
			in.Type.Shape), "make it with batch_first=True, or transpose(0, 1) the input")
	d.Fact.Shown = l.isLayered(a[0])
	// The first parameter of the layer shows where it was made.
	for _, a := range n.Args {
		graph.Operands(a.Value, func(w *graph.Value) {
			if w.Param && len(d.Related) == 0 {
				shows(d, w.At, "the layer")
			}
		})
	}
}

// readAsBatch reports whether the program takes the first or the last place of axis
// second for all of axis first, as in out[:, -1]: it reads first as the batch, and
// the second one as time. It looks at the program's own indexing, not at the library's (n.Lib).
func (l *linter) readAsBatch(first, second axis) bool {
	if o := first.single(); o == nil || o.birth != argument || o.index != 0 || second.single() == nil {
		return false
	}
	for _, n := range l.nodes {
		in := subject(n)
		key, _ := arg(n, "key").(graph.Tuple)
		if n.Form != graph.GetItem || n.Lib || in == nil || in.Type.Rank() != 3 || len(key) < 2 {
			continue
		}
		// key is [:, i, …] with i the first or last.
		s, slice := key[0].(graph.Slice)
		i, number := intOf(key[1])
		if !slice || s.Start != nil || s.Stop != nil || s.Step != nil || !number || i != 0 && i != -1 {
			continue
		}
		if a := l.of(in); sameAxis(a[0], first) && sameAxis(a[1], second) {
			return true
		}
	}
	return false
}

// rowsForSamples is SC409 for tables of positions: pe[:x.size(0)] of a table whose
// rows are positions meets a tensor that has the batch in front. It is the positional encoding of
// PyTorch's tutorial, which expects [time, batch, features].
func rowsForSamples(l *linter, n *graph.Node) {
	if len(n.Args) < 2 {
		return
	}
	x, rows := tensorOf(n.Args[0].Value), tensorOf(n.Args[1].Value)
	// Either operand of the sum may be the table.
	if x != nil && x.Def != nil && x.Def.Form == graph.GetItem {
		x, rows = rows, x
	}
	if x == nil || rows == nil || x.Type.Rank() < 3 || rows.Type.Rank() != x.Type.Rank() || rows.Def == nil || rows.Def.Form != graph.GetItem {
		return
	}
	table := subject(rows.Def)
	if table == nil || len(table.Type.Shape) != len(rows.Type.Shape) || !l.isBatch(l.of(x)[0]) || isConst(x.Type.Shape[1], 1) {
		return
	}
	_, number := table.Type.Shape[0].Const()
	batch := x.Type.Shape[0]
	// The table's first axis is a number, and the slice of it has the size of the batch.
	if o := l.of(table)[0].single(); !number || isConst(batch, 1) || o == nil || o.birth == argument ||
		!l.equal(rows.Type.Shape[0].Expr, batch.Expr) ||
		!isConst(rows.Type.Shape[1], 1) || l.equal(table.Type.Shape[0].Expr, batch.Expr) {
		return
	}
	l.report(diag.SequenceIsBatch, n,
		fmt.Sprintf("each sample of the batch %s gets another row of the table %s: its rows are taken for dimension 0 of %s, which is the batch",
			batch.Compact(), table.Type.Shape, x.Type.Shape),
		"slice by the size of dimension 1, and give the table its rows there: pe[:x.size(1)].transpose(0, 1)")
}

// probabilityLoss is SC410: a loss gets what it does not expect from a softmax. Functions that only
// view or copy elements are looked through.
func probabilityLoss(l *linter, n *graph.Node) {
	in := subject(n)
	for in != nil && in.Def != nil && in.Def.Is.Has(graph.KeepsElements|graph.View) {
		in = subject(in.Def)
	}
	if in == nil || in.Def == nil {
		return
	}
	// Sigmoid or softmax before logits.
	if n.Form == graph.LogitEntropy {
		if in.Def.Is.Has(graph.Probability) || in.Def.Form == graph.Softmax {
			d := l.report(diag.ProbabilityLoss, n,
				"binary_cross_entropy_with_logits() of the result of "+short(in.Def)+"(): it applies sigmoid itself",
				"give it the scores before "+short(in.Def)+"(), or use binary_cross_entropy()")
			shows(d, in.Def.At, short(in.Def)+"() is here")
		}
		return
	}
	if in.Def.Form != graph.Softmax {
		return
	}
	var d *diag.Diagnostic
	switch n.Form {
	case graph.CrossEntropy:
		d = l.report(diag.ProbabilityLoss, n, "cross_entropy() of the result of softmax(): it applies log_softmax itself",
			"give it the scores before softmax()")
	case graph.NLL:
		d = l.report(diag.ProbabilityLoss, n, "nll_loss() of the result of softmax(): it expects logarithms",
			"use log_softmax() before it, or cross_entropy() without softmax()")
	default:
		return
	}
	shows(d, in.Def.At, "softmax() is here")
}

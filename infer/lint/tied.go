package lint

// This file holds the rules that read the conditions of the run: SC411, and SC408
// where the number is not written in a reshape.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// A Need is a condition on the sizes that an operation of the program needs.
type Need struct {
	Cond *symshape.Cond
	At   source.Span
}

// tiedBatch finds operations that need the batch to be a certain number, or as
// large as another axis of the same argument: B == 32, B == T. What the program
// itself demands, by an assert or a guard that raises, is no such need.
func (l *linter) tiedBatch() {
	var known symshape.Facts
	for _, c := range l.Assumed {
		if f, ok := known.Assume(c); ok {
			known = f
		}
	}
	seen := map[source.Span]*diag.Diagnostic{}
	fixed := map[*origin]Need{} // sizes that must be a number
	for _, n := range l.Needs {
		for _, c := range known.Solve(n.Cond).Conjuncts() {
			sym, to := c.Definition()
			if number, ok := to.Const(); ok && sym != nil && number > 1 && l.symbols[sym] != nil {
				fixed[l.symbols[sym]] = n
			}
			if seen[n.At] != nil {
				continue
			}
			var d *diag.Diagnostic
			if sym != nil {
				d = cmp.Or(l.tied(n, sym, to), l.meetsItself(n, sym, to))
			}
			if d == nil {
				d = l.tiedProduct(n, c)
			}
			if d != nil {
				seen[n.At] = d
				l.Report(d)
			}
		}
	}
	l.tiedSequence(fixed, seen)
}

// tiedSequence finds a recurrent layer that gets an argument of which both axes in front must be certain numbers: one of them is the
// batch, whichever it is.
func (l *linter) tiedSequence(fixed map[*origin]Need, seen map[source.Span]*diag.Diagnostic) {
	for _, node := range l.nodes {
		in := subject(node)
		if node.Form != graph.Recurrent || in == nil || in.Type.Rank() != 3 {
			continue
		}
		var given *graph.Value // the argument of which the layer gets a sequence
		for _, axis := range l.of(in)[:2] {
			if o := axis.single(); o != nil && o.birth == argument && o.arg.Type.Rank() == 3 {
				given = o.arg
			}
		}
		if given == nil {
			continue
		}
		a, b := l.symbols[given.Type.Shape[0].Expr], l.symbols[given.Type.Shape[1].Expr]
		if a == nil || b == nil || a == b || a.within || b.within {
			continue
		}
		first, ok := fixed[a]
		second, both := fixed[b]
		if !ok || !both {
			continue
		}
		said := cmp.Or(seen[first.At], seen[second.At])
		if said != nil && said.Fact.Kind == diag.TiesBatch {
			said.Fact.Shown = true
			shows(said, node.At, "the sequence is taken here")
			continue
		}
		at := second.At
		if first.At.Start > at.Start {
			at = first.At
		}
		d := diag.New(diag.FixedBatch, at, fmt.Sprintf("both %s and %s must be certain numbers here, and one of them is the batch",
			a.size.Compact(), b.size.Compact()))
		d.Fact = diag.Fact{Kind: diag.TiesBatch, Shown: true}
		d.Notes = []string{"a layer without batch_first takes time first; if it is meant, say so with an assert"}
		shows(d, node.At, "the sequence is taken here")
		seen[at] = d
		l.Report(d)
	}
}

// tied judges one equation.
func (l *linter) tied(n Need, sym, to *symshape.Expr) *diag.Diagnostic {
	a := l.symbols[sym]
	if number, ok := to.Const(); ok {
		if !namedBatch(a) {
			return nil
		}
		d := diag.New(diag.FixedBatch, n.At, fmt.Sprintf("this works for batches of %d only: the batch %s meets a size that is always %d",
			number, sym, number))
		d.Fact = diag.Fact{Kind: diag.TiesBatch, Shown: l.shown[a]}
		if at := l.numberInFront(a); at != nil {
			d.Fact.Shown = true
			shows(d, at.At, fmt.Sprintf("a number of rows is in front of the batch here: %s", result(at).Type.Shape))
		}
		d.Notes = []string{"take the size from the tensor: x.shape[0]; where the batch should not be here, an axis is missing or two are swapped"}
		return d
	}
	b := l.symbols[to]
	if a == nil || b == nil || a == b || namedBatch(a) == namedBatch(b) || !l.together(sym, to) {
		return nil
	}
	if namedBatch(b) {
		a, b = b, a
	}
	d := diag.New(diag.Coincidence, n.At,
		fmt.Sprintf("this works only where the batch %s is as large as %s, another axis of the same argument", a.size.Compact(),
			b.size.Compact()))
	d.Fact = diag.Fact{Kind: diag.TiesBatch, Shown: l.shown[a]}
	d.Notes = []string{"two axes are swapped here, or an axis of size 1 is missing; if it is meant, say so with an assert"}
	return d
}

// numberInFront finds a reshape that puts a number of rows in front of the batch, which was the first axis, though the elements keep their
// order: whatever the number is, its rows have parts of several samples.
func (l *linter) numberInFront(batch *origin) *graph.Node {
	for _, n := range l.nodes {
		in, out := subject(n), result(n)
		if n.Form != graph.Reshape || n.Lib || in == nil || out == nil || in.Type.Rank() < 2 || out.Type.Rank() < 2 ||
			l.of(in)[0].single() != batch {
			continue
		}
		if rows, ok := out.Type.Shape[0].Const(); ok && rows > 1 && slices.ContainsFunc(out.Type.Shape[1:], func(d symshape.Dim) bool {
			return d.Expr == batch.size.Expr
		}) {
			return n
		}
	}
	return nil
}

// maxTiedSize is up to which size an equation is tried: more than those of the small axes of programs, heads and groups.
const maxTiedSize = 24

// tiedProduct judges an equation of more than two sizes, or of products: B*T == 6. It speaks where the batch is shown to be one, by a batch
// norm also if no result has it, all sizes are of one argument, and whatever the others are one batch fits at most.
func (l *linter) tiedProduct(n Need, c *symshape.Cond) *diag.Diagnostic {
	symbols := c.Symbols()
	if !c.IsEquation() || len(symbols) < 2 || len(symbols) > 3 {
		return nil
	}
	batch := slices.IndexFunc(symbols, func(s *symshape.Expr) bool { return l.shown[l.symbols[s]] || l.normed[l.symbols[s]] })
	if batch < 0 || slices.ContainsFunc(symbols, func(s *symshape.Expr) bool { return l.symbols[s] == nil || !l.together(s, symbols[batch]) }) {
		return nil
	}
	b := symbols[batch]
	others := slices.Delete(slices.Clone(symbols), batch, batch+1)
	sizes := map[string]int64{}
	env := func(sym string) (int64, bool) { v, ok := sizes[sym]; return v, ok }
	found := false
	var free func(rest []*symshape.Expr) bool // reports whether several batches fit
	free = func(rest []*symshape.Expr) bool {
		if len(rest) > 0 {
			for v := int64(1); v <= maxTiedSize; v++ {
				if sizes[rest[0].String()] = v; free(rest[1:]) {
					return true
				}
			}
			return false
		}
		l.Spend(maxTiedSize)
		fits := 0
		for v := int64(1); v <= maxTiedSize; v++ {
			sizes[b.String()] = v
			if holds, err := c.Eval(env); err == nil && holds {
				fits++
			}
		}
		found = found || fits > 0
		return fits > 1
	}
	if free(others) || !found {
		return nil
	}
	d := diag.New(diag.FixedBatch, n.At, "", c)
	d.Msg = fmt.Sprintf("the batch %s is not free: this works only where %s", b, c)
	d.Fact = diag.Fact{Kind: diag.TiesBatch, Shown: true}
	d.Notes = []string{"an axis is missing here, or two are swapped; if it is meant, say so with an assert"}
	return d
}

// meetsItself is SC411 for a size of an argument that must be a number: one operand has the size on one axis and the number, which a layer
// made, on another, and the second operand has the size there.
func (l *linter) meetsItself(n Need, sym, to *symshape.Expr) *diag.Diagnostic {
	number, ok := to.Const()
	o := l.symbols[sym]
	if !ok || number < 2 || o == nil || o.within || l.demandsNumber(sym) {
		return nil
	}
	for _, node := range l.nodes {
		if node.At != n.At || node.Lib || slices.Contains(notAligned, node.Form) {
			continue
		}
		var operands []*graph.Value
		for _, a := range node.Args {
			if v := tensorOf(a.Value); v != nil {
				operands = append(operands, v)
			}
		}
		for _, x := range operands {
			for _, y := range operands {
				if i, j := l.confused(x, y, sym, number); i >= 0 {
					d := diag.New(diag.Coincidence, n.At, fmt.Sprintf(
						"this works only where %s is %d: dimension %d of %s meets %s, which is dimension %d of the same tensor", sym, number, i,
						x.Type.Shape, sym, j))
					d.Fact = diag.Fact{Kind: diag.MeetsItself}
					d.Notes = []string{"two axes are swapped here, or an axis of size 1 is missing; if it is meant, say so with an assert"}
					return d
				}
			}
		}
	}
	return nil
}

// notAligned are the forms of operations that do not take their operands axis by axis from the last one.
var notAligned = []graph.Form{graph.MatMul, graph.Einsum, graph.Linear, graph.Conv, graph.ConvTransp, graph.Gather, graph.GetItem}

// confused gives the axis of x that is a number, made by a layer, and meets a size of y, and the axis of x that has this size itself; -1:
// there is none, or other axes do not agree, either, as those of a square matrix and its transpose.
func (l *linter) confused(x, y *graph.Value, size *symshape.Expr, number int64) (i, j int) {
	if x == y {
		return -1, -1
	}
	own := slices.IndexFunc(x.Type.Shape, func(d symshape.Dim) bool { return d.Expr == size })
	if own < 0 {
		return -1, -1
	}
	for i, d := range x.Type.Shape {
		k := i - x.Type.Rank() + y.Type.Rank()
		if k < 0 || !isConst(d, number) || y.Type.Shape[k].Expr != size || !agreeBut(x.Type.Shape, y.Type.Shape, k) {
			continue
		}
		if o := l.of(x)[i].single(); o != nil && o.root().birth == layer {
			return i, own
		}
	}
	return -1, -1
}

// agreeBut reports whether two shapes can be broadcast as they are, but for axis k of the second one.
func agreeBut(a, b symshape.Shape, k int) bool {
	for i, d := range b {
		j := i - len(b) + len(a)
		if i != k && j >= 0 && a[j].Expr != d.Expr && !isConst(a[j], 1) && !isConst(d, 1) {
			return false
		}
	}
	return true
}

// demandsNumber reports whether the program itself says that a size is a number.
func (l *linter) demandsNumber(size *symshape.Expr) bool {
	for _, d := range l.Demanded {
		for _, c := range d.Conjuncts() {
			if sym, to := c.Definition(); sym != nil && sym == size {
				if _, ok := to.Const(); ok {
					return true
				}
			}
		}
	}
	return false
}

// namedBatch reports whether an origin is the first axis of an argument, or the
// second one of three, and called a batch by the user.
func namedBatch(o *origin) bool {
	if o == nil || o.birth != argument || o.within || o.index > 1 || o.index == 1 && len(o.arg.Type.Shape) < 3 {
		return false
	}
	return declared[strings.ToLower(o.size.Expr.String())]
}

// joinsOne is SC411 for cat: an axis of size 1 that was made beside it meets a size
// of the arguments. cat does not broadcast.
func joinsOne(l *linter, n *graph.Node) {
	out := result(n)
	if out == nil {
		return
	}
	dim, ok := axisArg(n, "dim", out.Type.Rank())
	if !ok {
		return
	}
	list := elements(n)
	for _, v := range list {
		for i, d := range v.Type.Shape {
			if i == dim || !isConst(d, 1) || len(v.Type.Shape) != out.Type.Rank() {
				continue
			}
			if o := l.of(v)[i].single(); o == nil || o.birth != made && o.birth != kept {
				continue
			}
			for _, w := range list {
				if len(w.Type.Shape) == out.Type.Rank() && l.symbols[w.Type.Shape[i].Expr] != nil {
					l.report(diag.Coincidence, n, fmt.Sprintf("%s of %s and %s works only where %s is 1: it does not broadcast", short(n), v.Type.Shape,
						w.Type.Shape,
						w.Type.Shape[i].Compact()), "repeat or expand the axis of size 1 before")
					return
				}
			}
		}
	}
}

// together reports whether both sizes stand in one argument.
func (l *linter) together(a, b *symshape.Expr) bool {
	for _, v := range l.Graph.Inputs {
		hasA, hasB := false, false
		for _, d := range v.Type.Shape {
			hasA = hasA || d.Expr == a
			hasB = hasB || d.Expr == b
		}
		if hasA && hasB {
			return true
		}
	}
	return false
}

// sameOrder is SC411 for products: both operands are [..., N, d], so that the
// product exists only where N is d. What is meant is the product with the second
// one transposed.
func sameOrder(l *linter, n *graph.Node) {
	if len(n.Args) < 2 {
		return
	}
	a, b := tensorOf(n.Args[0].Value), tensorOf(n.Args[1].Value)
	if a == nil || b == nil || a.Type.Rank() < 2 || a.Type.Rank() != b.Type.Rank() {
		return
	}
	s := a.Type.Shape
	for i, d := range s {
		if d.Expr == nil || b.Type.Shape[i].Expr != d.Expr {
			return
		}
	}
	rows, columns := s[len(s)-2], s[len(s)-1]
	_, number := columns.Const()
	o := l.of(a)[len(s)-2].single()
	if !l.neededAt(n.At, rows.Expr) || namedBatch(o) || rows.Expr == columns.Expr || !number || o == nil || o.birth != argument ||
		!sameAxis(l.of(a)[len(s)-2], l.of(b)[len(s)-2]) || l.demandsNumber(rows.Expr) {
		return
	}
	d := l.report(diag.Coincidence, n, fmt.Sprintf("%s of %s and %s works only where %s is %s", short(n), s, b.Type.Shape, rows.Compact(),
		columns.Compact()),
		"transpose(-2, -1) of the second operand is missing")
	if f := l.of(a)[len(s)-1].single(); f != nil && f.root().birth == layer {
		d.Fact.Kind = diag.MeetsItself
	}
}

// otherOrder is SC411 for losses: the rows of the input are the elements of two axes in one
// order, those of the target in the other.
func otherOrder(l *linter, n *graph.Node) {
	in, target := tensorArg(n, "input"), tensorArg(n, "target")
	if in == nil || target == nil || in.Type.Rank() == 0 || target.Type.Rank() == 0 {
		return
	}
	a, b := l.of(in)[0], l.of(target)[0]
	if len(a) != 2 || len(b) != 2 || a[0].size.Expr == nil || a[0].size.Expr == a[1].size.Expr {
		return
	}
	if a[0].size.Expr != b[1].size.Expr || a[1].size.Expr != b[0].size.Expr {
		return
	}
	if a[1] != b[0] && a[0] != b[1] { // one of them is the same axis of the same data
		return
	}
	d := l.report(diag.Coincidence, n, fmt.Sprintf("%s of rows in another order than their targets: (%s, %s) against (%s, %s)",
		short(n), a[0].size.Compact(), a[1].size.Compact(), b[0].size.Compact(), b[1].size.Compact()),
		"flatten both in the same order of axes")
	for _, v := range [...]*graph.Value{in, target} {
		shows(d, v.At, fmt.Sprintf("%s is made here", &v.Type))
	}
}

// neededAt reports whether it is at this place that a size must be a number.
func (l *linter) neededAt(at source.Span, size *symshape.Expr) bool {
	for _, n := range l.Needs {
		if n.At != at {
			continue
		}
		for _, c := range n.Cond.Conjuncts() {
			if sym, _ := c.Definition(); sym != nil && sym == size {
				return true
			}
		}
	}
	return false
}

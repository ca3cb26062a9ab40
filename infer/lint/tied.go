package lint

// This file holds the rules that read the conditions of the run: SC411, and SC408
// where the number is not written in a reshape.

import (
	"fmt"
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
	seen := map[source.Span]bool{}
	for _, n := range l.Needs {
		for _, c := range known.Solve(n.Cond).Conjuncts() {
			sym, to := c.Definition()
			if sym == nil || seen[n.At] {
				continue
			}
			if d := l.tied(n, sym, to); d != nil {
				seen[n.At] = true
				l.Report(d)
			}
		}
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
		d.Fact = diag.Fact{Kind: diag.TiesBatch}
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
	d.Fact = diag.Fact{Kind: diag.TiesBatch}
	d.Notes = []string{"two axes are swapped here, or an axis of size 1 is missing; if it is meant, say so with an assert"}
	return d
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
	l.report(diag.Coincidence, n, fmt.Sprintf("%s of %s and %s works only where %s is %s", short(n), s, b.Type.Shape, rows.Compact(),
		columns.Compact()),
		"transpose(-2, -1) of the second operand is missing")
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

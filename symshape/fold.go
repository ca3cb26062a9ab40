// This file folds expressions, numbers and conditions into another representation, such as code that computes them.

package symshape

// A Folder makes values of type T for integers, binary64 numbers and truth values from the forms they are built of.
// Integers follow Python: FloorDiv rounds down.
type Folder[T any] interface {
	Int(i int64) T
	Symbol(s *Expr) T
	Add(x, y T) T
	Mul(x, y T) T
	FloorDiv(x, y T) T
	Max(x, y T) T
	Min(x, y T) T
	// Round makes an integer of a binary64 number.
	Round(how Rounding, x T) T

	Float(f float64) T
	FromInt(i T) T
	// Unary takes OpNeg or OpSqrt; Binary the operations with two operands.
	Unary(op RealOp, x T) T
	Binary(op RealOp, x, y T) T

	Bool(b bool) T
	// Compare compares an integer with zero: op is "==", "!=" or ">=".
	Compare(op string, x T) T
	And(x, y T) T
	Or(x, y T) T
}

// FoldExpr folds e, which must not be nil.
func FoldExpr[T any](e *Expr, f Folder[T]) T {
	var sum T
	some := false
	add := func(x T) {
		if some {
			x = f.Add(sum, x)
		}
		sum, some = x, true
	}
	for _, t := range e.terms {
		var x T
		started := false
		mul := func(y T) {
			if started {
				y = f.Mul(x, y)
			}
			x, started = y, true
		}
		for _, fac := range t.mono.factors {
			a := foldAtom(fac.atom, f)
			for range fac.pow {
				mul(a)
			}
		}
		if t.coef != 1 {
			mul(f.Int(t.coef))
		}
		add(x)
	}
	if e.c != 0 || !some {
		add(f.Int(e.c))
	}
	return sum
}

// foldAtom folds an atom bottom up; an extremum of several operands is folded pair by pair.
func foldAtom[T any](a *atom, f Folder[T]) T {
	switch a.kind {
	case atomSymbol:
		return f.Symbol(a.self)
	case atomDiv:
		return f.FloorDiv(FoldExpr(a.args[0], f), FoldExpr(a.args[1], f))
	case atomMax, atomMin:
		best := FoldExpr(a.args[0], f)
		for _, arg := range a.args[1:] {
			if x := FoldExpr(arg, f); a.kind == atomMax {
				best = f.Max(best, x)
			} else {
				best = f.Min(best, x)
			}
		}
		return best
	}
	return f.Round(a.round, foldReal(a.real, f))
}

// FoldReal folds r, which must be known.
func FoldReal[T any](r Real, f Folder[T]) T { return foldReal(r.n, f) }

func foldReal[T any](n *realNode, f Folder[T]) T {
	switch n.op {
	case OpConst:
		return f.Float(n.f)
	case OpInt:
		return f.FromInt(FoldExpr(n.e, f))
	case OpNeg, OpSqrt:
		return f.Unary(n.op, foldReal(n.x, f))
	}
	return f.Binary(n.op, foldReal(n.x, f), foldReal(n.y, f))
}

// FoldCond folds c, which must not be nil.
func FoldCond[T any](c *Cond, f Folder[T]) T {
	switch c.kind {
	case condTrue, condFalse:
		return f.Bool(c.kind == condTrue)
	case condEQ:
		return f.Compare("==", FoldExpr(c.e, f))
	case condNE:
		return f.Compare("!=", FoldExpr(c.e, f))
	case condGE:
		return f.Compare(">=", FoldExpr(c.e, f))
	}
	x := FoldCond(c.args[0], f)
	for _, arg := range c.args[1:] {
		if y := FoldCond(arg, f); c.kind == condAnd {
			x = f.And(x, y)
		} else {
			x = f.Or(x, y)
		}
	}
	return x
}

// This file takes expressions apart.

package symshape

// A Builder makes something of the parts of expressions: an instruction sequence, a
// table of sizes, another form of text.
type Builder[T any] interface {
	Const(n int64) T
	Symbol(name string) T
	Add(a, b T) T
	Mul(a, b T) T
	FloorDiv(a, b T) T
	Max(a, b T) T
	Min(a, b T) T
	// Round makes an integer of a binary64 number.
	Round(how Rounding, steps []RealStep[T]) T
}

// A RealStep is a step of a binary64 number in postfix order: OpInt pushes the integer Of as
// a float, OpConst a literal, the others take their operands from the stack. OpDiv of two
// integers is IntQuotient.
type RealStep[T any] struct {
	Op    RealOp
	Of    T
	Const float64
}

// MaxRealSteps bounds the steps of a number that is built.
const MaxRealSteps = 256

// Build makes what b makes of an expression, in its canonical order. It reports false for
// the unknown integer and where a float takes more than MaxRealSteps.
func Build[T any](e *Expr, b Builder[T]) (out T, ok bool) {
	if e == nil {
		return out, false
	}
	have := false
	add := func(x T) {
		if have {
			x = b.Add(out, x)
		}
		out, have = x, true
	}
	for _, t := range e.terms {
		var x T
		first := true
		mul := func(y T) {
			if !first {
				y = b.Mul(x, y)
			}
			x, first = y, false
		}
		for _, f := range t.mono.factors {
			a, ok := buildAtom(f.atom, b)
			if !ok {
				return out, false
			}
			for range f.pow {
				mul(a)
			}
		}
		if t.coef != 1 || first {
			mul(b.Const(t.coef))
		}
		add(x)
	}
	if e.c != 0 || !have {
		add(b.Const(e.c))
	}
	return out, true
}

// buildAtom rebuilds an atom by a builder's functions; ok is false if the builder refuses a part.
func buildAtom[T any](a *atom, b Builder[T]) (out T, ok bool) {
	if a.kind == atomSymbol {
		return b.Symbol(a.name), true
	}
	if a.kind == atomReal {
		steps, ok := realSteps(a.real, b, nil)
		if !ok {
			return out, false
		}
		return b.Round(a.round, steps), true
	}
	for i, x := range a.args {
		y, ok := Build(x, b)
		if !ok {
			return out, false
		}
		switch {
		case i == 0:
			out = y
		case a.kind == atomDiv:
			out = b.FloorDiv(out, y)
		case a.kind == atomMax:
			out = b.Max(out, y)
		default:
			out = b.Min(out, y)
		}
	}
	return out, true
}

// realSteps appends the steps of a number.
func realSteps[T any](n *realNode, b Builder[T], steps []RealStep[T]) ([]RealStep[T], bool) {
	s := RealStep[T]{Op: n.op, Const: n.f}
	ok := true
	switch n.op {
	case OpInt:
		s.Of, ok = Build(n.e, b)
	case OpConst:
	default:
		for _, x := range []*realNode{n.x, n.y} {
			if x == nil {
				continue
			}
			if steps, ok = realSteps(x, b, steps); !ok {
				return nil, false
			}
		}
	}
	if !ok || len(steps) == MaxRealSteps {
		return nil, false
	}
	return append(steps, s), true
}

// This file turns conditions into numbers.

package symshape

// maxTruthParts bounds the comparisons of a condition that is written as a number.
const maxTruthParts = 4

// Truth returns the expression that is 1 where c holds and 0 where it does not, on the path: Python's
// int(c). It is nil for the unknown condition and for one of many comparisons.
func (f Facts) Truth(p *Pool, c *Cond) *Expr {
	if c == nil || c.Parts() > maxTruthParts {
		return nil
	}
	zero, one := p.Const(0), p.Const(1)
	switch c.kind {
	case condTrue:
		return one
	case condFalse:
		return zero
	case condGE: // e >= 0
		e := p.AddConst(c.e, 1)
		if f.Decide(p.Ge(e, zero)).Answer != Yes {
			e = p.Max(e, zero)
		}
		if f.Decide(p.Le(e, one)).Answer != Yes {
			e = p.Min(e, one)
		}
		return e
	case condEQ:
		return p.Sub(one, f.nonZero(p, c.e))
	case condNE:
		return f.nonZero(p, c.e)
	}
	out := f.Truth(p, c.args[0])
	for _, a := range c.args[1:] {
		switch x := f.Truth(p, a); {
		case out == nil || x == nil:
			return nil
		case c.kind == condAnd:
			out = p.Min(out, x)
		default:
			out = p.Max(out, x)
		}
	}
	return out
}

// nonZero returns 1 where e is not zero, else 0.
func (f Facts) nonZero(p *Pool, e *Expr) *Expr {
	for _, e := range [...]*Expr{e, p.Neg(e)} {
		if f.Decide(p.And(p.Ge(e, p.Const(0)), p.Le(e, p.Const(1)))).Answer == Yes {
			return e
		}
	}
	return p.Min(p.Abs(e), p.Const(1))
}

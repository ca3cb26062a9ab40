// This file holds what is known of the whole square roots of sizes, int(sqrt(n)), and of their shares, int(n*0.25). Models ask for the
// side of a grid by the first and for how many tokens to mask by the second.

package symshape

import "math"

// maxSide bounds the whole roots that comparisons replace: of integers below its square the rounded root lies on the same side of every
// integer as the exact one, also where a library computes it as a power with an error of one in the last place.
const maxSide = 1 << 20

// radicand returns n of an atom int(sqrt(n)) or int(n ** 0.5), which has no value where n is negative; nil for other atoms.
func (a *atom) radicand() *Expr {
	if a == nil || a.kind != atomReal || a.round != RoundTrunc && a.round != RoundFloor {
		return nil
	}
	switch r := a.real; {
	case r.op == OpSqrt && r.x.op == OpInt:
		return r.x.e
	case r.op == OpPow && r.x.op == OpInt && r.y.op == OpConst && r.y.f == 0.5:
		return r.x.e
	}
	return nil
}

// shared returns n of an atom int(n*k) with 0 <= k <= 1 and n >= 0, which is then at most n; nil for other atoms.
func (a *atom) shared() *Expr {
	if a.kind != atomReal || a.round != RoundTrunc && a.round != RoundFloor || a.real.op != OpMul {
		return nil
	}
	n, k := a.real.x, a.real.y
	if n.op == OpConst {
		n, k = k, n
	}
	if n.op != OpInt || k.op != OpConst || k.f < 0 || k.f > 1 || n.e.lo < 0 {
		return nil
	}
	return n.e
}

// compareRoot returns the comparison of a whole root with an integer as one of the number under it:
// int(sqrt(n)) >= q is n >= q*q, and int(sqrt(n)) <= q is n < (q+1)*(q+1). It is nil where e is not ±root + c.
func (p *Pool) compareRoot(kind condKind, e *Expr) *Cond {
	if len(e.terms) != 1 {
		return nil
	}
	t := e.terms[0]
	n := t.mono.atom().radicand()
	if n == nil || t.coef != 1 && t.coef != -1 {
		return nil
	}
	q := -t.coef * e.c // root ⋈ q
	if q < 0 || q > maxSide {
		return nil
	}
	least, most := p.Ge(n, p.Const(q*q)), p.Lt(n, p.Const((q+1)*(q+1)))
	switch {
	case kind == condEQ:
		return p.And(least, most)
	case kind == condNE:
		return p.Not(p.And(least, most))
	case t.coef > 0:
		return least
	}
	return most
}

// squareRoot returns r >= 0 with r*r = e; nil where no expression is known to be that.
func (p *Pool) squareRoot(e *Expr) *Expr {
	if e.c != 0 || len(e.terms) != 1 || e.terms[0].coef < 0 {
		return nil
	}
	t := e.terms[0]
	k := int64(math.Sqrt(float64(t.coef)))
	if k*k != t.coef {
		return nil
	}
	r := p.Const(k)
	for _, f := range t.mono.factors {
		if f.pow%2 != 0 {
			return nil
		}
		for range f.pow / 2 {
			r = p.Mul(r, f.atom.self)
		}
	}
	if r == nil || r.lo < 0 {
		return nil
	}
	return r
}

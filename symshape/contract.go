// This file takes conditions apart for those who print contracts: definitions of symbols, alternatives, and products
// that are not 1.

package symshape

// Disjuncts returns the alternatives of a disjunction; c itself if it is none.
func (c *Cond) Disjuncts() []*Cond {
	if c != nil && c.kind == condOr {
		return c.args
	}
	return []*Cond{c}
}

// Repeated is, of a condition that a size is a number or 1, the one that it is the number: an axis of size 1 is repeated where it meets
// a longer one. Other conditions are themselves.
func (c *Cond) Repeated() *Cond {
	if c == nil || c.kind != condOr || len(c.args) != 2 {
		return c
	}
	for i, one := range c.args {
		many := c.args[1-i]
		if one.kind != condEQ || many.kind != condEQ || one.e.c != -1 && one.e.c != 1 {
			continue
		}
		if _, ok := c.pool.Sub(one.e, many.e).Const(); ok {
			return many
		}
	}
	return c
}

// Definition reads c as an equation that defines a symbol by others or a number: H == W, H == 2*W + 1, C == 64. Of
// several symbols it is the one declared last. sym is nil when c is no such equation.
func (c *Cond) Definition() (sym, to *Expr) {
	if c == nil || c.kind != condEQ || !linear(c.e) {
		return nil, nil
	}
	p := c.pool
	for _, t := range c.e.terms {
		a := t.mono.atom()
		if t.coef != 1 && t.coef != -1 {
			continue
		}
		if sym == nil || compareAtom(a, sym.atom()) > 0 {
			to = p.scale(p.Sub(c.e, p.monoExpr(t.coef, t.mono)), -t.coef)
			sym = a.self
		}
	}
	if to == nil {
		return nil, nil
	}
	return sym, to
}

// Quotient reads c as an equation that gives a symbol, divided by a number and rounded, one value: (W - 1)//2 == 8. The
// quotient is nil where c is no such equation.
func (c *Cond) Quotient() (quotient, sym *Expr, n int64) {
	if c == nil || c.kind != condEQ || len(c.e.terms) != 1 {
		return nil, nil, 0
	}
	t := c.e.terms[0]
	q := c.pool.monoExpr(1, t.mono)
	a := q.atom()
	if a == nil || a.kind != atomDiv || len(a.args[1].terms) > 0 || !linear(a.args[0]) || len(a.args[0].terms) != 1 || c.e.c%t.coef != 0 {
		return nil, nil, 0
	}
	return q, a.args[0].terms[0].mono.atom().self, -c.e.c / t.coef
}

// Defines reads a linear equation as a value for a symbol that it has once: nil where it does not.
func (c *Cond) Defines(sym *Expr) *Expr {
	if c == nil || c.kind != condEQ || !linear(c.e) {
		return nil
	}
	p := c.pool
	for _, t := range c.e.terms {
		if t.mono.atom().self == sym && (t.coef == 1 || t.coef == -1) {
			return p.scale(p.Sub(c.e, p.monoExpr(t.coef, t.mono)), -t.coef)
		}
	}
	return nil
}

// IsEquation reports whether c says that an expression is 0: that sizes are equal, or one is a multiple of another.
func (c *Cond) IsEquation() bool { return c != nil && c.kind == condEQ }

// IsRange reports whether c bounds one expression from both sides, which prints as 32 <= H <= 35.
func (c *Cond) IsRange() bool { return c != nil && c.kind == condAnd && between2(c) != "" }

// solveProduct solves x·y·z >= 2 and x·y·z != 1 for factors that are at least 1: one of them is at least 2. It is nil
// for other conditions.
func (f Facts) solveProduct(c *Cond) *Cond {
	p := c.pool
	var x *Expr
	switch c.kind {
	case condGE:
		x = p.AddConst(c.e, 2)
	case condNE:
		x = p.AddConst(c.e, 1)
		if c.e.terms[0].coef < 0 {
			x = p.AddConst(p.Neg(c.e), 1)
		}
	default:
		return nil
	}
	if x == nil {
		return nil
	}
	fs := x.factors()
	if fs == nil && len(x.terms) == 1 && x.c == 0 && x.terms[0].coef == 1 {
		for _, m := range x.terms[0].mono.factors {
			fs = append(fs, m.atom.self)
		}
	}
	if len(fs) < 2 {
		return nil
	}
	one := p.Const(1)
	var any []*Cond
	for _, x := range fs {
		if f.Decide(p.Ge(x, one)).Answer != Yes {
			return nil
		}
		any = append(any, f.Solve(p.Gt(x, one)))
	}
	return p.Or(any...)
}

// Pool returns the pool that c belongs to.
func (c *Cond) Pool() *Pool { return c.pool }

// Bound reads c as a bound of symbol s: s >= lo or s <= hi.
func (c *Cond) Bound(s *Expr) (lo, hi int64, ok bool) {
	lo, hi = NegInf, PosInf
	if c == nil || c.kind != condGE || len(c.e.terms) != 1 || c.e.terms[0].mono.atom() != s.atom() {
		return lo, hi, false
	}
	switch c.e.terms[0].coef {
	case 1:
		return -c.e.c, hi, true
	case -1:
		return lo, c.e.c, true
	}
	return lo, hi, false
}

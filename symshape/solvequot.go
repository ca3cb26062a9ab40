// This file solves conditions on quotients by expressions: `C // (C // 3) == 3` is `3*(C // 3) <= C` and
// `C < 4*(C // 3)`, where the divisor is known to be positive.

package symshape

// solveQuotient removes a floor division x = n // d from c = k·x + m, which d not being a number puts outside of what
// residues decide. For d >= 1,
//
//   - x == q holds exactly if d·q <= n < d·(q + 1),
//   - x >= q exactly if n >= d·q, and x <= q exactly if n < d·(q + 1).
//
// It is nil when c has another form, or d may be zero or less.
func (f Facts) solveQuotient(c *Cond) *Cond {
	if c.kind != condEQ && c.kind != condGE || len(c.e.terms) != 1 {
		return nil
	}
	p, t := c.pool, c.e.terms[0]
	x := t.mono.atom()
	if x == nil || x.kind != atomDiv || t.coef == 0 {
		return nil
	}
	n, d := x.args[0], x.args[1]
	if _, number := d.Const(); number || f.Decide(p.Ge(d, p.Const(1))).Answer != Yes {
		return nil
	}
	atLeast := func(q int64) *Cond { return p.Ge(n, p.Mul(p.Const(q), d)) }
	atMost := func(q int64) *Cond { return p.Lt(n, p.Mul(p.Const(q+1), d)) }
	var s *Cond
	switch {
	case c.kind == condEQ && c.e.c%t.coef != 0:
		return p.no
	case c.kind == condEQ:
		s = p.And(atLeast(-c.e.c/t.coef), atMost(-c.e.c/t.coef))
	case t.coef > 0: // k·x >= -m
		s = atLeast(-floorDiv(c.e.c, t.coef))
	default: // -k·x <= m
		s = atMost(floorDiv(c.e.c, -t.coef))
	}
	if s == nil {
		return nil // too large
	}
	return f.Solve(s)
}

// This file solves conditions on maxima and minima of several symbols: `S == min(S, T)` is `S <= T`, and
// `S <= min(T, U)` is `S <= T` and `S <= U`.

package symshape

// solveExtremum removes a maximum or minimum x from c where that takes no alternatives. With c = k·x + rest:
//
//   - x == a, a being an argument of x, holds exactly if a is the extremum: all others are on its other side.
//   - k·x + rest >= 0 for a minimum and k > 0, or a maximum and k < 0, is the same for all its arguments, since the
//     left side is then the least of what it is for each of them.
//
// It is nil when there is no such x.
func (f Facts) solveExtremum(c *Cond) *Cond {
	if c.kind != condEQ && c.kind != condGE {
		return nil
	}
	p := c.pool
	for _, t := range c.e.terms {
		x := soleExtremum(t.mono)
		if x == nil {
			continue
		}
		rest := p.Sub(c.e, p.Mul(p.Const(t.coef), x.self))
		if rest == nil || rest.contains(x) {
			continue
		}
		var all *Cond
		switch {
		case c.kind == condEQ && (t.coef == 1 || t.coef == -1):
			a := p.Mul(p.Const(-t.coef), rest)
			for i, arg := range x.args {
				if arg == a {
					all = p.chosen(x, i)
				}
			}
		case c.kind == condGE && (x.kind == atomMin) == (t.coef > 0):
			var parts []*Cond
			for _, arg := range x.args {
				parts = append(parts, p.Ge(p.Add(rest, p.Mul(p.Const(t.coef), arg)), p.Const(0)))
			}
			all = p.And(parts...)
		}
		if all != nil {
			return f.Solve(all)
		}
	}
	return nil
}

// soleExtremum returns the maximum or minimum that a monomial consists of, or nil.
func soleExtremum(m *mono) *atom {
	if len(m.factors) != 1 || m.factors[0].pow != 1 {
		return nil
	}
	if a := m.factors[0].atom; a.kind == atomMax || a.kind == atomMin {
		return a
	}
	return nil
}

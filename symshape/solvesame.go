// This file solves conditions in which one number is written in two ways: in a window of H, (H + 195) // 224 and
// (H + 211) // 224 may be one, and what is left after that is often plain.

package symshape

// maxSame is the number of floor divisions up to which all pairs of a condition are compared.
const maxSame = 8

// solveSame solves c with one floor division in place of all that equal it under f. It is nil where all differ.
func (f Facts) solveSame(c *Cond) *Cond {
	var all []*atom
	c.divisions(&all)
	if len(all) > maxSame {
		return nil
	}
	s := substituter{pool: c.pool, symbol: keepSymbol, atoms: map[*atom]*Expr{}}
	for i, x := range all {
		for _, y := range all[:i] {
			if s.atoms[y] == nil && x.args[1] == y.args[1] && f.Decide(c.pool.Eq(x.self, y.self)).Answer == Yes {
				s.atoms[x] = y.self
				break
			}
		}
	}
	if len(s.atoms) == 0 {
		return nil
	}
	return f.Solve(s.cond(c)) // nil for what is too large
}

// divisions adds the floor divisions by numbers, of one symbol each, that are in c.
func (c *Cond) divisions(out *[]*atom) {
	if c.e != nil {
		c.e.divisions(out)
	}
	for _, x := range c.args {
		x.divisions(out)
	}
}

// divisions appends the quotients in e, at any depth, of one symbol by a number, each once and
// inner ones first.
func (e *Expr) divisions(out *[]*atom) {
	for _, t := range e.terms {
	factors:
		for _, f := range t.mono.factors {
			a := f.atom
			for _, x := range a.args {
				x.divisions(out)
			}
			if a.kind != atomDiv || len(a.self.Symbols()) != 1 {
				continue
			}
			if _, ok := a.args[1].Const(); !ok {
				continue
			}
			for _, y := range *out {
				if y == a {
					continue factors
				}
			}
			*out = append(*out, a)
		}
	}
}

// This file proves inequalities of polynomials: by intervals after moving every atom to start at zero, and by
// subtracting multiples of known inequalities.
//
// Truth of polynomial inequalities over integers is undecidable in general, so that the prover is
// sound but not complete: Yes and No are proofs, Unknown means nothing. It is used where the
// exact method of one symbol (intset.go) does not apply, on conditions with several symbols. The
// second method is a bounded search for a certificate of the kind that Farkas' lemma promises in
// the linear case: the goal as a sum of known inequalities with factors that are not negative,
// here with monomials as factors too.

package symshape

// prover proves conditions under given ones. One prover serves the questions of one condition;
// prepare runs once.
type prover struct {
	pool  *Pool
	given []*Cond
	known []*Expr // expressions known to be >= 0
	ready bool
}

// maxKnown bounds the inequalities the search combines. The search branches over them at every
// level.
const maxKnown = 12

// prepare collects what is known to be at least 0: the facts, and what is so of each quotient and extremum in
// the question by their definition. From these, a proof is a sum with factors that are not negative; without
// those of the definitions, nothing would connect n//2 with n. The facts come first, so that
// definitions are what is left out beyond maxKnown. An equality counts as two inequalities.
func (pr *prover) prepare(c *Cond) {
	if pr.ready {
		return
	}
	pr.ready = true
	p := pr.pool
	add := func(e *Expr) {
		if e != nil && len(pr.known) < maxKnown {
			pr.known = append(pr.known, e)
		}
	}
	for _, g := range pr.given {
		for _, x := range g.Conjuncts() {
			switch x.kind {
			case condGE:
				add(x.e)
			case condEQ:
				add(x.e)
				add(p.Neg(x.e))
			}
		}
	}
	seen := map[*atom]bool{}
	var visit func(e *Expr)
	visit = func(e *Expr) {
		for _, t := range e.terms {
			for _, f := range t.mono.factors {
				a := f.atom
				if seen[a] || a.kind == atomSymbol {
					continue
				}
				seen[a] = true
				switch a.kind {
				case atomDiv: // 0 <= num - den·(num // den) < den
					if num, den := a.args[0], a.args[1]; den.lo > 0 {
						r := p.Sub(num, p.Mul(den, a.self))
						add(r)
						add(p.AddConst(p.Sub(den, r), -1))
					}
				case atomMax:
					for _, x := range a.args {
						add(p.Sub(a.self, x))
					}
				case atomMin:
					for _, x := range a.args {
						add(p.Sub(x, a.self))
					}
				case atomReal:
					if n := a.radicand(); n != nil { // r*r <= n < (r + 1)*(r + 1)
						add(p.Sub(n, p.Mul(a.self, a.self)))
						next := p.AddConst(a.self, 1)
						add(p.AddConst(p.Sub(p.Mul(next, next), n), -1))
					} else if n := a.shared(); n != nil {
						add(p.Sub(n, a.self))
					}
				}
				for _, x := range a.args {
					visit(x)
				}
			}
		}
	}
	var conds func(c *Cond)
	conds = func(c *Cond) {
		if c.e != nil {
			visit(c.e)
		}
		for _, x := range c.args {
			conds(x)
		}
	}
	conds(c)
}

// cond returns Yes or No if that can be proved. An equality is disproved by either side of it
// being strict, and proved by both inequalities. In a conjunction that is Unknown each part is
// tried under the others, as x >= 3 and x <= 2 are each possible alone.
func (pr *prover) cond(c *Cond) Answer {
	if c == nil {
		return Unknown
	}
	p := pr.pool
	switch c.kind {
	case condTrue:
		return Yes
	case condFalse:
		return No
	case condOr:
		return negated(pr.cond(p.Not(c)))
	case condAnd:
		out := Yes
		for _, x := range c.args {
			switch pr.cond(x) {
			case No:
				return No
			case Unknown:
				out = Unknown
			}
		}
		if out == Unknown && len(c.args) <= 6 {
			// the parts may exclude each other
			for i, x := range c.args {
				with := prover{pool: p, given: append([]*Cond(nil), pr.given...)}
				for j, y := range c.args {
					if i != j && y.e != nil {
						with.given = append(with.given, y)
					}
				}
				if x.e != nil && with.cond(x) == No {
					return No
				}
			}
		}
		return out
	}
	for _, g := range pr.given {
		if g == c {
			return Yes
		}
	}
	if neg := p.Not(c); neg != nil {
		for _, g := range pr.given {
			if g == neg {
				return No
			}
		}
	}
	pr.prepare(c)
	e := c.e
	switch c.kind {
	case condGE:
		if pr.nonneg(e) {
			return Yes
		}
		if pr.nonneg(p.AddConst(p.Neg(e), -1)) {
			return No
		}
	case condEQ, condNE:
		ans := Unknown
		switch {
		case pr.nonneg(p.AddConst(e, -1)) || pr.nonneg(p.AddConst(p.Neg(e), -1)):
			ans = No
		case pr.nonneg(e) && pr.nonneg(p.Neg(e)):
			ans = Yes
		}
		if c.kind == condNE {
			ans = negated(ans)
		}
		return ans
	}
	return Unknown
}

// negated is the answer for the opposite condition.
func negated(a Answer) Answer {
	switch a {
	case Yes:
		return No
	case No:
		return Yes
	}
	return a
}

// nonneg reports whether e >= 0 can be proved. 60 steps are shared by all branches of the search,
// so that a hopeless question stays cheap.
func (pr *prover) nonneg(e *Expr) bool {
	steps := 60
	return pr.search(e, 3, &steps)
}

// search proves e >= 0 directly, or by a known k >= 0 that has a negative term of e as well: it suffices that
// m·e - n·k >= 0, with m and n chosen such that the term vanishes. q, the quotient of the two
// terms' monomials, must not be negative, so that q·k is a known inequality as well; m and n are
// positive, so that the sign of e is that of m·e. nil comes from an overflow and proves nothing.
func (pr *prover) search(e *Expr, depth int, steps *int) bool {
	if e == nil {
		return false
	}
	if pr.lower(e) >= 0 {
		return true
	}
	if depth == 0 {
		return false
	}
	p := pr.pool
	for _, t := range e.terms {
		// a term that can push e below zero
		if t.coef > 0 && t.mono.lo >= 0 {
			continue
		}
		for _, k := range pr.known {
			for _, u := range k.terms {
				if (u.coef < 0) != (t.coef < 0) {
					continue
				}
				q, ok := p.divMono(t.mono, u.mono)
				if !ok || q != nil && q.lo < 0 {
					continue
				}
				if *steps--; *steps < 0 {
					return false
				}
				g := gcd(t.coef, u.coef)
				m, n := int64(absU(u.coef))/g, int64(absU(t.coef))/g
				d := p.Sub(p.scale(e, m), p.Mul(p.monoExpr(n, q), k))
				if pr.search(d, depth-1, steps) {
					return true
				}
			}
		}
	}
	return false
}

// lower returns a lower bound of e. Replacing an atom a >= lo by lo + t with t >= 0 makes dependent terms cancel:
// B·H - B has no lower bound by intervals, but with B = 1 + b, H = 1 + h it is h + b·h. It is
// exact about the shift and again an interval bound after it, so that a term with a negative
// coefficient that does not cancel still gives NegInf.
func (pr *prover) lower(e *Expr) int64 {
	if e.lo >= 0 || len(e.terms) <= 1 {
		return e.lo
	}
	p := pr.pool
	simple := true
	for _, t := range e.terms {
		simple = simple && t.mono.deg == 1
	}
	if simple {
		return e.lo // every atom occurs once: the interval is as good as it gets
	}
	shifted := p.mapAtoms(e, func(a *atom) *Expr {
		lo, hi := a.lo, a.hi
		switch {
		case lo != NegInf && lo != 0:
			return p.AddConst(p.hiddenSymbol("+"+p.Const(int64(a.id)).String(), a, 0, addBound(hi, negBound(lo))), lo)
		case lo == NegInf && hi != PosInf:
			return p.Sub(p.Const(hi), p.hiddenSymbol("-"+p.Const(int64(a.id)).String(), a, 0, PosInf))
		}
		return a.self
	})
	if shifted == nil {
		return e.lo
	}
	return max(e.lo, shifted.lo)
}

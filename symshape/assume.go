// This file adds conditions to Facts: each one becomes a substitution where possible.
//
// The aim is that after learning H == 2*k every expression over H becomes one over k by plain
// substitution, so that equality of sizes is again identity of canonical forms. What cannot be
// made a substitution becomes a rewrite rule, and what is not even that is kept as a condition
// which the prover may use. Facts never change: learning copies them.

package symshape

// Assume returns f with the knowledge that c holds. It returns false when c contradicts f: no values of the symbols
// are known to satisfy both. An unknown condition adds nothing. The cost is bounded by a budget
// of 200 steps.
func (f Facts) Assume(c *Cond) (Facts, bool) { return f.assume(c, false) }

// AssumeSplit is Assume for questions of several symbols: where c leaves a symbol a window of remainders, H % 28 <= 3,
// its quotient and its remainder become symbols of their own, so that H // 4 is 7*(H // 28). Questions of that symbol
// alone are answered less well than by Assume.
func (f Facts) AssumeSplit(c *Cond) (Facts, bool) { return f.assume(c, true) }

// assume adds a condition to the facts; false if it contradicts them. What follows from them already is not
// added. Learning has a budget, after which a fact is kept as it is, unused by simplification but used by
// proofs. split says whether windows of remainders become symbols.
func (f Facts) assume(c *Cond, split bool) (Facts, bool) {
	if c == nil {
		return f, true
	}
	switch f.Decide(c).Answer {
	case No:
		return f, false
	case Yes:
		return f, true
	}
	n := &factNode{pool: c.pool}
	if f.n != nil {
		n = f.n.clone()
	}
	n.conds = append(n.conds, c)
	l := learner{factNode: n, budget: 200, split: split}
	l.work = append(l.work, c)
	if !l.run() {
		return f, false
	}
	return Facts{n}, true
}

// learner works off a list of conditions that hold. Each step either narrows a symbol, eliminates one, adds a rule,
// or keeps the condition. work is a stack of conditions that are still to be taken in.
type learner struct {
	*factNode
	work   []*Cond
	budget int
	split  bool
}

// run returns false on a contradiction. When the budget is spent the remaining conditions are
// kept unused. Each condition is reduced by what was learnt before it, so that consequences
// vanish and contradictions show.
func (l *learner) run() bool {
	for len(l.work) > 0 {
		c := Facts{l.factNode}.reduceCond(l.work[len(l.work)-1])
		l.work = l.work[:len(l.work)-1]
		switch {
		case c == nil || c.kind == condTrue:
			continue
		case c.kind == condFalse:
			return false
		case c.kind == condAnd:
			l.work = append(l.work, c.args...)
			continue
		}
		if l.budget--; l.budget < 0 {
			l.keep(c)
			continue
		}
		if !l.learn(c) {
			return false
		}
	}
	return true
}

// keep keeps a condition from which nothing was derived. At most maxFacts are kept; one that
// stands there already is not added.
func (l *learner) keep(c *Cond) {
	if c == nil || c.kind == condTrue {
		return // too large to keep: forgotten
	}
	for _, d := range l.rest {
		if d == c {
			return
		}
	}
	if len(l.rest) < maxFacts {
		l.rest = append(l.rest, c)
	}
}

// learn takes in one condition over remaining symbols. Equations are solved for a symbol if
// possible; inequalities of several symbols are kept.
func (l *learner) learn(c *Cond) bool {
	if syms := c.Symbols(); len(syms) == 1 {
		return l.learnSingle(c, syms[0].atom())
	}
	if c.kind != condEQ {
		l.keep(c)
		return true
	}
	if l.eliminateLinear(c.e) || l.eliminateModulus(c.e) {
		return true
	}
	l.addRule(c)
	return true
}

// learnSingle narrows v to the hull and the common residue of the values that satisfy c. The
// exact set of solutions is known for one symbol. If it is not an interval of one residue class,
// the condition is kept in addition to what was narrowed. An empty set is a contradiction.
func (l *learner) learnSingle(c *Cond, v *atom) bool {
	p := l.pool
	set, ok := p.solveSingle(v, c)
	if !ok {
		l.keep(c)
		return true
	}
	lo, hi, ok := set.hull()
	if !ok {
		return false
	}
	if l.split && l.splitWindow(v, set, lo, hi) {
		return true
	}
	mod, r := set.commonResidue()
	exact := set.equal(restrict(set.mod, lo, hi, mod, r))
	if lo != v.lo || hi != v.hi || mod > 1 {
		l.bind(v, l.narrowed(v, lo, hi, mod, r))
	}
	if !exact {
		l.keep(Facts{l.factNode}.reduceCond(c))
	}
	return true
}

// splitWindow makes symbols of the quotient and the remainder of v where set is all numbers from a multiple of a
// modulus on whose remainders lie in a window.
func (l *learner) splitWindow(v *atom, set intSet, lo, hi int64) bool {
	p := l.pool
	w, ok := p.windowOf(set, intervalSet(set.mod, NegInf, PosInf), lo, hi)
	if !ok || hi != PosInf || lo == NegInf || floorMod(lo+w.shift, w.mod) != w.lo {
		return false
	}
	m := p.Const(w.mod)
	self := p.AddConst(l.backSubst(v.self), w.shift)
	k := p.hiddenSymbol(v.name+"/"+m.String(), v, floorDiv(lo+w.shift, w.mod), PosInf)
	r := p.hiddenSymbol(v.name+"%"+m.String(), v, w.lo, w.hi)
	l.setBack(k, p.FloorDiv(self, m))
	l.setBack(r, p.Mod(self, m))
	l.bind(v, p.AddConst(p.Add(p.scale(k, w.mod), r), -w.shift))
	return true
}

// commonResidue returns the greatest m dividing the modulus such that all members are r modulo m.
// It tries the divisors of the modulus from the largest; moduli are small.
func (s intSet) commonResidue() (m, r int64) {
	for m = s.mod; m > 1; m-- {
		if s.mod%m != 0 {
			continue
		}
		r = -1
		same := true
		for i, c := range s.class {
			if len(c) == 0 {
				continue
			}
			if x := int64(i) % m; r < 0 {
				r = x
			} else if r != x {
				same = false
				break
			}
		}
		if same && r >= 0 {
			return m, r
		}
	}
	return 1, 0
}

// restrict is the set of x in lo … hi with x % m == r, by classes modulo mod, a multiple of m.
func restrict(mod, lo, hi, m, r int64) intSet {
	s := intervalSet(mod, lo, hi)
	for i := range s.class {
		if int64(i)%m != r {
			s.class[i] = nil
		}
	}
	return s
}

// narrowed returns an expression that takes the values of v in lo … hi that are r modulo mod.
// That is mod·k + r with a new hidden symbol k, whose bounds are those of v mapped; nil where
// there is no such number.
func (l *learner) narrowed(v *atom, lo, hi, mod, r int64) *Expr {
	p := l.pool
	if lo == hi {
		return p.Const(lo)
	}
	if mod == 1 {
		k := p.hiddenSymbol(v.name, v, lo, hi)
		l.setBack(k, l.backSubst(v.self))
		return k
	}
	q := classSpan(mod, r, lo, hi)
	if len(q) == 0 {
		return nil
	}
	if q[0].lo == q[0].hi {
		return p.Const(mod*q[0].lo + r)
	}
	k := p.hiddenSymbol(v.name+"/"+p.Const(mod).String(), v, q[0].lo, q[0].hi)
	l.setBack(k, p.FloorDiv(l.backSubst(v.self), p.Const(mod)))
	return p.AddConst(p.scale(k, mod), r)
}

// setBack notes how a symbol that is eliminated is computed from those that remain. Results that
// are shown to users are translated back with it.
func (l *learner) setBack(k, e *Expr) {
	a := k.atom()
	for i, b := range l.back {
		if b.sym == a {
			l.back[i].to = e
			return
		}
	}
	l.back = append(l.back, binding{a, e})
}

// bind replaces symbol v by e everywhere, and looks at the kept conditions again. Conditions that
// were kept go back to work, since they may have become soluble.
func (l *learner) bind(v *atom, e *Expr) {
	if e == nil {
		return
	}
	l.replace(func(s *Expr) *Expr {
		if s == v.self {
			return e
		}
		return nil
	})
	l.subst = append(l.subst, binding{v, e})
}

// replace applies a substitution to all parts of the node. f gives the expression for a symbol or
// nil. Rules become equations again, as their left side may not be a monomial any more.
func (l *learner) replace(f func(*Expr) *Expr) {
	s := substituter{pool: l.pool, symbol: f}
	l.memo = nil
	for i, b := range l.subst {
		if e := s.expr(b.to); e != nil {
			l.subst[i].to = e
		}
	}
	rules := l.rules
	l.rules = nil
	for _, r := range rules {
		m := s.expr(l.pool.monoExpr(1, r.mono))
		to := s.expr(r.to)
		l.work = append(l.work, l.pool.Eq(m, to))
	}
	l.work = append(l.work, l.rest...)
	l.rest = nil
}

// eliminateLinear uses an equation k·s + rest == 0 in which symbol s occurs nowhere else: s is -rest/k, after
// learning that k divides rest. The latest declared such symbol goes, preferably one with k = ±1, so that the first
// declared one represents its equals. A factor other than ±1 is allowed in linear equations
// alone, and up to maxModulus.
func (l *learner) eliminateLinear(e *Expr) bool {
	p := l.pool
	best := -1
	for i, t := range e.terms {
		a := t.mono.atom()
		if a == nil || a.kind != atomSymbol {
			continue
		}
		if occurrences(e, a) > 1 {
			continue
		}
		if k := absU(t.coef); k != 1 && (k > maxModulus || !linear(e)) {
			continue
		}
		if best < 0 || absU(t.coef) == 1 && absU(e.terms[best].coef) != 1 ||
			(absU(t.coef) == 1) == (absU(e.terms[best].coef) == 1) && compareAtom(a, e.terms[best].mono.atom()) > 0 {
			best = i
		}
	}
	if best < 0 {
		return false
	}
	t := e.terms[best]
	s := t.mono.atom()
	rest := p.Sub(e, p.monoExpr(t.coef, t.mono))
	if t.coef > 0 {
		rest = p.Neg(rest)
	}
	if rest == nil {
		return false
	}
	if k := int64(absU(t.coef)); k != 1 {
		// first the congruence; then the equation comes back, in terms of symbols for which it is solvable
		n := p.Const(k)
		d := p.FloorDiv(rest, n)
		if d == nil || p.Mul(d, n) != rest {
			c := p.Divides(n, rest)
			if c == nil || d == nil {
				return false
			}
			if (Facts{l.factNode}).reduceCond(c) != p.yes {
				l.work = append(l.work, p.compare(condEQ, e), c)
				return true
			}
		}
		rest = d
	}
	l.bound(rest, s)
	l.bind(s, rest)
	return true
}

// bound learns that rest, which replaces s, lies within the bounds of s.
func (l *learner) bound(rest *Expr, s *atom) {
	p := l.pool
	if s.lo != NegInf {
		l.work = append(l.work, p.Ge(rest, p.Const(s.lo)))
	}
	if s.hi != PosInf {
		l.work = append(l.work, p.Le(rest, p.Const(s.hi)))
	}
}

// occurrences counts the terms of e in which symbol s occurs.
func occurrences(e *Expr, s *atom) int {
	n := 0
	for _, t := range e.terms {
		for _, f := range t.mono.factors {
			if f.atom == s || f.atom.kind != atomSymbol && f.atom.self.contains(s) {
				n++
				break
			}
		}
	}
	return n
}

// linear reports whether all terms of e are coefficient × symbol.
func linear(e *Expr) bool {
	for _, t := range e.terms {
		if a := t.mono.atom(); a == nil || a.kind != atomSymbol {
			return false
		}
	}
	return true
}

// eliminateModulus uses an equation A - n·(A // n) == r, that is A % n == r: a symbol s that occurs in A linearly with
// factor ±1 is n·k + r minus the rest, for k a new symbol in the place of A // n. It returns true
// if the equation was dealt with, also if it is contradictory, such as A % n == -1; a remainder r
// > 0 needs n > r in addition.
func (l *learner) eliminateModulus(e *Expr) bool {
	p := l.pool
	for _, t := range e.terms {
		for _, f := range t.mono.factors {
			d := f.atom
			if d.kind != atomDiv || f.pow != 1 {
				continue
			}
			num, den := d.args[0], d.args[1]
			if den.lo <= 0 {
				continue
			}
			for _, k := range [...]int64{1, -1} {
				// e = k·(num - den·d) - k·r ?
				r := p.addScaled(e, p.Sub(num, p.Mul(den, d.self)), -k)
				rc, ok := r.Const()
				if !ok {
					continue
				}
				rc *= -k
				if rc < 0 {
					l.work = append(l.work, p.no)
					return true
				}
				if rc > 0 {
					l.work = append(l.work, p.Gt(den, p.Const(rc)))
				}
				for i := len(num.terms) - 1; i >= 0; i-- {
					u := num.terms[i]
					s := u.mono.atom()
					if s == nil || s.kind != atomSymbol || u.coef != 1 && u.coef != -1 || occurrences(num, s) > 1 || den.contains(s) {
						continue
					}
					q := p.hiddenSymbol(d.self.Compact(), s, d.lo, d.hi)
					l.setBack(q, l.backSubst(d.self))
					// u·s + others = den·q + rc
					x := p.Sub(p.AddConst(p.Mul(den, q), rc), p.Sub(num, p.monoExpr(u.coef, u.mono)))
					x = p.scale(x, u.coef)
					if x == nil {
						return false
					}
					l.bound(x, s)
					l.bind(s, x)
					return true
				}
			}
		}
	}
	return false
}

// addRule turns an equation into a rule for its most complicated monomial that has factor ±1: divisions first, then
// the highest degree. Without such a monomial the equation is kept. A rule whose right side
// contains a multiple of its left one would not end and is kept as a condition instead. Kept
// conditions go back to work, as the rule may simplify them.
func (l *learner) addRule(c *Cond) {
	p, e := l.pool, c.e
	best := -1
	weight := func(m *mono) int { return int(m.depth)<<8 + int(m.deg) }
	for i, t := range e.terms {
		if t.coef != 1 && t.coef != -1 || weight(t.mono) < 2 {
			continue
		}
		if best < 0 || weight(t.mono) > weight(e.terms[best].mono) {
			best = i
		}
	}
	if best < 0 {
		l.keep(c)
		return
	}
	t := e.terms[best]
	to := p.scale(p.Sub(e, p.monoExpr(t.coef, t.mono)), -t.coef)
	for _, u := range e.terms {
		if u.mono != t.mono {
			if _, ok := p.divMono(u.mono, t.mono); ok { // would not end
				l.keep(c)
				return
			}
		}
	}
	if to == nil || len(l.rules) >= maxFacts {
		return
	}
	l.rules = append(l.rules, rule{t.mono, to})
	l.memo = nil
	// the bounds of the monomial hold for what replaces it
	if t.mono.lo != NegInf && to.lo < t.mono.lo {
		l.work = append(l.work, p.Ge(to, p.Const(t.mono.lo)))
	}
	l.work = append(l.work, l.rest...)
	l.rest = nil
}

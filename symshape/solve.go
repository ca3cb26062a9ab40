// This file solves conditions: the simplest equivalent condition on the symbols.
//
// Solving is for people: a condition that a model needs is found as a nest of floor divisions and
// remainders, and should be told as "H % 32 == 0". Each method is tried in the order of how
// simple its answers are, and what none of them solves stays as it is. The result is equivalent
// under the facts, which each method makes sure of by sets or by proofs.

package symshape

// Solve returns the simplest condition found that is equivalent to c under f: True and False where that can be
// proved, a range or a congruence of one symbol (`H % 16 == 0`, `32 <= H <= 35`), an equation of symbols, else c as
// the facts simplify it. It is nil for an unknown c.
func (f Facts) Solve(c *Cond) *Cond {
	if c == nil {
		return nil
	}
	p := c.pool
	switch f.Decide(c).Answer {
	case Yes:
		return p.yes
	case No:
		return p.no
	}
	if s := f.solveOne(c); s != nil {
		return s
	}
	if c.kind == condAnd {
		return f.solveAnd(c)
	}
	if c.kind == condOr {
		var parts []*Cond
		for _, x := range c.args {
			parts = append(parts, f.Solve(x))
		}
		return p.Or(parts...)
	}
	if s := f.solveProduct(c); s != nil {
		return s
	}
	if len(c.symbols()) > 1 {
		if s := f.solveSame(c); s != nil {
			return s
		}
	}
	if s := f.solveExtremum(c); s != nil {
		return s
	}
	if s := f.solveQuotient(c); s != nil {
		return s
	}
	if f.n == nil {
		return c
	}
	back := f.n.backCond(f.reduceCond(c))
	if back == nil || anyHidden(back.Symbols()) || len(back.String()) > len(c.String()) {
		return c
	}
	return back
}

// solveAnd solves the parts one after the other, each under the ones before, then drops those that follow from the
// rest. Dropping parts is quadratic in their number, which is bounded.
func (f Facts) solveAnd(c *Cond) *Cond {
	p := c.pool
	var parts []*Cond
	g := f
	for _, x := range c.args {
		s := g.Solve(x)
		if s == p.no {
			return p.no
		}
		if s == p.yes {
			continue
		}
		parts = append(parts, s)
		g, _ = g.Assume(s)
	}
	for i := 0; i < len(parts) && len(parts) > 1 && len(parts) <= 12; i++ {
		others := append(append([]*Cond(nil), parts[:i]...), parts[i+1:]...)
		h := f
		for _, o := range others {
			h, _ = h.Assume(o)
		}
		if h.Decide(parts[i]).Answer == Yes {
			parts = others
			i--
		}
	}
	return p.And(parts...)
}

// solveOne describes the solutions of a condition that depends on one remaining symbol. The set
// of solutions is found exactly by residue classes, translated to a symbol of the user's that is
// linear in the remaining one, and described.
func (f Facts) solveOne(c *Cond) *Cond {
	p := c.pool
	r := f.reduceCond(c)
	if r == nil {
		return nil
	}
	q := f.newQuestion(c, r)
	if len(q.vars) != 1 {
		return nil
	}
	v := q.vars[0]
	domain, ok := p.solveSingle(v, q.given...)
	if !ok {
		return nil
	}
	set, ok := p.solveSingle(v, append(q.given, r)...)
	if !ok {
		return nil
	}
	// find the user's symbol that is a·v + b
	for _, s := range c.Symbols() {
		e := f.reduce(s)
		if len(e.terms) != 1 || e.terms[0].mono != v.self.terms[0].mono || e.terms[0].coef <= 0 {
			continue
		}
		a, b := e.terms[0].coef, e.c
		d, ok1 := domain.affine(a, b, maxModulus)
		t, ok2 := set.affine(a, b, maxModulus)
		if !ok1 || !ok2 {
			continue
		}
		mod := lcm(d.mod, t.mod, maxModulus)
		if mod == 0 {
			continue
		}
		if out := p.describe(s, t.refine(mod), d.refine(mod)); out != nil {
			return out
		}
	}
	return nil
}

// describe returns the simplest condition on x that holds, among the values in domain, exactly for those in set;
// nil if no simple one does. The forms are tried from the simplest on: an interval, a congruence,
// all but one residue, two values, a window of residues, few exceptions, few values, two residues, and at
// last a union of ranges.
func (p *Pool) describe(x *Expr, set, domain intSet) *Cond {
	lo, hi, ok := set.hull()
	if !ok {
		return p.no
	}
	same := func(t intSet) bool { return domain.intersect(t).equal(set) }
	dlo, dhi, _ := domain.hull()
	var parts []*Cond
	if lo > dlo {
		parts = append(parts, p.Ge(x, p.Const(lo)))
	}
	if hi < dhi {
		parts = append(parts, p.Le(x, p.Const(hi)))
	}
	hull := intervalSet(set.mod, lo, hi)
	if lo == hi {
		return p.Eq(x, p.Const(lo))
	}
	if same(hull) {
		return p.And(parts...)
	}
	// one residue, or all but one
	for m := int64(2); m <= set.mod; m++ {
		if set.mod%m != 0 {
			continue
		}
		res := residues(set, m)
		switch all := residues(domain, m); {
		case len(res) == 1:
			if same(restrict(set.mod, lo, hi, m, res[0])) {
				return p.congruence(x, m, res[0], set, domain, parts)
			}
		case len(res) == len(all)-1 && len(all) > 2:
			r := missing(all, res)
			if same(intervalSet(set.mod, lo, hi).minus(restrict(set.mod, NegInf, PosInf, m, r))) {
				parts = append(parts, p.Ne(p.Mod(x, p.Const(m)), p.Const(r)))
				return p.And(parts...)
			}
		}
	}
	if set.count(3) < 3 {
		return p.eachOf(x, set)
	}
	// neighbouring residues
	w, ok := p.windowOf(set, domain, NegInf, PosInf)
	if ok {
		parts = nil // they are not needed
	} else {
		w, ok = p.windowOf(set, domain, lo, hi)
	}
	if ok {
		y := p.Mod(p.AddConst(x, w.shift), p.Const(w.mod))
		if w.lo > 0 {
			parts = append(parts, p.Ge(y, p.Const(w.lo)))
		}
		if w.hi < w.mod-1 {
			parts = append(parts, p.Le(y, p.Const(w.hi)))
		}
		return p.And(parts...)
	}
	// one residue, but for a few values
	for m := set.mod; m > 1; m-- {
		if set.mod%m != 0 {
			continue
		}
		if res := residues(set, m); len(res) == 1 {
			gap := domain.intersect(restrict(set.mod, lo, hi, m, res[0])).minus(set)
			if gap.count(4) < 4 {
				parts = append(parts, p.Eq(p.Mod(x, p.Const(m)), p.Const(res[0])))
				for _, n := range gap.members() {
					parts = append(parts, p.Ne(x, p.Const(n)))
				}
				return p.And(parts...)
			}
			break
		}
	}
	// a few exceptions, or a few values
	if gap := domain.intersect(hull).minus(set); gap.count(4) < 4 {
		for _, n := range gap.members() {
			parts = append(parts, p.Ne(x, p.Const(n)))
		}
		return p.And(parts...)
	}
	if set.count(5) < 5 {
		return p.eachOf(x, set)
	}
	// two residues
	for m := int64(3); m <= set.mod; m++ {
		if set.mod%m != 0 {
			continue
		}
		if res := residues(set, m); len(res) == 2 {
			t := restrict(set.mod, lo, hi, m, res[0])
			u := restrict(set.mod, lo, hi, m, res[1])
			for i := range t.class {
				t.class[i] = t.class[i].union(u.class[i])
			}
			if same(t) {
				y := p.Mod(x, p.Const(m))
				parts = append(parts, p.Or(p.Eq(y, p.Const(res[0])), p.Eq(y, p.Const(res[1]))))
				return p.And(parts...)
			}
		}
	}
	return p.describeRanges(x, set, domain)
}

// eachOf returns that x is one of the members of a finite set.
func (p *Pool) eachOf(x *Expr, set intSet) *Cond {
	var any []*Cond
	for _, n := range set.members() {
		any = append(any, p.Eq(x, p.Const(n)))
	}
	return p.Or(any...)
}

// congruence returns x % m == r, with the bounds in parts only where they are needed.
func (p *Pool) congruence(x *Expr, m, r int64, set, domain intSet, parts []*Cond) *Cond {
	c := p.Eq(p.Mod(x, p.Const(m)), p.Const(r))
	if domain.intersect(restrict(set.mod, NegInf, PosInf, m, r)).equal(set) {
		return c
	}
	return p.And(append(parts, c)...)
}

// residues returns the residues modulo m of the members, in order. A residue counts when its
// class has a member at all.
func residues(s intSet, m int64) []int64 {
	seen := make([]bool, m)
	for i, c := range s.class {
		if len(c) > 0 {
			seen[int64(i)%m] = true
		}
	}
	var out []int64
	for r, ok := range seen {
		if ok {
			out = append(out, int64(r))
		}
	}
	return out
}

func missing(all, some []int64) int64 {
	for i, r := range all {
		if i >= len(some) || some[i] != r {
			return r
		}
	}
	return -1
}

// A window are the numbers x for which (x + shift) % mod is lo … hi, more than one residue and not all. Where shift is
// not 0, lo is.
type window struct{ mod, shift, lo, hi int64 }

// windowOf returns the window of the least modulus that, with the bounds lo and hi, gives exactly the members of set
// among those of domain. false says that there is none.
func (p *Pool) windowOf(set, domain intSet, lo, hi int64) (window, bool) {
	for m := int64(3); m <= set.mod; m++ {
		if set.mod%m != 0 {
			continue
		}
		w, ok := neighbours(residues(set, m), m)
		if !ok {
			continue
		}
		t := intervalSet(set.mod, lo, hi)
		for i := range t.class {
			if r := (int64(i) + w.shift) % m; r < w.lo || r > w.hi {
				t.class[i] = nil
			}
		}
		if domain.intersect(t).equal(set) {
			return w, true
		}
	}
	return window{}, false
}

// neighbours returns the window of residues modulo m that are neighbours, also over the end: 26,
// 27 and 0 modulo 28. Residues are sorted; there must be exactly one gap in the circle.
func neighbours(res []int64, m int64) (window, bool) {
	n := int64(len(res))
	if n < 2 || n == m {
		return window{}, false
	}
	if res[n-1]-res[0] == n-1 {
		return window{m, 0, res[0], res[n-1]}, true
	}
	gaps, first := 0, int64(0)
	for i, r := range res {
		if before := res[(int64(i)+n-1)%n]; (before+1)%m != r {
			gaps++
			first = r
		}
	}
	return window{m, m - first, 0, n - 1}, gaps == 1
}

// describeRanges describes a set that is a union of at most three intervals.
func (p *Pool) describeRanges(x *Expr, set, domain intSet) *Cond {
	var any []*Cond
	rest := set
	dlo, dhi, _ := domain.hull()
	for range 3 {
		lo, _, ok := rest.hull()
		if !ok {
			return p.Or(any...)
		}
		// the first member of the domain outside of the set, from lo on, ends the interval
		out := domain.minus(set).intersect(intervalSet(set.mod, lo, PosInf))
		end, _, more := out.hull()
		hi := int64(PosInf)
		if more {
			hi = end - 1
		}
		part := intervalSet(set.mod, lo, hi)
		_, last, _ := rest.intersect(part).hull()
		var c []*Cond
		if lo > dlo {
			c = append(c, p.Ge(x, p.Const(lo)))
		}
		if last < dhi {
			c = append(c, p.Le(x, p.Const(last)))
		}
		any = append(any, p.And(c...))
		rest = rest.minus(part)
	}
	if rest.empty() {
		return p.Or(any...)
	}
	return nil
}

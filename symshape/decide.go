// This file decides conditions under facts: Decide.

package symshape

import "slices"

// Answer is what Decide found.
type Answer uint8

const (
	Unknown Answer = iota // true for some sizes and false for others, or not known
	Yes                   // true for all sizes
	No                    // true for no sizes
)

func (a Answer) String() string { return [...]string{"unknown", "yes", "no"}[a] }

// Decision is the result of Decide. With both witnesses the answer is certain: the condition
// depends on the sizes. Unknown with one witness or none says that nothing was proved.
type Decision struct {
	Answer Answer
	True   *Witness // sizes allowed by the facts for which the condition holds, if found
	False  *Witness // sizes allowed by the facts for which it does not, if found
}

// Sometimes reports whether the condition holds for some sizes and fails for others.
func (d Decision) Sometimes() bool { return d.True != nil && d.False != nil }

// maxClasses bounds the combinations of residue classes of several symbols.
const maxClasses = 1 << 11

// Decide tells whether c holds for all sizes that satisfy f, for none, or neither.
//
// Yes and No are proved: by canonical form; exactly, when one symbol remains and divisors are constants; otherwise by
// interval and linear reasoning on all combinations of residue classes, up to a budget. Sampling finds witnesses, and
// never proves. A condition that is outside of all this is Unknown.
//
// Answers are remembered: the interpreter asks the same questions again and again. The memory is
// that of the facts, or of the pool where there are none; both live as long as a check.
func (f Facts) Decide(c *Cond) Decision {
	if c == nil {
		return Decision{}
	}
	memo := c.pool.decided
	if f.n != nil {
		if f.n.decided == nil {
			f.n.decided = map[*Cond]Decision{}
		}
		memo = f.n.decided
	}
	if d, ok := memo[c]; ok {
		return d
	}
	d := f.decide(c, maxSplits)
	memo[c] = d
	return d
}

// maxSplits bounds the extrema that are looked at case by case, one in the other.
const maxSplits = 3

// splits counts down with each extremum that is looked at by cases.
func (f Facts) decide(c *Cond, splits int) Decision {
	if c == nil {
		return Decision{}
	}
	r := f.reduceCond(c)
	if v, ok := r.Const(); ok {
		if v {
			return Decision{Answer: Yes}
		}
		return Decision{Answer: No}
	}
	if r == nil {
		return Decision{}
	}
	q := f.newQuestion(c, r)
	if splits < maxSplits {
		return q.decide(splits, &earlier{})
	}
	e := q.earlier()
	if d, ok := q.recall(e); ok {
		return d
	}
	d := q.decide(splits, e)
	q.remember(e, d)
	return d
}

// decide proves only what e does not have yet. The order is by cost: exact sets for one symbol,
// quick sampling, the quick proof, long sampling, and proofs by parts. Sampling comes before long
// proofs because most conditions that are not proved at once are not true.
func (q *question) decide(splits int, e *earlier) Decision {
	if len(q.vars) == 1 {
		if d, ok := q.exact(); ok {
			return d
		}
	}
	d := q.sample(Decision{}, true)
	if d.Sometimes() {
		return d
	}
	if !e.tried {
		pr := prover{pool: q.pool, given: q.given}
		e.quick, e.tried = pr.cond(q.cond), true
	}
	if d.Answer = e.quick; d.Answer != Unknown {
		return d
	}
	if d = q.sample(d, false); d.Sometimes() {
		return d
	}
	if !e.triedParts {
		e.parts, e.triedParts = q.proveByParts(splits), true
	}
	d.Answer = e.parts
	return d
}

// proveByParts proves for all sizes one by one, in each case of an extremum, or for residue
// classes. Few points are enumerated; an extremum is replaced by each of its arguments; otherwise
// residue classes are tried.
func (q *question) proveByParts(splits int) Answer {
	if a, ok := q.enumerate(); ok {
		return a
	}
	if splits > 0 {
		if x := findExtremum(q.cond); x != nil {
			return q.facts.byCases(q.cond, x, splits)
		}
	}
	return q.proveByClasses()
}

// byCases decides c in every case of which argument is the extremum x. The answer counts only
// when it is the same in all cases that are possible.
func (f Facts) byCases(c *Cond, x *atom, splits int) Answer {
	p := c.pool
	out := Unknown
	for i, a := range x.args {
		g, ok := f.assumeReduced(p.chosen(x, i))
		if !ok {
			continue
		}
		s := substituter{pool: p, symbol: keepSymbol, atoms: map[*atom]*Expr{x: a}}
		ans := g.decide(s.cond(c), splits-1).Answer
		if ans == Unknown || out != Unknown && ans != out {
			return Unknown
		}
		out = ans
	}
	return out
}

// assumeReduced is Assume for a condition on remaining symbols.
func (f Facts) assumeReduced(c *Cond) (Facts, bool) {
	n := &factNode{pool: c.pool}
	if f.n != nil {
		n = f.n.clone()
	}
	l := learner{factNode: n, budget: 50, work: []*Cond{c}}
	if !l.run() {
		return f, false
	}
	// the substitutions of new symbols concern remaining symbols, which reduce must know
	return Facts{n}, true
}

// question is a reduced condition with the facts that matter for it. given are facts that were
// kept as conditions; substitutions are applied already.
type question struct {
	facts Facts
	pool  *Pool
	asked *Cond // in the user's symbols
	cond  *Cond
	given []*Cond
	vars  []*atom
	// translation is made for the first sizes that may be a witness.
	translation *translation
	// refused says that the facts did not allow some sizes that the question does.
	refused bool
}

// newQuestion collects the kept conditions that share symbols with c, directly or through others.
// Facts without a common symbol cannot change the answer, unless they contradict each other,
// which Assume has refused.
func (f Facts) newQuestion(asked, c *Cond) *question {
	q := &question{facts: f, pool: c.pool, asked: asked, cond: c}
	var set symSet
	c.collect(&set)
	if f.n != nil {
		used := make([]bool, len(f.n.rest))
		for again := true; again; {
			again = false
			for i, k := range f.n.rest {
				if used[i] || !sharesSymbol(k, set.atoms) {
					continue
				}
				used[i], again = true, true
				q.given = append(q.given, k)
				k.collect(&set)
			}
		}
	}
	q.vars = set.atoms
	return q
}

func sharesSymbol(c *Cond, vars []*atom) bool {
	for _, a := range c.symbols() {
		if slices.Contains(vars, a) {
			return true
		}
	}
	return false
}

// exact answers a question about one symbol in the fragment. false says that a divisor is no
// constant, or that there are too many residue classes.
func (q *question) exact() (Decision, bool) {
	v := q.vars[0]
	domain, ok := q.pool.solveSingle(v, q.given...)
	if !ok {
		return Decision{}, false
	}
	set, ok := q.pool.solveSingle(v, q.cond)
	if !ok {
		return Decision{}, false
	}
	mod := lcm(domain.mod, set.mod, maxModulus)
	if mod == 0 {
		return Decision{}, false
	}
	domain, set = domain.refine(mod), set.refine(mod)
	yes, no := domain.intersect(set), domain.minus(set)
	var d Decision
	if x, ok := yes.pick(); ok {
		d.True = q.witness(map[string]int64{v.name: x})
	}
	if x, ok := no.pick(); ok {
		d.False = q.witness(map[string]int64{v.name: x})
	}
	switch {
	case no.empty():
		d.Answer = Yes
	case yes.empty():
		d.Answer = No
	}
	return d, true
}

// refine returns the same set by the classes of a multiple of its modulus.
func (s intSet) refine(mod int64) intSet {
	if mod == s.mod {
		return s
	}
	out := newIntSet(mod)
	for r := range out.class {
		// x = mod·q + r = s.mod·(k·q + r / s.mod) + r % s.mod
		shift := int64(r) / s.mod
		for _, x := range s.class[int64(r)%s.mod] {
			out.class[r] = append(out.class[r], classSpan(mod/s.mod, shift, x.lo, x.hi)...)
		}
	}
	return out
}

// proveByClasses replaces every symbol v with divisions by L·q + r, for all combinations of
// residues. On a class the floor divisions become polynomials, for which interval reasoning is
// exact enough. The number of combinations is bounded by maxClasses.
func (q *question) proveByClasses() Answer {
	p := q.pool
	mods := make([]int64, len(q.vars))
	total := int64(1)
	for i, v := range q.vars {
		mods[i] = q.cond.scale(v)
		if mods[i] == 0 {
			return Unknown
		}
		for _, g := range q.given {
			if m := g.scale(v); m > 0 {
				if m = lcm(mods[i], m, maxClasses); m > 0 {
					mods[i] = m
				}
			}
		}
		if total *= mods[i]; total > maxClasses {
			return Unknown
		}
	}
	if total == 1 {
		return Unknown
	}
	out := Unknown
	res := make([]int64, len(q.vars))
	for n := range total {
		empty := false
		values := make([]*Expr, len(q.vars))
		for i, v := range q.vars {
			res[i] = n % mods[i]
			n /= mods[i]
			if mods[i] == 1 {
				continue
			}
			in := classSpan(mods[i], res[i], v.lo, v.hi)
			if len(in) == 0 {
				empty = true
				break
			}
			k := p.Const(in[0].lo)
			if in[0].lo != in[0].hi {
				k = p.hiddenSymbol(v.name+"/"+p.Const(mods[i]).String(), v, in[0].lo, in[0].hi)
			}
			values[i] = p.AddConst(p.scale(k, mods[i]), res[i])
		}
		if empty {
			continue
		}
		s := substituter{pool: p, symbol: func(e *Expr) *Expr {
			for i, v := range q.vars {
				if v.self == e {
					return values[i]
				}
			}
			return nil
		}}
		pr := prover{pool: p}
		for _, g := range q.given {
			switch g = s.cond(g); {
			case g == p.no:
				empty = true
			case g != nil && g != p.yes:
				pr.given = append(pr.given, g)
			}
		}
		if empty {
			continue
		}
		ans := pr.cond(s.cond(q.cond))
		if ans == Unknown || out != Unknown && ans != out {
			return Unknown
		}
		out = ans
	}
	return out
}

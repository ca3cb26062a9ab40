// This file defines Facts, what is known about the symbols on one path of the program, and the reduction of
// expressions and conditions by it. Learning is in assume.go.

package symshape

// Facts is what is known about symbols on a path. It is an immutable value, cheap to copy; Assume makes a new one.
// The zero Facts knows the declared bounds of the symbols only.
//
// Knowledge that concerns a symbol alone, and equations, become substitutions: after H >= 32 and H % 4 == 0 the
// symbol H is replaced by 4·k with a symbol k of the solver's own whose declared bounds are 8 … ∞; after W == 2*H, W
// is replaced by 2*H; after X % N == 0, X is N·k. The constructors then find all consequences by themselves. What
// does not fit (a <= b, H != 7, alternatives) is kept as a list of conditions on the remaining symbols.
type Facts struct{ n *factNode }

type factNode struct {
	pool  *Pool
	conds []*Cond // as assumed
	subst []binding
	back  []binding // the solver's own symbols in terms of the user's
	rules []rule
	rest  []*Cond // not expressed by substitutions; reduced
	memo  *substituter

	decided map[*Cond]Decision
}

// binding replaces a symbol by an expression free of replaced symbols.
type binding struct {
	sym *atom
	to  *Expr
}

// rule replaces a monomial, also as a factor of others: N·(T·C // N) by T·C.
type rule struct {
	mono *mono
	to   *Expr
}

// maxFacts bounds the conditions kept; further ones are forgotten, which is sound.
const maxFacts = 64

// Conds returns the conditions that were assumed, without those that followed from earlier ones.
func (f Facts) Conds() []*Cond {
	if f.n == nil {
		return nil
	}
	return f.n.conds
}

// Reduce returns e in terms of the remaining symbols. Expressions with equal results are equal on this path.
func (f Facts) reduce(e *Expr) *Expr {
	if f.n == nil || e == nil {
		return e
	}
	return f.n.substituter().expr(e)
}

// symbols gives a function that reduces symbols, for one who asks for many.
func (f Facts) symbols() func(*atom) *Expr {
	if f.n == nil {
		return func(a *atom) *Expr { return a.self }
	}
	to := make(map[*atom]*Expr, len(f.n.subst))
	for _, b := range f.n.subst {
		to[b.sym] = b.to
	}
	return func(a *atom) *Expr {
		switch e := to[a]; {
		case len(f.n.rules) > 0:
			return f.reduce(a.self)
		case e != nil:
			return e
		}
		return a.self
	}
}

func (f Facts) reduceCond(c *Cond) *Cond {
	if f.n == nil || c == nil {
		return c
	}
	return f.n.substituter().cond(c)
}

// Equal reports whether a and b are certainly equal on this path, by their form alone. It is the quick test; Decide
// is the thorough one.
func (f Facts) Equal(a, b *Expr) bool {
	if a == nil || b == nil {
		return false
	}
	return a == b || f.n != nil && f.reduce(a.pool.Sub(a, b)).IsConst(0)
}

// Range returns an interval that holds e on this path.
func (f Facts) Range(e *Expr) (lo, hi int64) {
	if e == nil {
		return NegInf, PosInf
	}
	lo, hi = e.Bounds()
	if f.n == nil {
		return lo, hi
	}
	r := f.reduce(e)
	rlo, rhi := r.Bounds()
	lo, hi = max(lo, rlo), min(hi, rhi)
	if r == nil || len(r.terms) == 0 {
		return lo, hi
	}
	// a condition k·(terms of r) + c >= 0 bounds r directly
	for _, c := range f.n.rest {
		if c.kind != condGE {
			continue
		}
		if k, ok := ratio(r, c.e); ok {
			// k·(r - r.c) + c.e.c >= 0
			if k > 0 {
				lo = max(lo, addBound(-floorDiv(c.e.c, k), r.c))
			} else {
				hi = min(hi, addBound(floorDiv(c.e.c, -k), r.c))
			}
		}
	}
	return lo, hi
}

// ratio returns k with b = k·a up to the constants.
func ratio(a, b *Expr) (int64, bool) {
	if len(a.terms) != len(b.terms) {
		return 0, false
	}
	k := b.terms[0].coef / a.terms[0].coef
	for i, t := range a.terms {
		if u := b.terms[i]; u.mono != t.mono || k == 0 || u.coef != k*t.coef {
			return 0, false
		}
	}
	return k, true
}

// substituter returns the cached substitution of the node. The cache grows with the questions asked; it is the reason
// why Facts are bound to their pool's single thread.
func (n *factNode) substituter() *substituter {
	if n.memo == nil {
		n.memo = &substituter{pool: n.pool, symbol: func(s *Expr) *Expr {
			return lookup(n.subst, s.terms[0].mono.factors[0].atom)
		}}
		if len(n.rules) > 0 {
			n.memo.post = n.rewrite
		}
	}
	return n.memo
}

func lookup(bs []binding, a *atom) *Expr {
	for _, b := range bs {
		if b.sym == a {
			return b.to
		}
	}
	return nil
}

// rewrite applies the rules to the monomials of e.
func (n *factNode) rewrite(e *Expr) *Expr {
	p := n.pool
	for range 8 {
		before := e
		for _, r := range n.rules {
			if e == nil {
				return nil
			}
			for _, t := range e.terms {
				if q, ok := p.divMono(t.mono, r.mono); ok {
					// t = coef·q·mono: replace
					x := p.monoExpr(t.coef, q)
					e = p.Add(p.Sub(e, p.monoExpr(t.coef, t.mono)), p.Mul(x, r.to))
					break
				}
			}
		}
		if e == before {
			break
		}
	}
	return e
}

// backSubst returns an expression over remaining symbols in terms of the user's symbols.
func (n *factNode) backSubst(e *Expr) *Expr { return n.backSubstituter().expr(e) }

func (n *factNode) backCond(c *Cond) *Cond { return n.backSubstituter().cond(c) }

// backSubstituter undoes reduce. Where H is 4·k, 8·k is 2·H exactly, and k elsewhere is H // 4.
func (n *factNode) backSubstituter() *substituter {
	return &substituter{
		pool:   n.pool,
		symbol: func(x *Expr) *Expr { return lookup(n.back, x.terms[0].mono.factors[0].atom) },
		pre:    n.unreduce,
	}
}

// unreduce puts user symbols back for the monomials that replaced them.
func (n *factNode) unreduce(e *Expr) *Expr {
	p := n.pool
	for range maxTerms {
		before := e
		for _, b := range n.subst {
			if b.sym.hidden || len(b.to.terms) != 1 || !b.to.terms[0].mono.hasHidden() {
				continue
			}
			k := b.to.terms[0]
			for _, t := range e.terms {
				q, ok := p.divMono(t.mono, k.mono)
				if !ok || t.coef%k.coef != 0 {
					continue
				}
				x := p.Mul(p.monoExpr(t.coef/k.coef, q), p.AddConst(b.sym.self, -b.to.c))
				if y := p.Add(p.Sub(e, p.monoExpr(t.coef, t.mono)), x); y != nil {
					e = y
				}
				break
			}
		}
		if e == before {
			break
		}
	}
	return e
}

func (m *mono) hasHidden() bool {
	for _, f := range m.factors {
		if f.atom.hidden {
			return true
		}
	}
	return false
}

// Only is the value of e, where it can have one only.
func (f Facts) Only(e *Expr) (n int64, ok bool) {
	lo, hi := f.Range(e)
	return lo, lo == hi
}

// Simplify returns an expression equal to e on this path, in which equal symbols are replaced by the one declared
// first and divisions that are known to be exact are gone; e itself where that does not make it shorter.
func (f Facts) Simplify(e *Expr) *Expr {
	if f.n == nil || e == nil {
		return e
	}
	s := f.n.backSubst(f.reduce(e))
	if s == nil || s == e || anyHidden(s.Symbols()) || len(s.String()) > len(e.String()) {
		return e
	}
	return s
}

// anyHidden reports whether one of the symbols is the solver's own; such an expression must not leave the package.
func anyHidden(syms []*Expr) bool {
	for _, s := range syms {
		if s.atom().hidden {
			return true
		}
	}
	return false
}

// clone returns a copy that can be changed.
func (n *factNode) clone() *factNode {
	return &factNode{
		pool:  n.pool,
		conds: append([]*Cond(nil), n.conds...),
		subst: append([]binding(nil), n.subst...),
		back:  append([]binding(nil), n.back...),
		rules: append([]rule(nil), n.rules...),
		rest:  append([]*Cond(nil), n.rest...),
	}
}

// This file holds the ring operations on expressions: addition, multiplication, powers, substitution.

package symshape

// Add returns a + b. It is nil where an operand is unknown or a coefficient overflows, as for all
// operations here.
func (p *Pool) Add(a, b *Expr) *Expr { return p.addScaled(a, b, 1) }

// Sub returns a - b.
func (p *Pool) Sub(a, b *Expr) *Expr { return p.addScaled(a, b, -1) }

// Neg returns -a.
func (p *Pool) Neg(a *Expr) *Expr { return p.scale(a, -1) }

// AddConst returns a + n.
func (p *Pool) AddConst(a *Expr, n int64) *Expr {
	if a == nil {
		return nil
	}
	c, ok := addOverflow(a.c, n)
	if !ok {
		return nil
	}
	return p.intern(a.terms, c)
}

// Sum returns the sum of all xs.
func (p *Pool) Sum(xs ...*Expr) *Expr {
	s := p.Const(0)
	for _, x := range xs {
		s = p.Add(s, x)
	}
	return s
}

// Product returns the product of all xs: the number of elements of a shape.
func (p *Pool) Product(xs ...*Expr) *Expr {
	s := p.Const(1)
	for _, x := range xs {
		s = p.Mul(s, x)
	}
	return s
}

// addScaled returns a + k·b. Terms of both are sorted by monomial, so it is a merge in linear
// time.
func (p *Pool) addScaled(a, b *Expr, k int64) *Expr {
	if a == nil || b == nil {
		return nil
	}
	kc, ok := mulOverflow(b.c, k)
	if !ok {
		return nil
	}
	c, ok := addOverflow(a.c, kc)
	if !ok {
		return nil
	}
	if len(b.terms) == 0 {
		return p.intern(a.terms, c)
	}
	buf, ok := mergeTerms(p.buf[:0], a.terms, b.terms, k)
	p.buf = buf
	if !ok {
		return nil
	}
	return p.intern(buf, c)
}

// mergeTerms appends the terms of a + k·b to dst. Terms that cancel are left out; false is an
// overflow.
func mergeTerms(dst, a, b []term, k int64) ([]term, bool) {
	for len(a) > 0 || len(b) > 0 {
		var order int
		switch {
		case len(a) == 0:
			order = 1
		case len(b) == 0:
			order = -1
		default:
			order = compareMono(a[0].mono, b[0].mono)
		}
		if order < 0 {
			dst = append(dst, a[0])
			a = a[1:]
			continue
		}
		x, ok := mulOverflow(b[0].coef, k)
		if !ok {
			return dst, false
		}
		if order == 0 {
			if x, ok = addOverflow(a[0].coef, x); !ok {
				return dst, false
			}
			a = a[1:]
		}
		if x != 0 {
			dst = append(dst, term{x, b[0].mono})
		}
		b = b[1:]
	}
	return dst, true
}

// scale returns k·a.
func (p *Pool) scale(a *Expr, k int64) *Expr {
	switch {
	case a == nil:
		return nil
	case k == 1:
		return a
	case k == 0:
		return p.Const(0)
	}
	c, ok := mulOverflow(a.c, k)
	if !ok {
		return nil
	}
	buf := p.buf[:0]
	for _, t := range a.terms {
		x, ok := mulOverflow(t.coef, k)
		if !ok {
			return nil
		}
		buf = append(buf, term{x, t.mono})
	}
	p.buf = buf
	return p.intern(buf, c)
}

// Mul returns a·b. It is the schoolbook product, one row for each term of the shorter factor.
// Products with too many terms are unknown: an expression that large says nothing to a person and
// costs in each operation.
func (p *Pool) Mul(a, b *Expr) *Expr {
	switch {
	case a == nil || b == nil:
		return nil
	case len(a.terms) == 0:
		return p.scale(b, a.c)
	case len(b.terms) == 0:
		return p.scale(a, b.c)
	case len(a.terms)*len(b.terms) > maxTerms*maxTerms/4:
		return nil
	}
	if len(a.terms) > len(b.terms) {
		a, b = b, a
	}
	sum := p.scale(b, a.c)
	for _, t := range a.terms {
		sum = p.Add(sum, p.mulTerm(b, t.coef, t.mono))
	}
	return sum
}

// mulTerm returns a·k·m. The order of monomials is compatible with multiplication, so the result
// is sorted.
func (p *Pool) mulTerm(a *Expr, k int64, m *mono) *Expr {
	buf := p.buf[:0]
	for _, t := range a.terms {
		x, ok := mulOverflow(t.coef, k)
		if !ok {
			return nil
		}
		prod := p.mulMono(t.mono, m)
		if prod == nil {
			return nil
		}
		buf = append(buf, term{x, prod})
	}
	if a.c != 0 {
		x, ok := mulOverflow(a.c, k)
		if !ok {
			return nil
		}
		buf = append(buf, term{x, m})
	}
	p.buf = buf
	return p.intern(buf, 0)
}

// mulMono returns the product of two monomials, nil where its degree is too high. Factors are
// sorted by atom and merged.
func (p *Pool) mulMono(a, b *mono) *mono {
	if a.deg+b.deg > maxPower {
		return nil
	}
	fs, x, y := p.fbuf[:0], a.factors, b.factors
	for len(x) > 0 || len(y) > 0 {
		switch {
		case len(x) == 0:
			fs, y = append(fs, y...), nil
		case len(y) == 0:
			fs, x = append(fs, x...), nil
		default:
			switch c := compareAtom(x[0].atom, y[0].atom); {
			case c < 0:
				fs, x = append(fs, x[0]), x[1:]
			case c > 0:
				fs, y = append(fs, y[0]), y[1:]
			default:
				fs = append(fs, factor{x[0].atom, x[0].pow + y[0].pow})
				x, y = x[1:], y[1:]
			}
		}
	}
	p.fbuf = fs
	return p.internMono(fs)
}

// divMono returns a/b, or nil and false when b does not divide a. The monomial 1 is nil.
// Exponents are subtracted, and none may become negative.
func (p *Pool) divMono(a, b *mono) (*mono, bool) {
	if b == nil {
		return a, true
	}
	if a == nil {
		return nil, false
	}
	fs, y := p.fbuf[:0], b.factors
	for _, f := range a.factors {
		if len(y) > 0 && f.atom == y[0].atom {
			if f.pow < y[0].pow {
				return nil, false
			}
			if f.pow > y[0].pow {
				fs = append(fs, factor{f.atom, f.pow - y[0].pow})
			}
			y = y[1:]
			continue
		}
		fs = append(fs, f)
	}
	p.fbuf = fs
	if len(y) > 0 {
		return nil, false
	}
	if len(fs) == 0 {
		return nil, true
	}
	return p.internMono(fs), true
}

// monoExpr returns k·m; m nil is the monomial 1.
func (p *Pool) monoExpr(k int64, m *mono) *Expr {
	if m == nil || k == 0 {
		return p.Const(k)
	}
	t := [1]term{{k, m}}
	return p.intern(t[:], 0)
}

// Pow returns a**n. A negative n gives nil: the result is not an integer expression. Powers of a
// single term go by repeated squaring; those of sums by repeated multiplication, which keeps the
// intermediate results small. Powers of 0, 1 and -1 depend on the parity alone.
func (p *Pool) Pow(a *Expr, n int) *Expr {
	if a == nil || n < 0 {
		return nil
	}
	if c, ok := a.Const(); ok && (c == 0 || c == 1 || c == -1) {
		if n > 2 {
			n = 2 + n%2
		}
	}
	if n > maxPower {
		return nil
	}
	r := p.Const(1)
	if len(a.terms) <= 1 && (len(a.terms) == 0 || a.c == 0) { // no power of it has more terms
		for ; n > 0; n >>= 1 {
			if n&1 != 0 {
				r = p.Mul(r, a)
			}
			if n > 1 {
				a = p.Mul(a, a)
			}
		}
		return r
	}
	for ; n > 0 && r != nil; n-- {
		r = p.Mul(r, a)
	}
	return r
}

// content is the greatest common divisor of the coefficients of e without its constant; 0 for a constant.
func (e *Expr) content() int64 {
	g := int64(0)
	for _, t := range e.terms {
		if g = gcd(g, t.coef); g == 1 {
			break
		}
	}
	return g
}

// divContent returns e with all coefficients divided by g and the constant replaced by c.
func (p *Pool) divContent(e *Expr, g, c int64) *Expr {
	if g == 1 {
		return p.intern(e.terms, c)
	}
	buf := p.buf[:0]
	for _, t := range e.terms {
		buf = append(buf, term{t.coef / g, t.mono})
	}
	p.buf = buf
	return p.intern(buf, c)
}

// Subst returns e with every symbol s replaced by f(s); f returns nil to keep a symbol. Everything is rebuilt by the
// constructors, so the result is canonical. The result is nil when f makes a part unknown.
func (p *Pool) Subst(e *Expr, f func(sym *Expr) *Expr) *Expr {
	s := substituter{pool: p, symbol: f}
	return s.expr(e)
}

// substituter rebuilds expressions bottom up, once per shared part.
type substituter struct {
	pool   *Pool
	symbol func(*Expr) *Expr
	post   func(*Expr) *Expr // applied to every rebuilt expression; may be nil
	pre    func(*Expr) *Expr // applied to every expression before; may be nil
	exprs  map[*Expr]*Expr
	atoms  map[*atom]*Expr
}

// expr substitutes in an expression. What did not change is not made anew: rebuilding would walk through all
// simplifications for nothing. Results are remembered, since expressions share parts. pre and
// post are hooks for simplification, which goes over the same parts.
func (s *substituter) expr(e *Expr) *Expr {
	if e == nil || len(e.terms) == 0 {
		return e
	}
	if r, ok := s.exprs[e]; ok {
		return r
	}
	p, key := s.pool, e
	if s.pre != nil {
		e = s.pre(e)
	}
	changed := false
	for _, t := range e.terms {
		for _, f := range t.mono.factors {
			if s.atom(f.atom) != f.atom.self {
				changed = true
			}
		}
	}
	r := e
	if changed {
		r = p.Const(e.c)
		for _, t := range e.terms {
			x := p.Const(t.coef)
			for _, f := range t.mono.factors {
				x = p.Mul(x, p.Pow(s.atom(f.atom), int(f.pow)))
			}
			r = p.Add(r, x)
		}
	}
	if s.post != nil {
		r = s.post(r)
	}
	if s.exprs == nil {
		s.exprs = map[*Expr]*Expr{}
	}
	s.exprs[key] = r
	return r
}

// atom substitutes in an atom's arguments and builds it again by the pool, which may simplify it further.
func (s *substituter) atom(a *atom) *Expr {
	if r, ok := s.atoms[a]; ok {
		return r
	}
	p, r := s.pool, a.self
	switch a.kind {
	case atomSymbol:
		if x := s.symbol(a.self); x != nil {
			r = x
		}
	case atomDiv:
		x, y := s.expr(a.args[0]), s.expr(a.args[1])
		if x != a.args[0] || y != a.args[1] {
			r = p.FloorDiv(x, y)
		}
	case atomMax, atomMin:
		args := make([]*Expr, len(a.args))
		changed := false
		for i, x := range a.args {
			args[i] = s.expr(x)
			changed = changed || args[i] != x
		}
		if changed {
			r = p.extremum(a.kind, args)
		}
	case atomReal:
		if x := a.real.subst(s); x != a.real {
			r = p.roundReal(Real{x}, a.round)
		}
	}
	if s.atoms == nil {
		s.atoms = map[*atom]*Expr{}
	}
	s.atoms[a] = r
	return r
}

// mapAtoms returns e with the atoms of its own monomials replaced, without looking into them.
func (p *Pool) mapAtoms(e *Expr, f func(*atom) *Expr) *Expr {
	r := p.Const(e.c)
	for _, t := range e.terms {
		x := p.Const(t.coef)
		for _, g := range t.mono.factors {
			x = p.Mul(x, p.Pow(f(g.atom), int(g.pow)))
		}
		r = p.Add(r, x)
	}
	return r
}

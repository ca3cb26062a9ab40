// This file finds the forms of an expression that read best: remainders, ceilings, shifted divisions and products.
//
// The canonical form has no remainders, ceilings or maxima under a minus: a % n is a - n·(a // n)
// there. That is good for computing and bad for reading. Printing therefore looks for these
// patterns and writes them back; nothing here changes an expression.

package symshape

// pieces turns the terms of e into summands, and finds forms that are shorter than the canonical one:
// `a % n` for a - n·(a // n), and (a + n·c) // n for a // n + c, ceil and max where
// they hide behind a minus sign. It returns the summands and the constant that is left. Each
// pattern takes the terms that it consists of off the list, remainders first, since their
// division would otherwise be taken for a term of its own.
func (w *printer) pieces(e *Expr) ([]piece, int64) {
	p, c := e.pool, e.c
	out := make([]piece, 0, len(e.terms))
	compound := false
	for _, t := range e.terms {
		for _, f := range t.mono.factors {
			compound = compound || f.atom.kind != atomSymbol
		}
	}
	if !compound {
		for _, t := range e.terms {
			out = append(out, piece{coef: t.coef, mono: t.mono})
		}
		return out, c
	}
	rest := append([]term(nil), e.terms...)
	find := func(m *mono) *term {
		for i := range rest {
			if rest[i].mono == m && rest[i].coef != 0 {
				return &rest[i]
			}
		}
		return nil
	}
	special := make(map[*mono]piece)
	// a % n
	for i := range rest {
		t := &rest[i]
		if t.coef == 0 {
			continue
		}
		a, k := w.modulus(t)
		if a == nil {
			continue
		}
		num, den, fits := a.args[0], a.args[1], true
		for _, u := range num.terms {
			r := find(u.mono)
			want, ok := mulOverflow(u.coef, k)
			fits = fits && ok && r != nil && r != t && (r.coef < 0) == (want < 0) && absU(r.coef) >= absU(want)
		}
		shift, ok := mulOverflow(num.c, k)
		if !fits || !ok {
			continue
		}
		home := t.mono
		t.coef = 0
		for j, u := range num.terms {
			r := find(u.mono)
			want, _ := mulOverflow(u.coef, k)
			if r.coef -= want; j == 0 && r.coef == 0 {
				home = r.mono // the place of the first term, unless some of it remains
			}
		}
		c -= shift
		num2, k2 := num, k
		if n, ok := den.Const(); ok && k < 0 && num.c == n-1 {
			// -((x + n - 1) % n) + n - 1 is -x % n
			num2, k2 = p.Neg(p.AddConst(num, 1-n)), -k
			c += k * (n - 1)
		}
		special[home] = piece{coef: k2, prec: precProd, number: len(num.terms) == 0, text: func() {
			w.expr(num2, precUnary)
			w.op("%")
			w.expr(den, precUnary)
		}}
	}
	for i := range rest {
		t := &rest[i]
		a := t.mono.atom()
		if a == nil || t.coef == 0 || special[t.mono].text != nil {
			continue
		}
		switch {
		case a.kind == atomDiv && t.coef == 1:
			// (a + n·c) // n
			num, den := a.args[0], a.args[1]
			n, ok := den.Const()
			if !ok {
				continue
			}
			num = p.absorb(num, n, find)
			if shift, ok := mulOverflow(n, c); ok && c != 0 && num.c != 0 {
				if x := p.AddConst(num, shift); x != nil && x.c != n-1 {
					num, c = x, 0
				}
			}
			if num == a.args[0] {
				continue
			}
			special[t.mono] = piece{coef: 1, prec: precProd, text: func() {
				w.expr(num, precUnary)
				w.op("//")
				w.expr(den, precUnary)
			}}
		case a.kind == atomDiv && t.coef < 0 && len(a.args[1].terms) > 0 && a.args[1].lo > 0 && allNegative(a.args[0].terms) && a.args[0].c <= 0:
			// -((-a) // b) is ceil(a / b)
			num, den := p.Neg(a.args[0]), a.args[1]
			if num == nil {
				continue
			}
			special[t.mono] = piece{coef: -t.coef, prec: precAtom, text: func() {
				w.WriteString("ceil(")
				w.expr(num, precProd)
				w.op("/")
				w.expr(den, precUnary)
				w.WriteByte(')')
			}}
		case a.kind == atomMin && t.coef < 0:
			// -min(a - 3, 0) is max(3 - a, 0)
			args, constant, fits := make([]*Expr, len(a.args)), false, true
			for j, x := range a.args {
				args[j] = p.Neg(x)
				constant = constant || len(x.terms) == 0
				fits = fits && (len(x.terms) > 0 && x.terms[0].coef > 0 || len(x.terms) == 0 && x.c >= 0)
			}
			if !constant || !fits {
				continue
			}
			special[t.mono] = piece{coef: -t.coef, prec: precAtom, text: func() { w.call("max", args) }}
		}
	}
	for _, t := range e.terms {
		if s, ok := special[t.mono]; ok {
			out = append(out, s)
			continue
		}
		for _, r := range rest {
			if r.mono == t.mono && r.coef != 0 {
				out = append(out, piece{coef: r.coef, mono: r.mono})
			}
		}
	}
	return out, c
}

// modulus finds, for a term -k·n·(a // n), the division and k; n is a constant or one monomial.
// It is nil when the term is no such product.
func (w *printer) modulus(t *term) (*atom, int64) {
	for _, f := range t.mono.factors {
		a := f.atom
		if a.kind != atomDiv || f.pow != 1 {
			continue
		}
		den := a.args[1]
		if n, ok := den.Const(); ok {
			if len(t.mono.factors) == 1 && t.coef%n == 0 {
				return a, -(t.coef / n)
			}
			continue
		}
		if len(den.terms) != 1 || den.c != 0 || t.coef%den.terms[0].coef != 0 {
			continue
		}
		if m, ok := a.self.pool.divMono(t.mono, den.terms[0].mono); ok && m != nil && m.atom() == a {
			return a, -(t.coef / den.terms[0].coef)
		}
	}
	return nil, 0
}

// absorb moves terms of the sum around num // n into the division, where that makes num no larger:
// (T + K) // 2 - K is (T - K) // 2. find gives the term of the surrounding sum with a monomial.
func (p *Pool) absorb(num *Expr, n int64, find func(*mono) *term) *Expr {
	out := num
	var used []*term
	for _, u := range num.terms {
		t := find(u.mono)
		if t == nil || t.mono.atom() != nil && t.mono.atom().kind != atomSymbol {
			continue
		}
		k, ok := mulOverflow(n, t.coef)
		if !ok || absU(u.coef+k) > absU(u.coef) {
			continue
		}
		if out = p.Add(out, p.monoExpr(k, u.mono)); out == nil {
			return num
		}
		used = append(used, t)
	}
	if allNegative(out.terms) { // reads back as a negated ceiling
		return num
	}
	for _, t := range used {
		t.coef = 0
	}
	return out
}

// factors returns e as a product of at least two factors, numbers first, or nil. It finds common factors, and sums
// that separate: H·W - 2·H - 2·W + 4 is (H - 2)·(W - 2). It is no complete factorisation, which
// would cost too much for a text: common factors, factors that are linear in one atom, and
// quadratics of one atom with integer roots.
func (e *Expr) factors() []*Expr {
	if e.size() < 2 {
		return nil
	}
	deg := int32(0)
	for _, t := range e.terms {
		deg = max(deg, t.mono.deg)
	}
	if deg < 2 || e.size() < 3 && e.c != 0 {
		return nil
	}
	p, rest := e.pool, e
	var fs []*Expr
	if g := gcd(e.content(), e.c); g > 1 {
		fs = append(fs, p.Const(g))
		rest = p.divContent(rest, g, rest.c/g)
	}
	if rest.c == 0 {
		if m := p.gcdMono(rest.terms, rest.terms[0].mono); m != nil {
			fs = append(fs, p.monoExpr(1, m))
			rest = p.divByMono(rest, m)
		}
	}
	for again := true; again && len(rest.terms) > 0; {
		again = false
		for _, x := range rest.mainAtoms() {
			f, q := p.separate(rest, x)
			if f == nil {
				f, q = p.quadratic(rest, x)
			}
			if f != nil {
				fs, rest, again = append(fs, f), q, true
				break
			}
		}
	}
	if len(fs) == 0 || len(fs) == 1 && len(fs[0].terms) == 0 {
		return nil // a number times a sum reads better multiplied out
	}
	if !rest.IsConst(1) {
		if rest.IsConst(-1) {
			return append([]*Expr{rest}, fs...)
		}
		fs = append(fs, rest)
	}
	if len(fs) < 2 {
		return nil
	}
	return fs
}

// mainAtoms returns the atoms of the monomials of e, each once.
func (e *Expr) mainAtoms() []*atom {
	var out []*atom
	for _, t := range e.terms {
	next:
		for _, f := range t.mono.factors {
			for _, a := range out {
				if a == f.atom {
					continue next
				}
			}
			out = append(out, f.atom)
		}
	}
	return out
}

// split writes e as a·x + b; a is nil when e is not linear in atom x.
func (p *Pool) split(e *Expr, x *atom) (a, b *Expr) {
	a, b = p.Const(0), p.Const(e.c)
	one := p.internMono([]factor{{x, 1}})
	for _, t := range e.terms {
		m, ok := p.divMono(t.mono, one)
		if !ok {
			b = p.Add(b, p.monoExpr(t.coef, t.mono))
			continue
		}
		if m != nil {
			for _, f := range m.factors {
				if f.atom == x {
					return nil, nil
				}
			}
		}
		a = p.Add(a, p.monoExpr(t.coef, m))
	}
	return a, b
}

// separate writes e as f·q with f = g·x + k, where x does not occur in k and q, or returns nil.
// With e = a·x + b it asks whether the primitive part of a divides b.
func (p *Pool) separate(e *Expr, x *atom) (f, q *Expr) {
	a, b := p.split(e, x)
	if a == nil || len(a.terms) == 0 {
		return nil, nil
	}
	g := gcd(a.content(), a.c)
	q = p.divContent(a, g, a.c/g)
	if q.terms[0].coef < 0 {
		q, g = p.Neg(q), -g
	}
	if q == nil {
		return nil, nil
	}
	// b = k·q, or there is no such factor
	k := p.Const(0)
	if !b.IsConst(0) {
		if len(q.terms) > len(b.terms) {
			return nil, nil
		}
		var r *Expr
		if k, r = p.polyDiv(b, q); k == nil || !r.IsConst(0) {
			return nil, nil
		}
	}
	f = p.Add(p.scale(x.self, g), k)
	if f == nil {
		return nil, nil
	}
	return f, q
}

// quadratic writes a·x² + b·x + c, in one atom only, as (x - r)·(a·x - a·s) for integer roots r
// and s. The root of the discriminant is found bit by bit and must be exact; the coefficients are
// bounded so that nothing overflows.
func (p *Pool) quadratic(e *Expr, x *atom) (f, q *Expr) {
	if len(e.terms) == 0 || len(e.terms) > 2 {
		return nil, nil
	}
	var co [3]int64
	co[0] = e.c
	for _, t := range e.terms {
		fs := t.mono.factors
		if len(fs) != 1 || fs[0].atom != x || fs[0].pow > 2 {
			return nil, nil
		}
		co[fs[0].pow] = t.coef
	}
	a, b, c := co[2], co[1], co[0]
	if a == 0 || c == 0 || absU(a) > 1<<20 || absU(b) > 1<<30 || absU(c) > 1<<30 {
		return nil, nil
	}
	disc := b*b - 4*a*c
	if disc < 0 {
		return nil, nil
	}
	root := int64(0)
	for bit := int64(1) << 31; bit > 0; bit >>= 1 {
		if r := root | bit; r*r <= disc {
			root = r
		}
	}
	if root*root != disc || (-b+root)%(2*a) != 0 || (-b-root)%(2*a) != 0 {
		return nil, nil
	}
	r, s := (-b+root)/(2*a), (-b-root)/(2*a)
	return p.AddConst(x.self, -r), p.scale(p.AddConst(x.self, -s), a)
}

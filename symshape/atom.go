// This file holds the constructors of compound atoms with their rewrite rules: floor division and what is made of it.
//
// Every rule names its side condition. The rules are applied in the order of the code; together they give one form to
// all expressions which differ only by multiples of the divisor, by common factors or by nesting of divisions.

package symshape

// FloorDiv returns a // b as Python defines it (rounding down). It is nil when b is the constant 0.
// When b may be zero for some values of its symbols, the result stands for the values where it is not.
func (p *Pool) FloorDiv(a, b *Expr) *Expr {
	if a == nil || b == nil || b.IsConst(0) {
		return nil
	}
	if len(b.terms) == 0 {
		if len(a.terms) == 0 {
			return p.Const(floorDiv(a.c, b.c))
		}
		if b.c == 1 {
			return a
		}
	}
	key := divKey{a, b}
	if r, ok := p.divs[key]; ok {
		return r
	}
	var r *Expr
	switch n, ok := b.Const(); {
	case ok && n < 0 && -n < 0: // -2^63 has no opposite
	case ok && n < 0: // a // n = (-a) // (-n), always
		r = p.FloorDiv(p.Neg(a), p.Const(-n))
	case ok:
		r = p.divConst(a, n)
	default:
		r = p.divExpr(a, b)
	}
	p.divs[key] = r
	return r
}

// divConst is a // n for n > 1.
func (p *Pool) divConst(a *Expr, n int64) *Expr {
	// (g·x + c) // (g·n) = (x + c // g) // n for integers g > 0, x
	if g := gcd(a.content(), n); g > 1 {
		a = p.divContent(a, g, floorDiv(a.c, g))
		if n /= g; n == 1 {
			return a
		}
	}
	// (-x) // n = -((x + n - 1) // n): only to keep the idiom -(-x // n) from hiding behind the next rule
	if allNegative(a.terms) {
		return p.Neg(p.FloorDiv(p.AddConst(p.Neg(a), n-1), p.Const(n)))
	}
	// (n·q + r) // n = q + r // n for integers q. Coefficients go to -n/2 < k <= n/2, the constant to 0 … n-1.
	q, r := p.splitMultiple(a, n)
	if len(r.terms) == 0 || r.lo >= 0 && r.hi < n {
		return q // 0 <= r < n
	}
	// r // n = -((n - 1 - r) // n), applied when the first coefficient that can change its sign is negative
	neg := false
	for _, t := range r.terms {
		if 2*t.coef != n {
			neg = t.coef < 0
			break
		}
	}
	if neg {
		q2, r2 := p.splitMultiple(p.AddConst(p.Neg(r), n-1), n)
		return p.Sub(p.Sub(q, q2), p.divAtom(r2, n))
	}
	return p.Add(q, p.divAtom(r, n))
}

// divAtom is r // n for a numerator which splitMultiple has reduced.
func (p *Pool) divAtom(r *Expr, n int64) *Expr {
	// (x // m + e) // n = (x + m·e) // (m·n) and (e - x // m) // n = (m·e - x + m - 1) // (m·n) for integers m, n > 0
	// and any integer e. Only when it is clear which division to take.
	var inner *atom
	var sign int64
	for _, t := range r.terms {
		a := t.mono.atom()
		if a == nil || a.kind != atomDiv || t.coef != 1 && t.coef != -1 {
			continue
		}
		if _, ok := a.args[1].Const(); !ok {
			continue
		}
		if inner != nil {
			inner = nil
			break
		}
		inner, sign = a, t.coef
	}
	if inner != nil {
		m, _ := inner.args[1].Const()
		if mn, ok := mulOverflow(m, n); ok && mn < 1<<40 {
			e := p.addScaled(r, inner.self, -sign)
			num := p.addScaled(p.scale(inner.args[0], sign), e, m)
			if sign < 0 {
				num = p.AddConst(num, m-1)
			}
			if num != nil {
				return p.FloorDiv(num, p.Const(mn))
			}
		}
	}
	return p.internAtom(atomDiv, []*Expr{r, p.Const(n)}, 0, nil)
}

func allNegative(ts []term) bool {
	for _, t := range ts {
		if t.coef > 0 {
			return false
		}
	}
	return true
}

// splitMultiple writes a as n·q + r, with coefficients of r in (-n/2, n/2] and its constant in [0, n). Neither overflows:
// their terms are some of a's, with coefficients that are no larger.
func (p *Pool) splitMultiple(a *Expr, n int64) (q, r *Expr) {
	plain := a.c >= 0 && a.c < n
	for _, t := range a.terms {
		if k := balanced(t.coef, n); k != t.coef {
			plain = false
		}
	}
	if plain {
		return p.Const(0), a
	}
	buf := p.buf[:0]
	for _, t := range a.terms {
		if k := balanced(t.coef, n); k != 0 {
			buf = append(buf, term{k, t.mono})
		}
	}
	p.buf = buf
	r = p.intern(buf, floorMod(a.c, n))
	buf = p.buf[:0]
	for _, t := range a.terms {
		if k := (t.coef - balanced(t.coef, n)) / n; k != 0 {
			buf = append(buf, term{k, t.mono})
		}
	}
	p.buf = buf
	return p.intern(buf, floorDiv(a.c, n)), r
}

// balanced is the representative of k modulo n in (-n/2, n/2].
func balanced(k, n int64) int64 {
	r := floorMod(k, n)
	if r > n-r {
		r -= n
	}
	return r
}

// divExpr is a // b for a divisor with symbols.
func (p *Pool) divExpr(a, b *Expr) *Expr {
	if b.terms[0].coef < 0 { // a // b = (-a) // (-b), always
		a, b = p.Neg(a), p.Neg(b)
		if a == nil || b == nil {
			return nil
		}
	}
	// (g·x) // (g·y) = x // y for g != 0: powers of atoms in all terms, then the common integer
	if g := commonMono(p, a, b); g != nil {
		return p.FloorDiv(p.divByMono(a, g), p.divByMono(b, g))
	}
	if len(a.terms) == 0 && a.c == 0 {
		return p.Const(0)
	}
	// (q·b + r) // b = q + r // b for integers q
	q, r := p.polyDiv(a, b)
	if g := gcd(gcd(b.content(), b.c), r.content()); g > 1 {
		// (g·x + c) // (g·y) = (x + c // g) // y for y > 0, or for any y when g divides c
		if b.lo > 0 || r.c%g == 0 {
			return p.Add(q, p.FloorDiv(p.divContent(r, g, floorDiv(r.c, g)), p.divContent(b, g, b.c/g)))
		}
	}
	if len(r.terms) == 0 && r.c == 0 {
		return q
	}
	// r // b = 0 for 0 <= r < b
	if r.lo >= 0 && b.lo > 0 {
		if d := p.Sub(b, r); d != nil && d.lo > 0 {
			return q
		}
	}
	// (x // m) // b = x // (m·b) for b > 0
	if in := r.atom(); in != nil && in.kind == atomDiv && b.lo > 0 {
		if mb := p.Mul(in.args[1], b); mb != nil {
			return p.Add(q, p.FloorDiv(in.args[0], mb))
		}
	}
	return p.Add(q, p.internAtom(atomDiv, []*Expr{r, b}, 0, nil))
}

// commonMono returns the greatest monomial that divides all terms of a and of b, or nil for 1.
func commonMono(p *Pool, a, b *Expr) *mono {
	if b.c != 0 || a.c != 0 || len(a.terms) == 0 {
		return nil
	}
	return p.gcdMono(b.terms, p.gcdMono(a.terms, a.terms[0].mono))
}

// gcdMono returns the greatest divisor of m that divides all terms; nil is 1.
func (p *Pool) gcdMono(ts []term, m *mono) *mono {
	for _, t := range ts {
		if m == nil {
			return nil
		}
		if t.mono == m {
			continue
		}
		fs := p.fbuf[:0]
		for _, f := range m.factors {
			for _, g := range t.mono.factors {
				if g.atom == f.atom {
					fs = append(fs, factor{f.atom, min(f.pow, g.pow)})
				}
			}
		}
		p.fbuf = fs
		if len(fs) == 0 {
			return nil
		}
		m = p.internMono(fs)
	}
	return m
}

// divByMono returns e / m; m divides every term.
func (p *Pool) divByMono(e *Expr, m *mono) *Expr {
	r := p.Const(e.c)
	for _, t := range e.terms {
		d, _ := p.divMono(t.mono, m)
		r = p.Add(r, p.monoExpr(t.coef, d))
	}
	return r
}

// polyDiv writes a as q·b + r by long division on the leading term of b, and keeps the result only where it makes
// r simpler than a: q = 0 otherwise.
func (p *Pool) polyDiv(a, b *Expr) (q, r *Expr) {
	lead := b.terms[0]
	single := len(b.terms) == 1 && b.c == 0 // then all multiples of b are taken out
	q, r = p.Const(0), a
	for range maxTerms {
		var step *Expr
		for _, t := range r.terms {
			k := t.coef / lead.coef
			if single {
				k = floorDiv(t.coef, lead.coef)
			}
			if k == 0 {
				continue
			}
			if m, ok := p.divMono(t.mono, lead.mono); ok {
				step = p.monoExpr(k, m)
				break
			}
		}
		if step == nil {
			break
		}
		nr := p.Sub(r, p.Mul(step, b))
		if nr == nil {
			break
		}
		q, r = p.Add(q, step), nr
		if q == nil {
			break
		}
	}
	if q == nil || !single && r.size() >= a.size() {
		return p.Const(0), a
	}
	return q, r
}

// size is the number of terms, the constant included.
func (e *Expr) size() int {
	if e.c != 0 {
		return len(e.terms) + 1
	}
	return len(e.terms)
}

// Mod returns a % b as Python defines it: a - b·(a // b), with the sign of b. It is nil when b is the constant 0.
func (p *Pool) Mod(a, b *Expr) *Expr {
	return p.Sub(a, p.Mul(b, p.FloorDiv(a, b)))
}

// CeilDiv returns a / b rounded up: -((-a) // b).
func (p *Pool) CeilDiv(a, b *Expr) *Expr {
	if n, ok := b.Const(); ok && n > 0 {
		return p.FloorDiv(p.AddConst(a, n-1), b) // the form that nests
	}
	return p.Neg(p.FloorDiv(p.Neg(a), b))
}

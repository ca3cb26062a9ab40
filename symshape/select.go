// This file finds one expression for a size that depends on a condition: Select.

package symshape

// maxSelect bounds the terms of the sizes that Select compares: proofs about longer ones are not worth their time.
const maxSelect = 12

// Select returns an expression that equals a where c holds and b where it does not, for all sizes that satisfy f. It
// is nil when none of the forms that are tried can be proved: a or b alone (the padding is nothing where the size
// fits), the larger or smaller of the two, and the next multiple:
//
//	if H % 8 != 0: H = H + 8 - H % 8        →  8*ceil(H/8)
//
// The sum a*[c] + b*(1-[c]) would be right for all, but it is not linear: later questions about it would not be decided,
// and nobody could read it. The caller makes a new symbol where Select has no form.
func (f Facts) Select(c *Cond, a, b *Expr) *Expr {
	if a == b {
		return a
	}
	if c == nil || a == nil || b == nil {
		return nil
	}
	if len(a.terms) > maxSelect || len(b.terms) > maxSelect || !related(c, a, b) {
		return nil
	}
	p := c.pool
	yes, ok := f.Assume(c)
	if !ok {
		return b
	}
	no, ok := f.Assume(p.Not(c))
	if !ok {
		return a
	}
	agree := func(g Facts, x, y *Expr) bool { return x == y || g.Decide(p.Eq(x, y)).Answer == Yes }
	if agree(yes, a, b) {
		return b
	}
	if agree(no, a, b) {
		return a
	}
	for _, e := range p.selections(c, a, b) {
		if e != nil && agree(yes, e, a) && agree(no, e, b) {
			return e
		}
	}
	return nil
}

// related reports whether c speaks of a symbol of a or b: otherwise it decides nothing about them.
func related(c *Cond, a, b *Expr) bool {
	var set symSet
	set.addExpr(a)
	set.addExpr(b)
	return sharesSymbol(c, set.atoms)
}

// selections are the forms that Select tries.
func (p *Pool) selections(c *Cond, a, b *Expr) []*Expr {
	switch c.kind {
	case condGE: // also n % m > 0
		return append([]*Expr{p.Max(a, b), p.Min(a, b)}, p.nextMultiples(c.e, b, a)...)
	case condNE:
		return p.nextMultiples(c.e, b, a)
	case condEQ:
		return p.nextMultiples(c.e, a, b)
	}
	return nil
}

// nextMultiples are a + (b - a) % m: a where e % m is nothing, and b = a + m - e % m elsewhere.
func (p *Pool) nextMultiples(e, a, b *Expr) []*Expr {
	var out []*Expr
	if d := p.Sub(b, a); d != nil {
		for _, m := range divisors(e, nil) {
			out = append(out, p.Add(a, p.Mod(d, m)))
		}
	}
	return out
}

// divisors appends what e divides by.
func divisors(e *Expr, out []*Expr) []*Expr {
	for _, t := range e.terms {
		for _, x := range t.mono.factors {
			if x.atom.kind == atomDiv {
				out = append(out, x.atom.args[1])
			}
		}
	}
	return out
}

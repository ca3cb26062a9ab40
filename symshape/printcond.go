// This file prints conditions: `H % 32 == 0`, `32 <= H <= 35`, `B1 == B2`.
//
// The canonical form is e == 0, e != 0 or e >= 0. Printed like that it would be unreadable, so
// that summands are moved to the side where they are positive, and remainders, ranges and factors
// are recognised. What is printed parses to the same condition.

package symshape

import (
	"slices"
	"strings"
)

// String prints c as a Python expression which ParseCond reads back. Unknown is `?`. Two
// inequalities of a conjunction that bound the same expression are printed as a chain. Python's
// "and" binds more strongly than "or"; conjunctions within a disjunction get parentheses all the
// same, for the reader.
func (c *Cond) String() string {
	if c == nil {
		return "?"
	}
	switch c.kind {
	case condTrue:
		return "True"
	case condFalse:
		return "False"
	case condAnd:
		var parts []string
		done := make([]bool, len(c.args))
		for i, a := range c.args {
			if done[i] {
				continue
			}
			s := ""
			for j := i + 1; j < len(c.args) && s == ""; j++ {
				if !done[j] {
					if s = between(a, c.args[j]); s != "" {
						done[j] = true
					}
				}
			}
			if s == "" {
				if s = a.String(); a.kind == condOr {
					s = "(" + s + ")"
				}
			}
			parts = append(parts, s)
		}
		return strings.Join(parts, " and ")
	case condOr:
		parts := make([]string, len(c.args))
		for i, a := range c.args {
			if parts[i] = a.String(); a.kind == condAnd && between2(a) == "" {
				parts[i] = "(" + parts[i] + ")"
			}
		}
		return strings.Join(parts, " or ")
	}
	return c.comparison()
}

// between2 is between for a conjunction of two parts, which needs no parentheses then.
func between2(c *Cond) string {
	if len(c.args) != 2 {
		return ""
	}
	return between(c.args[0], c.args[1])
}

// between prints x - lo >= 0 and hi - x >= 0 as one chain lo <= x <= hi, or "" when the two are
// no such pair. The two must have the same terms with opposite signs.
func between(a, b *Cond) string {
	if a.kind != condGE || b.kind != condGE || len(a.e.terms) != len(b.e.terms) {
		return ""
	}
	if a.e.terms[0].coef < 0 {
		a, b = b, a
	}
	p := a.pool
	x := p.intern(a.e.terms, 0)
	y := p.Neg(p.intern(b.e.terms, 0))
	if y == nil || !slices.Equal(x.terms, y.terms) || a.e.terms[0].coef < 0 {
		return ""
	}
	return p.Const(-a.e.c).String() + " <= " + x.String() + " <= " + p.Const(b.e.c).String()
}

// comparison prints e ⋈ 0 with the positive summands on one side and the negative ones on the
// other. pieces says whether a shorter form than the terms exists, with a remainder or a
// rounded-up quotient; the constant stands on the right then.
func (c *Cond) comparison() string {
	p, e := c.pool, c.e
	var w printer
	if c.kind != condGE {
		if s := c.productComparison(); s != "" {
			return s
		}
	}
	// the pieces, not the terms: H - 16·(H // 16) == 0 is H % 16 == 0
	ps, k := w.pieces(e)
	zero := p.Const(0)
	number := slices.ContainsFunc(ps, func(x piece) bool { return x.number })
	if len(ps) == 1 && number { // H·(512 // H) - 512 == 0 is 512 % H == 0
		rel := relation[c.kind]
		if ps[0].coef > 0 {
			k = -k
		} else if c.kind == condGE {
			rel = " <= "
		}
		w.piece(ps[0], false)
		return w.String() + rel + p.Const(k).String()
	}
	if len(ps) < len(e.terms) && len(ps) == 1 {
		l := p.AddConst(e, -k)
		r := -k
		if ps[0].coef < 0 && (c.kind != condGE) {
			l, r = p.Neg(l), -r
		}
		if ps[0].coef < 0 && c.kind == condGE {
			return p.Neg(l).String() + " <= " + p.Const(k).String()
		}
		return l.String() + relation[c.kind] + p.Const(r).String()
	}
	if len(ps) < len(e.terms) || number {
		if l := p.AddConst(e, -k); l != nil {
			return l.String() + relation[c.kind] + p.Const(-k).String()
		}
		return e.String() + relation[c.kind] + "0"
	}
	pos, neg := zero, zero
	for _, t := range e.terms {
		if t.coef > 0 {
			pos = p.Add(pos, p.monoExpr(t.coef, t.mono))
		} else {
			neg = p.Add(neg, p.monoExpr(-t.coef, t.mono))
		}
	}
	if pos == zero { // only for >=: -x + c >= 0 is x <= c
		return neg.String() + " <= " + p.Const(e.c).String()
	}
	if neg == zero || e.c < 0 {
		neg = p.AddConst(neg, -e.c)
	} else {
		pos = p.AddConst(pos, e.c)
	}
	// the side with the earlier symbol first
	if c.kind == condGE && e.terms[0].coef < 0 && len(neg.terms) > 0 {
		return neg.String() + " <= " + pos.String()
	}
	return pos.String() + relation[c.kind] + neg.String()
}

// e < 0 and the like do not exist: over integers they are -e - 1 >= 0.
var relation = [...]string{condEQ: " == ", condNE: " != ", condGE: " >= "}

// productComparison prints x·y - 3·x - 3·y == 16 as (x - 3)*(y - 3) == 25, or returns "". It
// looks for a symbol x with e = x·a + b where b is a multiple of a up to a constant.
func (c *Cond) productComparison() string {
	p, e := c.pool, c.e
	if len(e.terms) < 2 || e.terms[0].mono.deg < 2 {
		return ""
	}
	for _, x := range e.mainAtoms() {
		a, b := p.split(e, x)
		if a == nil || len(a.terms) == 0 {
			continue
		}
		g := gcd(a.content(), a.c)
		q := p.divContent(a, g, a.c/g)
		k, ok := ratio(q, b)
		if !ok {
			continue
		}
		// e = (g·x + k)·q + (b.c - k·q.c)
		rest := b.c - k*q.c
		whole := p.AddConst(e, -rest)
		if whole == nil || rest >= 0 && rest != 0 {
			continue
		}
		return whole.String() + relation[c.kind] + p.Const(-rest).String()
	}
	return ""
}

// This file holds the constructors of maxima and minima, and of the absolute value, with their rewrite rules.

package symshape

import "sort"

// maxArgs bounds the arguments of one maximum.
const maxArgs = 16

// Max returns the greatest of xs, which must not be empty.
func (p *Pool) Max(xs ...*Expr) *Expr { return p.extremum(atomMax, xs) }

// Min returns the least of xs, which must not be empty.
func (p *Pool) Min(xs ...*Expr) *Expr { return p.extremum(atomMin, xs) }

// Abs returns the absolute value: max(a, -a).
func (p *Pool) Abs(a *Expr) *Expr {
	switch {
	case a == nil:
		return nil
	case a.lo >= 0:
		return a
	case a.hi <= 0:
		return p.Neg(a)
	}
	if a.terms[0].coef < 0 {
		a = p.Neg(a)
	}
	return p.Max(a, p.Neg(a))
}

// extremum makes max and min. Arguments that bounds or differences show to be never the extreme one are
// dropped, constants are joined, nested extrema flattened, and what all arguments share is taken out of the
// sum, so that max(n+1, m+1) is max(n, m)+1 and both are one pointer.
func (p *Pool) extremum(kind atomKind, xs []*Expr) *Expr {
	if len(xs) == 0 {
		return nil
	}
	for _, x := range xs {
		if x == nil {
			return nil
		}
	}
	if len(xs) == 1 {
		return xs[0]
	}
	// flatten: max(max(a, b) + r, c) = max(a + r, b + r, c)
	var args []*Expr
	for _, x := range xs {
		in, sign := x.innerExtremum(kind)
		if in == nil {
			args = append(args, x)
			continue
		}
		r := p.addScaled(x, in.self, -sign)
		for _, y := range in.args {
			if y = p.addScaled(r, y, sign); y == nil {
				return nil
			}
			args = append(args, y)
		}
	}
	args = p.dropDominated(kind, args)
	if len(args) == 1 {
		return args[0]
	}
	if len(args) > maxArgs {
		return nil
	}
	// max(a + r, b + r) = max(a, b) + r for the terms r which all arguments share, and for the constant of the first
	common := p.commonTerms(args)
	if len(common.terms) > 0 || common.c != 0 {
		for i, x := range args {
			args[i] = p.Sub(x, common)
		}
		return p.Add(common, p.extremum(kind, args))
	}
	// max(g·a, g·b) = g·max(a, b) for g > 0
	g := int64(0)
	for _, x := range args {
		g = gcd(gcd(g, x.content()), x.c)
	}
	if g > 1 {
		for i, x := range args {
			args[i] = p.divContent(x, g, x.c/g)
		}
		return p.scale(p.extremum(kind, args), g)
	}
	// max(-a, -b) = -min(a, b), when no argument starts with a positive coefficient
	negative := true
	for _, x := range args {
		if len(x.terms) > 0 && x.terms[0].coef > 0 || len(x.terms) == 0 && x.c > 0 {
			negative = false
		}
	}
	if negative {
		other := atomMin
		if kind == atomMin {
			other = atomMax
		}
		for i, x := range args {
			args[i] = p.Neg(x)
		}
		return p.Neg(p.extremum(other, args))
	}
	sort.Slice(args, func(i, j int) bool { return compareExpr(args[i], args[j]) < 0 })
	return p.internAtom(kind, args, 0, nil)
}

// innerExtremum returns the extremum of that kind which is a summand of x, if there is exactly one, with its sign:
// -min(a, b) is a maximum, too.
func (x *Expr) innerExtremum(kind atomKind) (in *atom, sign int64) {
	for _, t := range x.terms {
		a := t.mono.atom()
		if a == nil || a.kind != atomMax && a.kind != atomMin || t.coef != 1 && t.coef != -1 || (a.kind == kind) != (t.coef == 1) {
			continue
		}
		if in != nil {
			return nil, 0
		}
		in, sign = a, t.coef
	}
	return in, sign
}

// dropDominated removes arguments that another one always reaches: a where a - b <= 0 by the declared bounds, and in
// max(a, min(a, b)) the minimum.
func (p *Pool) dropDominated(kind atomKind, args []*Expr) []*Expr {
	dead := make([]bool, len(args))
	for i, a := range args {
		for j, b := range args {
			if i == j || dead[j] || dead[i] {
				continue
			}
			if a == b && i > j || a != b && p.dominates(kind, b, a) {
				dead[i] = true
			}
		}
	}
	out := args[:0]
	for i, a := range args {
		if !dead[i] {
			out = append(out, a)
		}
	}
	return out
}

// dominates reports whether extremum(b, a) is always b.
func (p *Pool) dominates(kind atomKind, b, a *Expr) bool {
	if in := a.atom(); in != nil && (in.kind == atomMin || in.kind == atomMax) && in.kind != kind {
		for _, x := range in.args {
			if x == b {
				return true
			}
		}
	}
	d := p.Sub(b, a)
	if d == nil {
		return false
	}
	if kind == atomMax {
		return d.lo >= 0
	}
	return d.hi <= 0
}

// commonTerms returns the terms that are equal in all of args. The constant is taken out only if args have no
// constant argument, so that max(H - 3, 0) stays as it is written; then the constant of the least argument goes.
func (p *Pool) commonTerms(args []*Expr) *Expr {
	r := p.Const(0)
	for _, t := range args[0].terms {
		shared := true
		for _, x := range args[1:] {
			found := false
			for _, u := range x.terms {
				found = found || u == t
			}
			shared = shared && found
		}
		if shared {
			r = p.Add(r, p.monoExpr(t.coef, t.mono))
		}
	}
	least := args[0]
	for _, x := range args {
		if len(x.terms) == len(r.terms) {
			return r // x without the shared terms is a number
		}
		if x.c < least.c {
			least = x
		}
	}
	return p.AddConst(r, least.c)
}

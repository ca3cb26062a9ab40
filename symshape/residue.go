// This file decides conditions on one symbol exactly: on every residue class modulo the common multiple of the
// divisors, a nest of floor divisions by constants is a polynomial.

package symshape

// maxModulus bounds the number of residue classes that are looked at.
const maxModulus = 1 << 12

// maxDegree bounds the degree of polynomials on a class.
const maxDegree = 8

// scale returns a modulus L for symbol v such that e is a polynomial in q on every class v = L·q + r, all other
// symbols fixed to residues of their own; 0 if e is outside of the fragment or L is too large. On
// such a class each floor division by a constant is exact up to a constant.
func scale(e *Expr, v *atom) int64 {
	l, _, _ := classes(e, v)
	return l
}

// classes returns scale's modulus and, where linear, the coefficient that q then has on every class.
// On a class for A, A // n needs that A's coefficient of q is a multiple of n: the modulus for A, where A is linear,
// times what the coefficient lacks of that, so that floors of floors need no more classes than their period; else
// times n.
func classes(e *Expr, v *atom) (mod, slope int64, linear bool) {
	type step struct{ coef, mod, slope int64 }
	var steps []step
	mod, linear = 1, true
	for _, t := range e.terms {
		for _, f := range t.mono.factors {
			a := f.atom
			s := step{t.coef, 1, 0}
			switch a.kind {
			case atomSymbol:
				if a != v {
					linear = linear && t.mono.deg == 1
					continue
				}
				s.slope = 1
			case atomDiv:
				n, ok := a.args[1].Const()
				if !ok || n <= 0 {
					return 0, 0, false
				}
				var in bool
				if s.mod, s.slope, in = classes(a.args[0], v); s.mod == 0 {
					return 0, 0, false
				}
				if !a.args[0].contains(v) {
					linear = linear && t.mono.deg == 1
					continue
				}
				k := n
				if in {
					k = n / gcd(n, s.slope)
				}
				if s.mod, ok = mulOverflow(s.mod, k); !ok || s.mod > maxModulus {
					return 0, 0, false
				}
				if in {
					if s.slope, ok = mulOverflow(s.slope, k); !ok {
						return 0, 0, false
					}
					s.slope /= n
				}
				linear = linear && in
			default:
				return 0, 0, false
			}
			if mod = lcm(mod, s.mod, maxModulus); mod == 0 {
				return 0, 0, false
			}
			if linear = linear && t.mono.deg == 1; linear {
				steps = append(steps, s)
			}
		}
	}
	for _, s := range steps {
		x, ok := mulOverflow(s.slope, mod/s.mod)
		y, ok2 := mulOverflow(x, s.coef)
		z, ok3 := addOverflow(slope, y)
		slope, linear = z, linear && ok && ok2 && ok3
	}
	return mod, slope, linear
}

// scale is that of all comparisons of a condition together.
func (c *Cond) scale(v *atom) int64 {
	if c.plain() { // conditions share parts: this looks at each once
		return 1
	}
	c.pool.spend(1)
	if c.e != nil {
		return scale(c.e, v)
	}
	l := int64(1)
	for _, x := range c.args {
		s := x.scale(v)
		if s == 0 {
			return 0
		}
		if l = lcm(l, s, maxModulus); l == 0 {
			return 0
		}
	}
	return l
}

// degree bounds the degree of e as a polynomial on a residue class. A division does not raise it.
func degree(e *Expr) int {
	d := 0
	for _, t := range e.terms {
		m := 0
		for _, f := range t.mono.factors {
			k := 1
			if f.atom.kind == atomDiv {
				k = degree(f.atom.args[0])
			}
			m += k * int(f.pow)
		}
		d = max(d, m)
	}
	return d
}

// univariate returns the set of values of v, within its bounds, for which c holds. c must contain no other symbol.
// It is false when c is outside of the fragment or the budget does not suffice. Each residue
// class is solved by itself, and the result is a set of intervals of q for each class.
func univariate(c *Cond, v *atom, mod int64) (intSet, bool) {
	set := newIntSet(mod)
	for r := range mod {
		in := classSpan(mod, r, v.lo, v.hi)
		if len(in) == 0 {
			continue
		}
		s, ok := c.classSolve(v, mod, r, in[0])
		if !ok {
			return intSet{}, false
		}
		set.class[r] = s
	}
	return set, true
}

// classSolve returns the q in the interval in for which c holds at v = mod·q + r. Signs of a
// polynomial on an interval are found by its roots; adjacent intervals are joined.
func (c *Cond) classSolve(v *atom, mod, r int64, in span) (spans, bool) {
	switch c.kind {
	case condTrue:
		return spans{in}, true
	case condFalse:
		return nil, true
	case condAnd, condOr:
		var out spans
		for i, x := range c.args {
			s, ok := x.classSolve(v, mod, r, in)
			switch {
			case !ok:
				return nil, false
			case i == 0:
				out = s
			case c.kind == condAnd:
				out = out.intersect(s)
			default:
				out = out.union(s)
			}
		}
		return out, true
	}
	f, ok := classPoly(c.e, v, mod, r)
	if !ok {
		return nil, false
	}
	var out spans
	for _, s := range f.signs(in) {
		if c.kind == condEQ && s.sign == 0 || c.kind == condNE && s.sign != 0 || c.kind == condGE && s.sign >= 0 {
			if n := len(out); n > 0 && out[n-1].hi != PosInf && out[n-1].hi+1 == s.lo {
				out[n-1].hi = s.hi
				continue
			}
			out = append(out, s.span)
		}
	}
	return out, true
}

// classPoly returns e as a polynomial in q on the class v = mod·q + r, from its values at as many points as its
// degree asks for. The polynomial is kept in Newton's form, by forward differences, which are
// integers: there are no fractions to round. Values are computed by Eval, so that no second
// implementation of the expressions is needed.
func classPoly(e *Expr, v *atom, mod, r int64) (poly, bool) {
	n := degree(e)
	if n > maxDegree {
		return nil, false
	}
	f := make(poly, n+1)
	for q := range f {
		x := mod*int64(q) + r
		val, err := e.Eval(func(name string) (int64, bool) { return x, name == v.name })
		if err != nil {
			return nil, false
		}
		f[q] = val
	}
	for k := 1; k <= n; k++ {
		for i := n; i >= k; i-- {
			d, ok := addOverflow(f[i], -f[i-1])
			if !ok {
				return nil, false
			}
			f[i] = d
		}
	}
	return f, true
}

// solveSingle returns the set of values of the only symbol v of the conditions for which all of them hold.
// Maxima and minima are split into cases first. false says that it is outside of the fragment or
// beyond the budget.
func (p *Pool) solveSingle(v *atom, cs ...*Cond) (intSet, bool) {
	mod := int64(1)
	split := make([]*Cond, len(cs))
	for i, c := range cs {
		var ok bool
		if split[i], ok = p.splitExtrema(c, 16); !ok {
			return intSet{}, false
		}
		s := split[i].scale(v)
		if s == 0 {
			return intSet{}, false
		}
		if mod = lcm(mod, s, maxModulus); mod == 0 {
			return intSet{}, false
		}
	}
	out := intervalSet(mod, v.lo, v.hi)
	for _, c := range split {
		s, ok := univariate(c, v, mod)
		if !ok {
			return intSet{}, false
		}
		out = out.intersect(s)
	}
	return out, true
}

// splitExtrema rewrites c without maxima and minima: c(max(a, b)) is a >= b and c(a), or b >= a
// and c(b). The size grows by a factor of the arguments for each extremum, hence the budget.
func (p *Pool) splitExtrema(c *Cond, budget int) (*Cond, bool) {
	x := findExtremum(c)
	if x == nil {
		return c, true
	}
	if budget -= len(x.args); budget < 0 {
		return nil, false
	}
	var cases []*Cond
	for i, a := range x.args {
		when := p.chosen(x, i)
		s := substituter{pool: p, symbol: keepSymbol, atoms: map[*atom]*Expr{x: a}}
		rest, ok := p.splitExtrema(p.And(when, s.cond(c)), budget/len(x.args))
		if !ok || rest == nil {
			return nil, false
		}
		cases = append(cases, rest)
	}
	out := p.Or(cases...)
	return out, out != nil
}

func keepSymbol(*Expr) *Expr { return nil }

// chosen returns the condition that argument i is the extremum x.
func (p *Pool) chosen(x *atom, i int) *Cond {
	var cs []*Cond
	for j, b := range x.args {
		switch {
		case i == j:
		case x.kind == atomMax:
			cs = append(cs, p.Ge(x.args[i], b))
		default:
			cs = append(cs, p.Le(x.args[i], b))
		}
	}
	return p.And(cs...)
}

// findExtremum returns a maximum or minimum in c without another one inside, or nil.
func findExtremum(c *Cond) *atom {
	if c == nil {
		return nil
	}
	if c.e != nil {
		return extremumIn(c.e)
	}
	for _, x := range c.args {
		if a := findExtremum(x); a != nil {
			return a
		}
	}
	return nil
}

// extremumIn finds an extremum that no argument of which has another one: cases are distinguished by the
// innermost first.
func extremumIn(e *Expr) *atom {
	for _, t := range e.terms {
		for _, f := range t.mono.factors {
			a := f.atom
			for _, x := range a.args {
				if in := extremumIn(x); in != nil {
					return in
				}
			}
			if a.kind == atomMax || a.kind == atomMin {
				return a
			}
		}
	}
	return nil
}

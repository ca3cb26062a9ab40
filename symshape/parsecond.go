// This file reads conditions as Python spells them: chains of comparisons, and, or, not, parentheses.

package symshape

import "strconv"

// ParseCond reads a condition: `H % 32 == 0`, `32 <= H <= 512 and W == H`, or a range `H=32..512`. The error is a
// *ParseError: s is malformed, too long or nested too deep, or no condition.
func (p *Pool) ParseCond(s string) (*Cond, error) {
	r := newReader(p, s)
	var c *Cond
	err := r.run(func() { c = r.or() })
	return c, err
}

func (r *reader) keyword(w string) bool {
	if r.kind == tokName && r.tok() == w {
		r.next()
		return true
	}
	return false
}

// or binds weakest, then and, then not, as in Python.
func (r *reader) or() *Cond {
	r.enter()
	defer func() { r.depth-- }()
	c := r.and()
	for r.keyword("or") {
		c = r.pool.Or(c, r.and())
	}
	return c
}

func (r *reader) and() *Cond {
	c := r.not()
	for r.keyword("and") {
		c = r.pool.And(c, r.not())
	}
	return c
}

// not reads a negation, a constant, or a comparison. A parenthesis may begin a formula or an expression, (a ==
// b) or (a + b) == c: formulaAhead looks for which.
func (r *reader) not() *Cond {
	r.enter()
	defer func() { r.depth-- }()
	if r.keyword("not") {
		return r.pool.Not(r.not())
	}
	if r.keyword("True") {
		return r.pool.yes
	}
	if r.keyword("False") {
		return r.pool.no
	}
	if r.is("(") && r.formulaAhead() {
		r.next()
		c := r.or()
		r.expect(")")
		return c
	}
	return r.comparison()
}

// formulaAhead reports whether the parenthesis at the current token holds a condition and not an integer: it does
// if there is a comparison, a keyword or another such parenthesis inside, before the matching one.
func (r *reader) formulaAhead() bool {
	save := *r
	defer func() { *r = save }()
	depth := 0
	for r.kind != tokEnd {
		switch {
		case r.is("("):
			depth++
		case r.is(")"):
			if depth--; depth == 0 {
				return false
			}
		case r.kind == tokOp:
			switch r.tok() {
			case "==", "!=", "<", "<=", ">", ">=", "=":
				return true
			}
		case r.kind == tokName:
			switch r.tok() {
			case "and", "or", "not", "True", "False":
				return true
			}
		}
		r.next()
	}
	return false
}

// comparison reads a chain of comparisons, 1 <= B < 8, and the forms that contracts are printed in: B = 1..8
// and B = 4.
func (r *reader) comparison() *Cond {
	p := r.pool
	at := r.pos
	x := r.integer(r.sum())
	var out *Cond
	for {
		if r.kind != tokOp {
			break
		}
		op := r.tok()
		var cmp func(a, b *Expr) *Cond
		switch op {
		case "==":
			cmp = p.Eq
		case "!=":
			cmp = p.Ne
		case "<":
			cmp = p.Lt
		case "<=":
			cmp = p.Le
		case ">":
			cmp = p.Gt
		case ">=":
			cmp = p.Ge
		case "=":
			if out != nil {
				r.fail("unexpected \"=\"")
			}
			r.next()
			lo := r.integer(r.sum())
			if r.accept("..") {
				hi := r.integer(r.sum())
				return p.And(p.Le(lo, x), p.Le(x, hi))
			}
			return p.Eq(x, lo)
		}
		if cmp == nil {
			break
		}
		r.next()
		y := r.integer(r.sum())
		c := cmp(x, y)
		if c == nil {
			r.failAt(at, "this comparison is too large to calculate with")
		}
		if out == nil {
			out = c
		} else {
			out = p.And(out, c)
		}
		x = y
	}
	if out == nil {
		r.fail("expected a comparison such as " + strconv.Quote("H % 2 == 0") + ", found " + r.describe())
	}
	return out
}

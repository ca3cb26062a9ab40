// This file prints expressions and conditions as Python, in the form a reader would write. Parse reads it back.

package symshape

import (
	"strconv"
	"strings"
)

// String prints e as a Python expression: `(height + 1) // 4`, `H % 32`, `ceil(W / 3) - 2`. Unknown is `?`.
func (e *Expr) String() string { return format(e, false) }

// Compact prints e without spaces, as in type strings: `(height+1)//4`.
func (e *Expr) Compact() string { return format(e, true) }

func format(e *Expr, compact bool) string {
	if e == nil {
		return "?"
	}
	w := printer{compact: compact}
	w.expr(e, precSum)
	return w.String()
}

// Binding strengths, as in Python's grammar.
const (
	precSum   = 1
	precProd  = 2
	precUnary = 3
	precPow   = 4
	precAtom  = 5
)

type printer struct {
	strings.Builder
	compact bool
}

func (w *printer) op(s string) {
	if w.compact {
		w.WriteString(s)
		return
	}
	w.WriteString(" " + s + " ")
}

// piece is one summand: coef × text, or coef × mono.
type piece struct {
	coef int64
	mono *mono
	text func() // prints an operand of precedence prec
	prec int
}

// expr prints e where an operand of at least precedence prec is expected.
func (w *printer) expr(e *Expr, prec int) {
	if len(e.terms) == 0 {
		if e.c < 0 && prec > precSum {
			w.WriteString("(" + strconv.FormatInt(e.c, 10) + ")")
			return
		}
		w.WriteString(strconv.FormatInt(e.c, 10))
		return
	}
	pieces, c := w.pieces(e)
	single := len(pieces) == 1 && c == 0
	if single && pieces[0].coef == 1 && w.pieceprec(pieces[0]) >= prec {
		w.piece(pieces[0], false)
		return
	}
	if single && pieces[0].coef > 1 && prec <= precProd && prec != precProd {
		w.piece(pieces[0], false)
		return
	}
	if prec > precSum {
		w.WriteByte('(')
		defer w.WriteByte(')')
	}
	// a positive summand first, if there is one
	first := -1
	for i, t := range pieces {
		if t.coef > 0 {
			first = i
			break
		}
	}
	constDone := c == 0
	switch {
	case first >= 0:
		w.piece(pieces[first], false)
	case c > 0:
		w.WriteString(strconv.FormatInt(c, 10))
		constDone = true
	default:
		first = 0
		w.WriteByte('-')
		w.piece(pieces[0], true)
	}
	for i, t := range pieces {
		if i == first {
			continue
		}
		if t.coef < 0 {
			w.op("-")
		} else {
			w.op("+")
		}
		w.piece(t, false)
	}
	if !constDone {
		if c < 0 {
			w.op("-")
		} else {
			w.op("+")
		}
		w.WriteString(strconv.FormatUint(absU(c), 10))
	}
}

func (w *printer) pieceprec(t piece) int {
	if t.text != nil {
		return t.prec
	}
	if len(t.mono.factors) > 1 {
		return precProd
	}
	f := t.mono.factors[0]
	if f.pow > 1 {
		return precPow
	}
	if f.atom.kind == atomDiv && !w.isCeil(f.atom) {
		return precProd
	}
	return precAtom
}

// piece prints |coef| × the operand. after a unary minus, a product needs no parentheses but a // b does.
func (w *printer) piece(t piece, minus bool) {
	k := absU(t.coef)
	need := precProd
	if k != 1 {
		w.WriteString(strconv.FormatUint(k, 10) + "*")
		need = precUnary
	} else if minus {
		need = precUnary
	}
	if t.text != nil {
		if t.prec < need {
			w.WriteByte('(')
			t.text()
			w.WriteByte(')')
			return
		}
		t.text()
		return
	}
	if len(t.mono.factors) > 1 {
		need = precUnary // a factor a // b of a product
	}
	for i, f := range t.mono.factors {
		if i > 0 {
			w.WriteByte('*')
		}
		if f.pow == 1 {
			w.atom(f.atom, need)
			continue
		}
		w.atom(f.atom, precAtom)
		w.WriteString("**" + strconv.Itoa(int(f.pow)))
	}
}

func (w *printer) atom(a *atom, prec int) {
	switch a.kind {
	case atomSymbol:
		w.WriteString(a.name)
	case atomDiv:
		w.division(a.args[0], a.args[1], prec)
	case atomMax, atomMin:
		if a.kind == atomMax && len(a.args) == 2 && isNegation(a.args[0], a.args[1]) {
			w.WriteString("abs(")
			w.expr(a.args[0], precSum)
			w.WriteByte(')')
			return
		}
		w.call([]string{atomMax: "max", atomMin: "min"}[a.kind], a.args)
	case atomReal:
		w.WriteString(a.round.String() + "(")
		w.real(a.real, precSum)
		w.WriteByte(')')
	}
}

func (w *printer) call(name string, args []*Expr) {
	w.WriteString(name + "(")
	for i, x := range args {
		if i > 0 {
			w.WriteByte(',')
			if !w.compact {
				w.WriteByte(' ')
			}
		}
		w.expr(x, precSum)
	}
	w.WriteByte(')')
}

// isNegation reports whether a == -b.
func isNegation(a, b *Expr) bool {
	if a.c != -b.c || len(a.terms) != len(b.terms) {
		return false
	}
	for i, t := range a.terms {
		if u := b.terms[i]; u.mono != t.mono || u.coef != -t.coef {
			return false
		}
	}
	return true
}

// isCeil reports whether a division prints as ceil(x / n).
func (w *printer) isCeil(a *atom) bool {
	n, ok := a.args[1].Const()
	return ok && a.args[0].c == n-1
}

// division prints num // den, or ceil(x / n) for (x + n - 1) // n.
func (w *printer) division(num, den *Expr, prec int) {
	if n, ok := den.Const(); ok && num.c == n-1 {
		w.WriteString("ceil(")
		w.expr(num.pool.AddConst(num, 1-n), precProd)
		w.op("/")
		w.expr(den, precUnary)
		w.WriteByte(')')
		return
	}
	if prec > precProd {
		w.WriteByte('(')
		defer w.WriteByte(')')
	}
	w.expr(num, precUnary)
	w.op("//")
	w.expr(den, precUnary)
}

// pieces turns the terms of e into summands, and finds forms that are shorter than the canonical one:
// `a % n` for a - n·(a // n), and (a + n·c) // n for a // n + c.
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
			fits = fits && ok && r != nil && r != t && r.coef == want
		}
		shift, ok := mulOverflow(num.c, k)
		if !fits || !ok {
			continue
		}
		home := t.mono
		t.coef = 0
		for j, u := range num.terms {
			r := find(u.mono)
			if j == 0 {
				home = r.mono
			}
			r.coef = 0
		}
		c -= shift
		num2, k2 := num, k
		if n, ok := den.Const(); ok && k < 0 && num.c == n-1 {
			// -((x + n - 1) % n) + n - 1 is -x % n
			num2, k2 = p.Neg(p.AddConst(num, 1-n)), -k
			c += k * (n - 1)
		}
		special[home] = piece{coef: k2, prec: precProd, text: func() {
			w.expr(num2, precUnary)
			w.op("%")
			w.expr(den, precUnary)
		}}
	}
	// (a + n·c) // n
	for i := range rest {
		t := &rest[i]
		a := t.mono.atom()
		if a == nil || t.coef != 1 || c == 0 {
			continue
		}
		if a.kind == atomDiv && a.args[0].c != 0 && special[t.mono].text == nil {
			n, ok := a.args[1].Const()
			shift, ok2 := mulOverflow(n, c)
			if !ok || !ok2 {
				continue
			}
			num, den := p.AddConst(a.args[0], shift), a.args[1]
			if num == nil || num.c == n-1 {
				continue
			}
			c = 0
			special[t.mono] = piece{coef: 1, prec: precProd, text: func() {
				w.expr(num, precUnary)
				w.op("//")
				w.expr(den, precUnary)
			}}
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

// real prints a binary64 expression.
func (w *printer) real(n *realNode, prec int) {
	binary := func(own int, op string) {
		if prec > own {
			w.WriteByte('(')
			defer w.WriteByte(')')
		}
		w.real(n.x, own)
		w.op(op)
		w.real(n.y, own+1)
	}
	switch n.op {
	case realInt:
		w.expr(n.e, prec)
	case realConst:
		s := n.dec.String()
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		if n.f < 0 && prec > precSum {
			s = "(" + s + ")"
		}
		w.WriteString(s)
	case realAdd:
		binary(precSum, "+")
	case realSub:
		binary(precSum, "-")
	case realMul:
		binary(precProd, "*")
	case realDiv:
		binary(precProd, "/")
	case realFDiv:
		binary(precProd, "//")
	case realMod:
		binary(precProd, "%")
	case realNeg:
		if prec > precSum {
			w.WriteByte('(')
			defer w.WriteByte(')')
		}
		w.WriteByte('-')
		w.real(n.x, precUnary)
	case realPow:
		if prec > precPow {
			w.WriteByte('(')
			defer w.WriteByte(')')
		}
		w.real(n.x, precAtom)
		w.WriteString("**")
		w.real(n.y, precAtom)
	case realSqrt:
		w.WriteString("sqrt(")
		w.real(n.x, precSum)
		w.WriteByte(')')
	case realMin, realMax:
		w.WriteString(map[realOp]string{realMin: "min(", realMax: "max("}[n.op])
		w.real(n.x, precSum)
		w.WriteByte(',')
		if !w.compact {
			w.WriteByte(' ')
		}
		w.real(n.y, precSum)
		w.WriteByte(')')
	}
}

// String prints r as a Python expression; unknown is `?`.
func (r Real) String() string {
	if r.n == nil {
		return "?"
	}
	var w printer
	w.real(r.n, precSum)
	return w.String()
}

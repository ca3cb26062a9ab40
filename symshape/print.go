// This file prints expressions and conditions as Python, in the form a reader would write. Parse reads it back.
//
// The canonical form of an expression is a sum of monomials, which is good for comparison and
// often bad to read. Printing therefore looks for factors and for remainders and rounded-up
// quotients first. What is printed is the same expression again when it is parsed, which tests
// check; parentheses are written where Python's precedences need them and nowhere else.

package symshape

import (
	"strconv"
	"strings"
)

// String prints e as a Python expression: `(height + 1) // 4`, `H % 32`, `ceil(W / 3) - 2`. Unknown is `?`.
func (e *Expr) String() string { return format(e, false) }

// Compact prints e without spaces, as in type strings: `(height+1)//4`. The text is kept, as
// types with the same size are printed often; two goroutines may both compute it, with the same
// result.
func (e *Expr) Compact() string {
	if e == nil || len(e.terms) == 0 {
		return format(e, true)
	}
	if s := e.compact.Load(); s != nil {
		return *s
	}
	s := format(e, true)
	e.compact.Store(&s)
	return s
}

// format writes an expression as Python would read it, with blanks around operators or, compact, without, as in
// shapes. nil is a size that is not known.
func format(e *Expr, compact bool) string {
	if e == nil {
		return "?"
	}
	if len(e.terms) == 0 {
		return strconv.FormatInt(e.c, 10)
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

// A printer collects the text of one expression.
type printer struct {
	strings.Builder
	compact bool
}

// op writes an operator between two operands.
func (w *printer) op(s string) {
	if w.compact {
		w.WriteString(s)
		return
	}
	w.WriteString(" " + s + " ")
}

// piece is one summand: coef × text, or coef × mono. coef carries the sign; exactly one of mono
// and text is set.
type piece struct {
	coef int64
	mono *mono
	text func() // prints an operand of precedence prec
	prec int
	// number: the remainder of a number, to which the constant of the expression has gone
	number bool
}

// expr prints e where an operand of at least precedence prec is expected. It tries, in this
// order: a number, a product of factors, a single summand, a sum. A sum begins with a positive
// summand, so that it reads B - 1 and not -1 + B, and its constant stands last.
func (w *printer) expr(e *Expr, prec int) {
	if len(e.terms) == 0 {
		if e.c < 0 && prec > precSum {
			w.WriteString("(" + strconv.FormatInt(e.c, 10) + ")")
			return
		}
		w.WriteString(strconv.FormatInt(e.c, 10))
		return
	}
	if fs := e.factors(); fs != nil {
		w.product(fs, prec)
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

// pieceprec is how strongly a piece of a sum binds, which decides over parentheses around it. A
// power binds more strongly than a product, and ceil( ) as a call needs none.
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
	if f.atom.kind == atomDiv && !isCeil(f.atom.args[0], f.atom.args[1]) {
		return precProd
	}
	return precAtom
}

// piece prints |coef| × the operand. after a unary minus, a product needs no parentheses but a //
// b does. In Python -a // b is (-a) // b, and c*a // b is (c*a) // b: a quotient as an operand of
// * or of a minus needs parentheses.
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

// atom writes a symbol, quotient, extremum or rounding. max(x, -x) is written as abs(x), which is how it was
// built. prec is what the place needs; only a quotient can bind less than that.
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

// call writes a function with its arguments.
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

// isNegation reports whether a == -b. Terms are sorted by their monomials, which are unique
// within a pool, so that they can be compared in order.
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

// isCeil reports whether num // den prints as ceil(x / n): where that text, a quotient of numbers, reads as an integer
// division again. The numerator's constant must be n - 1: (x + n - 1) // n.
func isCeil(num, den *Expr) bool {
	n, ok := den.Const()
	return ok && n <= maxDenominator && num.c == n-1
}

// division prints num // den, or ceil(x / n) for (x + n - 1) // n. The denominator is at unary
// strength, so that a // (b*c) keeps its parentheses.
func (w *printer) division(num, den *Expr, prec int) {
	if isCeil(num, den) {
		w.WriteString("ceil(")
		w.expr(num.pool.AddConst(num, -num.c), precProd)
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

// product prints the factors of an expression. fs are at least two factors, the first of which
// may be -1 for the sign.
func (w *printer) product(fs []*Expr, prec int) {
	minus := fs[0].IsConst(-1)
	if minus {
		fs = fs[1:]
	}
	if prec > precProd || minus && prec > precSum {
		w.WriteByte('(')
		defer w.WriteByte(')')
	}
	if minus {
		w.WriteByte('-')
	}
	for i, f := range fs {
		if i > 0 {
			w.WriteByte('*')
		}
		w.expr(f, precUnary)
	}
}

// This file reads expressions, the inverse of print.go: Python's integer expressions over names, with `/` only inside
// ceil(), floor(), int() and round().

package symshape

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxParseLen   = 1 << 14
	maxParseDepth = 200
)

// ParseError is a syntax error in an expression, a condition or a dimension. Text is cut when it
// is long.
type ParseError struct {
	Text   string
	Column int // of the first character at fault, from 1, in characters
	Msg    string
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("%s (column %d of %q)", e.Msg, e.Column, e.Text)
}

// Parse reads an integer expression. Names that have not been declared become symbols with lower bound 1. The error is
// a *ParseError: s is malformed, too long or nested too deep, or no integer. Negative symbols can
// be declared beforehand; in a text by itself a name is a size.
func (p *Pool) Parse(s string) (*Expr, error) {
	r := newReader(p, s)
	var e *Expr
	err := r.run(func() { e = r.integer(r.sum()) })
	return e, err
}

// ParseReal reads an expression of ints and floats. The error is a *ParseError: s is malformed, too long or nested too
// deep, or no number.
func (p *Pool) ParseReal(s string) (Real, error) {
	r := newReader(p, s)
	var x Real
	err := r.run(func() { x = r.float(r.sum()) })
	return x, err
}

type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokInt
	tokFloat
	tokName
	tokOp
)

// A reader reads expressions by recursive descent, and computes them in the pool at once: there is no tree
// between. Errors are panics with a position, which Parse turns into errors, since each step would otherwise
// return one. The grammar is Python's, with its precedences: sum over product over unary over
// power over primary.
type reader struct {
	pool  *Pool
	text  string
	pos   int // start of the current token
	end   int // its end
	kind  tokenKind
	depth int
}

func newReader(p *Pool, s string) *reader { return &reader{pool: p, text: s} }

// run calls f on the whole text; a syntax error unwinds to here as a *ParseError panic of our
// own. Other panics pass through. What is left over behind f is an error.
func (r *reader) run(f func()) (err error) {
	defer func() {
		if x := recover(); x != nil {
			pe, ok := x.(*ParseError)
			if !ok {
				panic(x)
			}
			err = pe
		}
	}()
	if len(r.text) > maxParseLen {
		r.fail("expression is too long")
	}
	r.next()
	f()
	if r.kind != tokEnd {
		r.fail("unexpected " + r.describe())
	}
	return nil
}

func (r *reader) fail(msg string) { r.failAt(r.pos, msg) }

// failAt ends the reading at a position of the text, counted in characters as an editor counts.
func (r *reader) failAt(pos int, msg string) {
	text := r.text
	if len(text) > 80 {
		text = text[:80] + "…"
	}
	panic(&ParseError{Text: text, Column: utf8.RuneCountInString(r.text[:pos]) + 1, Msg: msg})
}

func (r *reader) describe() string {
	if r.kind == tokEnd {
		return "end"
	}
	return strconv.Quote(r.tok())
}

func (r *reader) tok() string { return r.text[r.pos:r.end] }

var operators = [...]string{"**", "//", "==", "!=", "<=", ">=", "..", "+", "-", "*", "/", "%", "(", ")", ",", "<", ">", "="}

// next finds the next token: numbers, names of any letters, and operators, the longest first. math.floor is
// read as floor, because that is how programs write conditions which people then copy. Operators
// are ordered such that a longer one comes before its beginning.
func (r *reader) next() {
	r.pos = r.end
	for r.pos < len(r.text) && (r.text[r.pos] == ' ' || r.text[r.pos] == '\t' || r.text[r.pos] == '\n') {
		r.pos++
	}
	rest := r.text[r.pos:]
	if rest == "" {
		r.kind, r.end = tokEnd, r.pos
		return
	}
	c, _ := utf8.DecodeRuneInString(rest)
	switch {
	case c >= '0' && c <= '9' || c == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
		r.number(rest)
		return
	case c == '_' || unicode.IsLetter(c):
		n := strings.IndexFunc(rest, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
		if n < 0 {
			n = len(rest)
		}
		r.kind, r.end = tokName, r.pos+n
		if rest[:n] == "math" && strings.HasPrefix(rest[n:], ".") { // math.floor is floor
			r.end++
			r.next()
		}
		return
	}
	for _, op := range operators {
		if strings.HasPrefix(rest, op) {
			r.kind, r.end = tokOp, r.pos+len(op)
			return
		}
	}
	r.kind, r.end = tokOp, r.pos+utf8.RuneLen(c)
	if c == utf8.RuneError {
		r.end = r.pos + 1
	}
	r.fail("unexpected character")
}

// number reads a whole number or a float. Two dots after a number are a range, 1..8, and no
// float. Underscores between digits are allowed, as in Python.
func (r *reader) number(rest string) {
	r.kind = tokInt
	i := 0
	digits := func() {
		for i < len(rest) && (rest[i] >= '0' && rest[i] <= '9' || rest[i] == '_') {
			i++
		}
	}
	digits()
	if i < len(rest) && rest[i] == '.' && !strings.HasPrefix(rest[i:], "..") {
		r.kind = tokFloat
		i++
		digits()
	}
	if i < len(rest) && (rest[i] == 'e' || rest[i] == 'E') {
		j := i + 1
		if j < len(rest) && (rest[j] == '+' || rest[j] == '-') {
			j++
		}
		if j < len(rest) && rest[j] >= '0' && rest[j] <= '9' {
			r.kind = tokFloat
			i = j
			digits()
		}
	}
	r.end = r.pos + i
	if i < len(rest) {
		if c, _ := utf8.DecodeRuneInString(rest[i:]); c == '_' || unicode.IsLetter(c) {
			r.failAt(r.pos, "a name cannot start with a digit")
		}
	}
}

func (r *reader) is(op string) bool { return r.kind == tokOp && r.tok() == op }

func (r *reader) accept(op string) bool {
	if r.is(op) {
		r.next()
		return true
	}
	return false
}

func (r *reader) expect(op string) {
	if !r.accept(op) {
		r.fail("expected " + strconv.Quote(op) + ", found " + r.describe())
	}
}

// operand is an integer or, in e == nil, a float. at is where it starts, for messages. An integer
// is promoted to a float only where an operation needs it.
type operand struct {
	e    *Expr
	f    Real
	isFl bool
	at   int
}

// integer refuses a float where a size is needed: what rounds it is for the writer to say.
func (r *reader) integer(x operand) *Expr {
	if x.isFl {
		r.failAt(x.at, "this is a float: use // or put it into ceil(), floor(), int() or round()")
	}
	return x.e
}

func (r *reader) float(x operand) Real {
	if x.isFl {
		return x.f
	}
	return r.pool.RealFromInt(x.e)
}

// intResult turns the pool's nil, a result beyond all bounds, into an error. A text that somebody
// wrote should not silently become unknown.
func (r *reader) intResult(at int, e *Expr) operand {
	if e == nil {
		r.failAt(at, "this is too large to calculate with, or divides by zero")
	}
	return operand{e: e, at: at}
}

func (r *reader) realResult(at int, f Real) operand {
	if !f.Known() {
		r.failAt(at, "this is not a finite number, or divides by zero")
	}
	return operand{f: f, isFl: true, at: at}
}

// enter bounds the depth, for texts come from anywhere.
func (r *reader) enter() {
	if r.depth++; r.depth > maxParseDepth {
		r.fail("expression is nested too deeply")
	}
}

// sum reads + and -, from the left.
func (r *reader) sum() operand {
	r.enter()
	defer func() { r.depth-- }()
	x := r.product()
	for r.is("+") || r.is("-") {
		plus := r.is("+")
		r.next()
		y := r.product()
		switch {
		case plus:
			x = r.binary(x, y, r.pool.Add, r.pool.RealAdd)
		default:
			x = r.binary(x, y, r.pool.Sub, r.pool.RealSub)
		}
	}
	return x
}

// product reads *, //, % and /, which always gives a float, as in Python.
func (r *reader) product() operand {
	x := r.unary()
	for {
		switch {
		case r.accept("*"):
			x = r.binary(x, r.unary(), r.pool.Mul, r.pool.RealMul)
		case r.accept("//"):
			x = r.binary(x, r.unary(), r.pool.FloorDiv, r.pool.RealFloorDiv)
		case r.accept("%"):
			x = r.binary(x, r.unary(), r.pool.Mod, r.pool.RealMod)
		case r.accept("/"):
			y := r.unary()
			x = r.realResult(x.at, r.pool.RealDiv(r.float(x), r.float(y)))
		default:
			return x
		}
	}
}

// One float makes the operation one of floats.
func (r *reader) binary(x, y operand, ints func(a, b *Expr) *Expr, reals func(a, b Real) Real) operand {
	if x.isFl || y.isFl {
		return r.realResult(x.at, reals(r.float(x), r.float(y)))
	}
	return r.intResult(x.at, ints(x.e, y.e))
}

// unary reads signs and powers. A power binds stronger than a sign on its left and weaker than one on its
// right. -2**2 is -(2**2) and 2**-1 is 2**(-1). An integer power with a symbol in the exponent is
// refused, one with a negative exponent is a float.
func (r *reader) unary() operand {
	r.enter()
	defer func() { r.depth-- }()
	at := r.pos
	switch {
	case r.accept("+"):
		return r.unary()
	case r.accept("-"):
		x := r.unary()
		if x.isFl {
			return r.realResult(at, r.pool.RealNeg(x.f))
		}
		return r.intResult(at, r.pool.Neg(x.e))
	}
	x := r.primary()
	if !r.accept("**") {
		return x
	}
	y := r.unary()
	if !x.isFl && !y.isFl {
		if n, ok := y.e.Const(); ok && n >= 0 && n <= maxTerms {
			return r.intResult(x.at, r.pool.Pow(x.e, int(n)))
		} else if !ok {
			r.failAt(y.at, "an exponent must be a constant")
		}
	}
	return r.realResult(x.at, r.pool.RealPow(r.float(x), r.float(y)))
}

// primary reads numbers, names, calls and parentheses.
func (r *reader) primary() operand {
	at, text := r.pos, r.tok()
	switch r.kind {
	case tokInt:
		n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64)
		if err != nil || n == PosInf {
			r.fail("the number is too large")
		}
		r.next()
		return operand{e: r.pool.Const(n), at: at}
	case tokFloat:
		spelling := strings.ReplaceAll(text, "_", "")
		f, err := strconv.ParseFloat(spelling, 64)
		if err != nil {
			r.fail("the number is too large")
		}
		r.next()
		return r.realResult(at, r.pool.RealConst(f, spelling))
	case tokName:
		r.next()
		if r.accept("(") {
			return r.call(at, text)
		}
		return operand{e: r.pool.Symbol(text), at: at}
	}
	if r.accept("(") {
		x := r.sum()
		r.expect(")")
		x.at = at
		return x
	}
	r.fail("expected a number, a name or \"(\", found " + r.describe())
	return operand{}
}

// call reads the functions that print.go writes, so that each expression that is printed can be
// read back. Roundings of an integer are the integer itself.
func (r *reader) call(at int, name string) operand {
	var args []operand
	for {
		args = append(args, r.sum())
		if !r.accept(",") {
			break
		}
	}
	r.expect(")")
	many := name == "max" || name == "min"
	if !many && len(args) != 1 {
		r.failAt(at, name+"() takes one argument")
	}
	p, x := r.pool, args[0]
	switch name {
	case "max", "min":
		return r.extremum(at, name == "max", args)
	case "abs":
		if x.isFl {
			return r.realResult(at, p.RealMax(x.f, p.RealNeg(x.f)))
		}
		return r.intResult(at, p.Abs(x.e))
	case "sqrt":
		return r.realResult(at, p.RealSqrt(r.float(x)))
	case "float":
		return r.realResult(at, r.float(x))
	}
	for how := RoundFloor; how <= RoundEven; how++ {
		if name == how.String() {
			if !x.isFl {
				return operand{e: x.e, at: at}
			}
			return r.intResult(at, p.roundReal(x.f, how))
		}
	}
	r.failAt(at, "unknown function "+name+": only max, min, abs, ceil, floor, int, round and sqrt are known")
	return operand{}
}

// extremum is max or min of integers, or of reals as soon as one argument is real.
func (r *reader) extremum(at int, isMax bool, args []operand) operand {
	p, real := r.pool, false
	ints := make([]*Expr, len(args))
	for i, x := range args {
		real = real || x.isFl
		ints[i] = x.e
	}
	switch {
	case !real && isMax:
		return r.intResult(at, p.Max(ints...))
	case !real:
		return r.intResult(at, p.Min(ints...))
	}
	f := r.float(args[0])
	for _, x := range args[1:] {
		if isMax {
			f = p.RealMax(f, r.float(x))
		} else {
			f = p.RealMin(f, r.float(x))
		}
	}
	return r.realResult(at, f)
}

package annot

// This file reads and evaluates the size of one axis: an integer expression over
// names, with Python's operators. Annotations of jaxtyping and comments such as "# (B, C, H//2)"
// have these expressions. Reading them never fails a program: what cannot be read is an error that
// the caller may turn into a hint, or ignores in comments. The grammar is that of Python's
// arithmetic with min and max; powers have constant exponents only.

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"shapecheck/symshape"
)

// An Expr is a size as it was written. The zero Expr is the number 0. It is a tree that is not
// changed after it was read.
type Expr struct {
	op   string // "": number; "name"; "attr": a path such as self.dim; an operator; "min", "max"
	num  int64
	name string
	args []Expr
}

// maxExpr bounds the length of a size in bytes, and so the depth of an Expr.
const maxExpr = 200

// Const returns the number that e is. A size that is computed from constants is none.
func (e Expr) Const() (int64, bool) { return e.num, e.op == "" }

// Name returns the name that e is.
func (e Expr) Name() (string, bool) { return e.name, e.op == "name" }

// Number returns the size n; Named the size of that name.
func Number(n int64) Expr { return Expr{num: n} }

// Named returns the size that is a name.
func Named(name string) Expr { return Expr{op: "name", name: name} }

// Binary returns the size that an operator (+ - * / // % **) makes of two.
func Binary(op string, a, b Expr) Expr { return Expr{op: op, args: []Expr{a, b}} }

// names calls f for each name in e; paths are not names. In the order of the text; a name may occur
// several times.
func (e Expr) names(f func(string)) {
	if e.op == "name" {
		f(e.name)
	}
	for _, a := range e.args {
		a.names(f)
	}
}

// precedence of the operators, as in Python.
var precedence = map[string]int{"+": 1, "-": 1, "*": 2, "/": 2, "//": 2, "%": 2, "neg": 3, "**": 4}

// String writes e without spaces, in parentheses where they are needed.
func (e Expr) String() string { return e.text(0) }

// min is the least precedence that needs no parentheses around it.
func (e Expr) text(min int) string {
	var s string
	switch e.op {
	case "":
		return strconv.FormatInt(e.num, 10)
	case "name":
		return e.name
	case "attr":
		return "{" + e.name + "}"
	case "min", "max":
		return e.op + "(" + e.args[0].text(0) + "," + e.args[1].text(0) + ")"
	case "neg":
		s = "-" + e.args[0].text(3)
	case "**":
		// ** groups to the right, so its left side binds tighter.
		s = e.args[0].text(5) + "**" + e.args[1].text(4)
	default:
		p := precedence[e.op]
		s = e.args[0].text(p) + e.op + e.args[1].text(p+1)
	}
	if precedence[e.op] < min {
		return "(" + s + ")"
	}
	return s
}

// Dim builds the size in p. lookup gives what a name or a path (path is true) is;
// where it knows nothing, neither does Dim. A division with one slash rounds up
// when up is set, and down otherwise: comments do not say which they mean. The second result is
// false for a path that lookup does not know, a division by 0, and powers that are not computed.
func (e Expr) Dim(p *symshape.Pool, lookup func(name string, path bool) (symshape.Dim, bool), up bool) (symshape.Dim, bool) {
	switch e.op {
	case "":
		return p.ConstDim(e.num), true
	case "name", "attr":
		return lookup(e.name, e.op == "attr")
	}
	var args [2]symshape.Dim
	for i, a := range e.args {
		d, ok := a.Dim(p, lookup, up)
		if !ok || d.Unknown() {
			return symshape.Dim{}, false
		}
		args[i] = d
	}
	a, b := args[0], args[1]
	switch e.op {
	case "neg":
		return p.DimNeg(a), true
	case "+":
		return p.DimAdd(a, b), true
	case "-":
		return p.DimSub(a, b), true
	case "*":
		return p.DimMul(a, b), true
	case "//", "%", "/":
		if n, ok := b.Const(); ok && n == 0 {
			return symshape.Dim{}, false
		}
		switch {
		case e.op == "%":
			return p.DimMod(a, b), true
		case e.op == "/" && up:
			return p.DimCeilDiv(a, b), true
		}
		return p.DimFloorDiv(a, b), true
	case "min":
		return p.DimMin(a, b), true
	case "max":
		return p.DimMax(a, b), true
	case "**":
		// The power is multiplied out.
		n, ok := b.Const()
		if !ok || n < 0 || n > maxPower {
			return symshape.Dim{}, false
		}
		d := p.ConstDim(1)
		for range n {
			d = p.DimMul(d, a)
		}
		return d, !d.Unknown()
	}
	return symshape.Dim{}, false
}

// maxPower bounds exponents.
const maxPower = 32

// Divides reports whether e holds a division with one slash. Only then does up make a difference to
// Dim.
func (e Expr) Divides() bool {
	if e.op == "/" {
		return true
	}
	for _, a := range e.args {
		if a.Divides() {
			return true
		}
	}
	return false
}

// ParseExpr reads a size. In loose texts, which people write for people, 2C is
// 2*C, a name may end in primes (T'), and self.dim needs no braces. It returns an error where s is longer than maxExpr
// bytes, or is not one size from its beginning to its end.
func ParseExpr(s string, loose bool) (Expr, error) {
	if len(s) > maxExpr {
		return Expr{}, errors.New("a size is too long")
	}
	r := exprReader{s: s, loose: loose}
	e, err := r.sum()
	if err != nil {
		return Expr{}, err
	}
	if r.skip(); r.pos < len(r.s) {
		return Expr{}, fmt.Errorf("unexpected %q", r.s[r.pos:])
	}
	return e, nil
}

// Its methods read from pos on, over blanks.
type exprReader struct {
	s     string
	pos   int
	loose bool
}

// Line ends are no blanks here.
func (r *exprReader) skip() {
	for r.pos < len(r.s) && (r.s[r.pos] == ' ' || r.s[r.pos] == '\t') {
		r.pos++
	}
}

// accept takes one of the operators, the longest first. ops must have longer operators before their
// beginnings.
func (r *exprReader) accept(ops ...string) string {
	r.skip()
	for _, op := range ops {
		if strings.HasPrefix(r.s[r.pos:], op) {
			r.pos += len(op)
			return op
		}
	}
	return ""
}

// The least binding operators, from left to right.
func (r *exprReader) sum() (Expr, error) { return r.chain(r.product, "+", "-") }

func (r *exprReader) product() (Expr, error) {
	return r.chain(r.unary, "//", "/", "%", "*", "·")
}

// A chain of operators of one precedence. a**b**c is refused, as people read it differently.
func (r *exprReader) chain(part func() (Expr, error), ops ...string) (Expr, error) {
	e, err := part()
	for err == nil {
		r.skip()
		if strings.HasPrefix(r.s[r.pos:], "**") {
			return Expr{}, errors.New("a power of a power needs parentheses")
		}
		op := r.accept(ops...)
		if op == "" {
			return e, nil
		}
		if op == "·" {
			if op = "*"; !r.loose {
				return Expr{}, errors.New("unexpected ·")
			}
		}
		var b Expr
		if b, err = part(); err == nil {
			e = Binary(op, e, b)
		}
	}
	return Expr{}, err
}

// A sign binds weaker than a power: -2**2 is -4.
func (r *exprReader) unary() (Expr, error) {
	switch r.accept("-", "+") {
	case "-":
		e, err := r.unary()
		return Expr{op: "neg", args: []Expr{e}}, err
	case "+":
		return r.unary()
	}
	e, err := r.operand()
	if err != nil {
		return Expr{}, err
	}
	// ^ is a power in comments.
	op := r.accept("**")
	if op == "" && r.loose {
		op = r.accept("^")
	}
	if op == "" {
		return e, nil
	}
	b, err := r.unary()
	return Binary("**", e, b), err
}

// operand reads a number, a name, an expression in parentheses, or {path}, which jaxtyping evaluates as Python.
// A loose reader takes 2C for 2*C, as comments write it. The error says what was found instead.
func (r *exprReader) operand() (Expr, error) {
	r.skip()
	if r.pos == len(r.s) {
		return Expr{}, errors.New("a size is missing")
	}
	c, _ := utf8.DecodeRuneInString(r.s[r.pos:])
	switch {
	case c == '(':
		r.pos++
		e, err := r.sum()
		if err == nil && r.accept(")") == "" {
			err = errors.New("expected )")
		}
		return e, err
	case c == '{':
		end := strings.IndexByte(r.s[r.pos:], '}')
		if end < 0 {
			return Expr{}, errors.New("expected }")
		}
		path := strings.TrimSpace(r.s[r.pos+1 : r.pos+end])
		r.pos += end + 1
		if !isPath(path) {
			return Expr{}, fmt.Errorf("{%s} is not a name or a path", path)
		}
		return Expr{op: "attr", name: path}, nil
	case c >= '0' && c <= '9':
		start := r.pos
		for r.pos < len(r.s) && r.s[r.pos] >= '0' && r.s[r.pos] <= '9' {
			r.pos++
		}
		n, err := strconv.ParseInt(r.s[start:r.pos], 10, 64)
		if err != nil {
			return Expr{}, fmt.Errorf("%s is too large", r.s[start:r.pos])
		}
		if next, _ := utf8.DecodeRuneInString(r.s[r.pos:]); r.pos < len(r.s) && isNameStart(next) {
			if !r.loose {
				return Expr{}, fmt.Errorf("unexpected %q", r.s[r.pos:])
			}
			e, err := r.word()
			return Binary("*", Number(n), e), err
		}
		return Number(n), nil
	case isNameStart(c):
		return r.word()
	}
	return Expr{}, fmt.Errorf("unexpected %q", r.s[r.pos:])
}

// word reads a name, a path, or a call of min or max. A loose name may be a path, or end in primes.
// Calls of other functions are an error.
func (r *exprReader) word() (Expr, error) {
	start := r.pos
	dots := false
	for r.pos < len(r.s) {
		c, n := utf8.DecodeRuneInString(r.s[r.pos:])
		if !isNamePart(c) && !(c == '.' && r.loose && r.pos > start) {
			break
		}
		dots = dots || c == '.'
		r.pos += n
	}
	name := r.s[start:r.pos]
	if dots {
		if !isPath(name) {
			return Expr{}, fmt.Errorf("unexpected %q", name)
		}
		return Expr{op: "attr", name: name}, nil
	}
	if r.loose {
		for strings.HasPrefix(r.s[r.pos:], "'") || strings.HasPrefix(r.s[r.pos:], "′") {
			_, n := utf8.DecodeRuneInString(r.s[r.pos:])
			r.pos += n
			name += "'"
		}
	}
	if (name == "min" || name == "max") && r.pos < len(r.s) && r.s[r.pos] == '(' {
		r.pos++
		a, err := r.sum()
		if err == nil && r.accept(",") == "" {
			err = errors.New("expected ,")
		}
		if err != nil {
			return Expr{}, err
		}
		b, err := r.sum()
		if err == nil && r.accept(")") == "" {
			err = errors.New("expected )")
		}
		return Expr{op: name, args: []Expr{a, b}}, err
	}
	if r.pos < len(r.s) && r.s[r.pos] == '(' {
		return Expr{}, fmt.Errorf("the call of %s is not evaluated", name)
	}
	return Named(name), nil
}

// Letters of all scripts.
func isNameStart(c rune) bool { return c == '_' || unicode.IsLetter(c) }
func isNamePart(c rune) bool  { return isNameStart(c) || unicode.IsDigit(c) }

// isPath reports whether s is names joined by dots.
func isPath(s string) bool {
	for _, part := range strings.Split(s, ".") {
		if !IsName(part) {
			return false
		}
	}
	return true
}

// IsName reports whether s is a Python name. Keywords of Python count as names.
func IsName(s string) bool {
	for i, c := range s {
		if !isNameStart(c) && (i == 0 || !isNamePart(c)) {
			return false
		}
	}
	return s != "" && utf8.ValidString(s)
}

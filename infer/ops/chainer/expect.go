package chainer

// This file evaluates what is expected of the inputs of a function, in the notation of
// Chainer's type checks:
//
//	x.dtype.kind == f    x.ndim == 4    x.shape[1] == W.shape[1] * groups
//	x.shape[2:] == t.shape[1:]    prod(x.shape[1:]) == W.shape[1]
//
// Names are inputs and sizes of the call. Sizes that may be equal are from then on: the
// expectation is a condition of the contract. A text is parsed while it is evaluated (parser), from
// the left, with Python's precedence of +, -, *, // and %; both sides of the comparison are parsed
// on their own. Texts are short and each call checks them once, so that no tree of them is kept. A
// mistake in a text of a record panics, since a test runs all of them.

import (
	"fmt"
	"strconv"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// expect checks expectations in order; the first that does not hold is the fault. It reports
// whether all hold or may hold: those on symbols become conditions of the run.
func (k *call) expect(texts ...string) bool {
	for _, t := range texts {
		if !k.OK() {
			return false
		}
		k.expectOne(t)
	}
	return k.OK()
}

// invalid raises Chainer's InvalidType, or the RuntimeError that replaces it where the check asks
// for the truth of an expression. The message says what is expected and what is the case, as
// Chainer's does, and lists the inputs with their types.
func (k *call) invalid(code diag.Code, expect, actual string) {
	var b strings.Builder
	for _, e := range k.env {
		if e.t != nil {
			fmt.Fprintf(&b, ", %s %s", e.name, e.t)
		}
	}
	class := InvalidType
	if k.asksTruth {
		class = runtimeError
	}
	k.Errorf(class, code, "%s(): invalid operation in %s (Forward): expect %s, actual %s%s", k.Short(), k.label, expect, actual, b.String())
}

// A term is the value of an expression.
type term struct {
	// what says which of the fields below are set.
	what  byte // n: number, d: dtype, k: kind, s: shape, t: tensor
	n     symshape.Dim
	d     dtype.DType
	kind  string
	shape symshape.Shape
	// t and axis are the input of which n is the size of an axis: what a fault is about.
	t    *value.Tensor
	axis int // of a size
}

var comparisons = [...]string{"==", "!=", "<=", ">=", "<", ">"}

// opposites give the comparison that a message shows between the values that do not fit.
var opposites = map[string]string{"==": "!=", "!=": "==", "<=": ">", ">=": "<", "<": ">=", ">": "<="}

// expectOne checks one condition of a type check, written as Chainer's type_check.expect has it: "x.shape[1] ==
// W.shape[1]". The texts are Chainer's own, and the messages show them.
func (k *call) expectOne(text string) {
	if k.SetErr(k.Th.Step(1 + len(k.env)/16)); !k.OK() { // lists of arrays are checked one by one
		return
	}
	for _, op := range comparisons {
		left, right, ok := strings.Cut(text, " "+op+" ")
		if !ok {
			continue
		}
		p := parser{k: k, text: left}
		a := p.sum()
		p = parser{k: k, text: right}
		b := p.sum()
		if k.OK() {
			k.compare(text, op, a, b)
		}
		return
	}
	panic("chainer: no comparison in " + text)
}

// compare checks one expectation between two terms: dtypes or kinds by name, shapes size by size,
// numbers by op. What is not known passes; a mismatch is reported as Chainer's InvalidType with the
// axes that it is about.
func (k *call) compare(text, op string, a, b term) {
	switch {
	case a.what == 'd' || a.what == 'k':
		if a.d == dtype.Unknown || b.what == 'd' && b.d == dtype.Unknown {
			return // not known
		}
		// Dtypes are compared by their names in NumPy, since a kind is a letter of those.
		x, y := a.d.Numpy(), b.d.Numpy()
		if a.what == 'k' {
			x = a.d.NumpyKind()
		}
		if b.what == 'k' {
			y = b.kind
		}
		if x != y {
			k.invalid(diag.DTypeMismatch, text, strings.TrimSuffix(x, "_")+" != "+strings.TrimSuffix(y, "_"))
		}
	case a.what == 's':
		if len(a.shape) != len(b.shape) {
			k.invalid(diag.RankMismatch, text, a.shape.String()+" != "+b.shape.String())
			return
		}
		for i := range a.shape {
			if _, ok := k.Same(a.shape[i], b.shape[i]); !ok {
				k.invalid(diag.ShapeMismatch, text, a.shape.String()+" != "+b.shape.String())
				return
			}
		}
	default:
		if k.holds(op, a.n, b.n) {
			return
		}
		// A number that is no size of an axis is the number of axes.
		code := diag.RankMismatch
		if a.t != nil || b.t != nil {
			code = diag.ShapeMismatch
			var refs []ops.Ref
			for _, x := range [...]term{a, b} {
				if x.t != nil {
					refs = append(refs, ops.Ref{Tensor: x.t, Axis: x.axis})
				}
			}
			k.Blame(refs...)
		}
		k.invalid(code, text, fmt.Sprintf("%s %s %s", a.n, opposites[op], b.n))
	}
}

// holds makes a comparison of sizes a condition of the run; false when it cannot hold. Sizes
// without an expression, of which nothing is known, pass.
func (k *call) holds(op string, a, b symshape.Dim) bool {
	if op == "==" {
		_, ok := k.Same(a, b)
		return ok
	}
	if x, ok := ops.DimVal(a); ok {
		if y, ok := ops.DimVal(b); ok {
			switch op {
			case "!=":
				return x != y
			case "<=":
				return x <= y
			case ">=":
				return x >= y
			case "<":
				return x < y
			}
			return x > y
		}
	}
	if a.Expr == nil || b.Expr == nil {
		return true
	}
	var c *symshape.Cond
	switch op {
	case "!=":
		c = k.P.Ne(a.Expr, b.Expr)
	case "<=":
		c = k.P.Le(a.Expr, b.Expr)
	case ">=":
		c = k.P.Ge(a.Expr, b.Expr)
	case "<":
		c = k.P.Lt(a.Expr, b.Expr)
	default:
		c = k.P.Gt(a.Expr, b.Expr)
	}
	return k.Th.Require(c, "") != symshape.No
}

// A parser evaluates an expression as it reads it.
type parser struct {
	k    *call
	text string
	at   int
}

// skip moves past spaces and then past s where it comes next; it reports whether it did.
func (p *parser) skip(s string) bool {
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
	if strings.HasPrefix(p.text[p.at:], s) {
		p.at += len(s)
		return true
	}
	return false
}

// sum is the lowest level of precedence: products, added or subtracted.
func (p *parser) sum() term {
	v := p.product()
	for p.k.OK() {
		switch {
		case p.skip("+"):
			v = term{what: 'n', n: p.k.P.DimAdd(v.n, p.product().n)}
		case p.skip("-"):
			v = term{what: 'n', n: p.k.P.DimSub(v.n, p.product().n)}
		default:
			return v
		}
	}
	return v
}

// A remainder keeps the axis that it was taken of, so that "x.shape[1] % groups == 0" blames it.
func (p *parser) product() term {
	v := p.unary()
	for p.k.OK() {
		switch {
		case p.skip("*"):
			v = term{what: 'n', n: p.k.P.DimMul(v.n, p.unary().n)}
		case p.skip("//"):
			v = term{what: 'n', n: p.k.P.DimFloorDiv(v.n, p.unary().n)}
		case p.skip("%"):
			m := p.unary().n
			if ops.IsConst(m, 0) {
				p.k.Errorf("ZeroDivisionError", diag.BadValue, "%s(): integer division or modulo by zero", p.k.Short())
				return v
			}
			v = term{what: 'n', n: p.k.P.DimMod(v.n, m), t: v.t, axis: v.axis}
		default:
			return v
		}
	}
	return v
}

func (p *parser) unary() term {
	if p.skip("-") {
		return term{what: 'n', n: p.k.P.DimNeg(p.unary().n)}
	}
	return p.postfix(p.atom())
}

// atom parses the smallest term of an expectation: a number, a parenthesis, prod of a shape, the
// name of a dtype or of a kind of dtypes (f, i, b, unless an input has that name), or the name of
// an input or size of the call. Another name is a mistake in a record, and panics.
func (p *parser) atom() term {
	if p.skip("(") {
		v := p.sum()
		p.skip(")")
		return v
	}
	p.skip("")
	start := p.at
	for p.at < len(p.text) && (isWord(p.text[p.at])) {
		p.at++
	}
	word := p.text[start:p.at]
	if n, err := strconv.Atoi(word); err == nil {
		return term{what: 'n', n: p.k.Const(int64(n))}
	}
	switch word {
	case "f", "i", "b":
		if b := p.k.find(word); b == nil || b.t == nil {
			return term{what: 'k', kind: word}
		}
	case "float32":
		return term{what: 'd', d: dtype.F32}
	case "int32":
		return term{what: 'd', d: dtype.I32}
	case "bool":
		return term{what: 'd', d: dtype.Bool}
	case "prod":
		p.skip("(")
		v := p.sum()
		p.skip(")")
		return term{what: 'n', n: p.k.Numel(v.shape)}
	}
	b := p.k.find(word)
	if b == nil {
		panic("chainer: " + word + " is not known in " + p.text)
	}
	if b.t != nil {
		return term{what: 't', t: b.t}
	}
	return term{what: 'n', n: b.n}
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// postfix reads attributes of an input and elements of a shape. Of an input whose rank is not known
// they lose the result.
func (p *parser) postfix(v term) term {
	for p.k.OK() {
		switch {
		case p.skip(".dtype.kind"):
			v = term{what: 'k', d: v.t.Type().DType}
		case p.skip(".dtype"):
			v = term{what: 'd', d: v.t.Type().DType}
		case p.skip(".ndim"):
			v = term{what: 'n', n: p.k.Const(int64(len(p.k.Shape(v.t))))}
		case p.skip(".size"):
			v = term{what: 'n', n: p.k.Numel(p.k.Shape(v.t))}
		case p.skip(".shape"):
			v = term{what: 's', shape: p.k.Shape(v.t), t: v.t}
		case p.skip("["):
			v = p.element(v)
		default:
			return v
		}
	}
	return v
}

// element reads an index or a slice of a shape; negative bounds count from its end, and those of a
// slice are cut to it, as in Python. An index out of range is the IndexError of Python's tuple.
func (p *parser) element(v term) term {
	lo, hi, cut := 0, len(v.shape), false
	bound := func(to *int) {
		if t := p.text[p.at]; t == ':' || t == ']' {
			return
		}
		n, _ := ops.DimVal(p.sum().n)
		*to = int(n)
		if *to < 0 {
			*to += len(v.shape)
		}
	}
	bound(&lo)
	if cut = p.skip(":"); cut {
		bound(&hi)
	}
	p.skip("]")
	if cut {
		hi = min(max(hi, 0), len(v.shape))
		return term{what: 's', shape: v.shape[min(max(lo, 0), hi):hi]}
	}
	if lo < 0 || lo >= len(v.shape) {
		p.k.Errorf("IndexError", diag.RankMismatch, "%s(): %s: tuple index out of range for a shape of %s: %s", p.k.Short(), p.text,
			ops.CountWord(len(v.shape), "dimension"), v.t)
		return term{what: 'n', n: p.k.Const(0)}
	}
	return term{what: 'n', n: v.shape[lo], t: v.t, axis: lo}
}

// broadcast is the shape to which inputs are broadcast by NumPy's rules, as an expectation: sizes
// that are neither equal nor 1 are a fault. It is nil where an input is missing after a fault.
func (k *call) broadcast(names ...string) symshape.Shape {
	ts := make([]*value.Tensor, len(names))
	for i, n := range names {
		ts[i] = k.t(n)
	}
	if !k.OK() {
		return nil
	}
	return k.BroadcastTensors(ts...)
}

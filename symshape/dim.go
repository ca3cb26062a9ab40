// This file defines Dim, a size as the pair of its expression and its example value, and Shape.

package symshape

import (
	"strconv"
	"strings"
)

// Dim is a size: the pair {expression, value}, of which either half may be unknown (the ancestor calls it ShapeElem).
// Arithmetic works on the halves separately, and an unknown half gives an unknown half. A constant has both.
// The zero Dim is unknown.
type Dim struct {
	Expr  *Expr // nil: unknown expression
	Val   int64
	Known bool // Val is known
}

// MakeDim returns the size with expression e and no value, unless e is a constant.
func MakeDim(e *Expr) Dim {
	if n, ok := e.Const(); ok {
		return Dim{e, n, true}
	}
	return Dim{Expr: e}
}

// MakeDimValue returns the size with expression e and value v.
func MakeDimValue(e *Expr, v int64) Dim {
	if n, ok := e.Const(); ok {
		v = n
	}
	return Dim{e, v, true}
}

// ConstDim returns the size n.
func (p *Pool) ConstDim(n int64) Dim { return Dim{p.Const(n), n, true} }

// SymDim returns the size that is the symbol of that name.
func (p *Pool) SymDim(name string) Dim { return Dim{Expr: p.Symbol(name)} }

// Const returns the value of a size that is a constant: known for all sizes, not only in the example.
func (d Dim) Const() (int64, bool) { return d.Expr.Const() }

// Unknown reports whether nothing is known of d.
func (d Dim) Unknown() bool { return d.Expr == nil && !d.Known }

// String prints `bsize`, `57 ((height + 1) // 4)`, `57` or `?`.
func (d Dim) String() string { return d.format((*Expr).String) }

// Compact prints d as in type strings, without spaces inside the expression: `57 ((height+1)//4)`.
func (d Dim) Compact() string { return d.format((*Expr).Compact) }

func (d Dim) format(expr func(*Expr) string) string {
	switch {
	case d.Expr == nil && !d.Known:
		return "?"
	case d.Expr == nil:
		return strconv.FormatInt(d.Val, 10)
	case !d.Known || len(d.Expr.terms) == 0:
		return expr(d.Expr)
	}
	return strconv.FormatInt(d.Val, 10) + " (" + expr(d.Expr) + ")"
}

// SymbolNames are the names of the symbols of which d is made, in declaration order.
func (d Dim) SymbolNames() []string { return d.Expr.SymbolNames() }

// Outline is the same for sizes that differ in the names of symbols alone: what d is where all symbols are one large number.
func (d Dim) Outline() uint64 { return d.Expr.Outline() }

// combine applies an operation to both halves. value reports false where the operation fails.
func combine(e *Expr, a, b Dim, value func(a, b int64) (int64, bool)) Dim {
	d := MakeDim(e)
	if !d.Known && a.Known && b.Known {
		d.Val, d.Known = value(a.Val, b.Val)
	}
	return d
}

// DimAdd returns a + b.
func (p *Pool) DimAdd(a, b Dim) Dim { return combine(p.Add(a.Expr, b.Expr), a, b, addOverflow) }

// DimSub returns a - b.
func (p *Pool) DimSub(a, b Dim) Dim {
	return combine(p.Sub(a.Expr, b.Expr), a, b, func(x, y int64) (int64, bool) {
		if y == NegInf {
			return 0, false
		}
		return addOverflow(x, -y)
	})
}

// DimMul returns a * b.
func (p *Pool) DimMul(a, b Dim) Dim { return combine(p.Mul(a.Expr, b.Expr), a, b, mulOverflow) }

// DimFloorDiv returns a // b; unknown if b is 0.
func (p *Pool) DimFloorDiv(a, b Dim) Dim {
	return combine(p.FloorDiv(a.Expr, b.Expr), a, b, func(x, y int64) (int64, bool) {
		if y == 0 {
			return 0, false
		}
		return floorDiv(x, y), true
	})
}

// DimMod returns a % b; unknown if b is 0.
func (p *Pool) DimMod(a, b Dim) Dim {
	return combine(p.Mod(a.Expr, b.Expr), a, b, func(x, y int64) (int64, bool) {
		if y == 0 {
			return 0, false
		}
		return floorMod(x, y), true
	})
}

// DimCeilDiv returns a / b rounded up; unknown if b is 0.
func (p *Pool) DimCeilDiv(a, b Dim) Dim {
	var e *Expr
	if a.Expr != nil && b.Expr != nil {
		e = p.CeilDiv(a.Expr, b.Expr)
	}
	return combine(e, a, b, func(x, y int64) (int64, bool) {
		if y == 0 {
			return 0, false
		}
		return -floorDiv(-x, y), true
	})
}

// DimMax returns the greater of a and b.
func (p *Pool) DimMax(a, b Dim) Dim {
	return combine(p.Max(a.Expr, b.Expr), a, b, func(x, y int64) (int64, bool) { return max(x, y), true })
}

// DimMin returns the lesser of a and b.
func (p *Pool) DimMin(a, b Dim) Dim {
	return combine(p.Min(a.Expr, b.Expr), a, b, func(x, y int64) (int64, bool) { return min(x, y), true })
}

// DimNeg returns -a.
func (p *Pool) DimNeg(a Dim) Dim { return p.DimSub(p.ConstDim(0), a) }

// DimAbs returns the absolute value of a.
func (p *Pool) DimAbs(a Dim) Dim {
	return combine(p.Abs(a.Expr), a, a, func(x, _ int64) (int64, bool) { return max(x, -x), true })
}

// JoinDim keeps the halves on which a and b agree: a size after two paths meet.
func JoinDim(a, b Dim) Dim {
	var d Dim
	if a.Expr == b.Expr {
		d.Expr = a.Expr
	}
	if a.Known && b.Known && a.Val == b.Val {
		d.Val, d.Known = a.Val, true
	}
	return d
}

// ParseDim reads what String prints, and `bsize=2`: an expression with its example value. The error is a *ParseError: s
// is not in that form, or its value is negative or another than the size.
func (p *Pool) ParseDim(s string) (Dim, error) {
	if strings.TrimSpace(s) == "?" {
		return Dim{}, nil
	}
	r := newReader(p, s)
	var d Dim
	err := r.run(func() { d = r.dim() })
	return d, err
}

// dim reads a dimension: an expression, with an example value behind "=", or a value with the
// expression in parentheses behind it. A value must be a number, not negative, and agree with the
// expression where that is a number.
func (r *reader) dim() Dim {
	at := r.pos
	first := r.kind == tokInt
	e := r.integer(r.sum())
	switch {
	case r.accept("="):
		at = r.pos
		n, ok := r.integer(r.sum()).Const()
		if !ok {
			r.failAt(at, "an example value must be a number")
		}
		if n < 0 {
			r.failAt(at, "a size cannot be negative")
		}
		if c, isConst := e.Const(); isConst && c != n {
			r.failAt(at, "the value differs from the size")
		}
		return MakeDimValue(e, n)
	case r.is("(") && first:
		n, ok := e.Const()
		if !ok {
			r.failAt(at, "expected a value before the expression in parentheses")
		}
		r.next()
		e = r.integer(r.sum())
		r.expect(")")
		return MakeDimValue(e, n)
	}
	return MakeDim(e)
}

// Shape is the sizes of a tensor. Unknown rank is for the caller to represent.
type Shape []Dim

// String prints the shape as in type strings: `[bsize,64,57 ((height+1)//4)]`.
func (s Shape) String() string {
	var b strings.Builder
	b.WriteByte('[')
	for i, d := range s {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(d.Compact())
	}
	b.WriteByte(']')
	return b.String()
}

// EachSize calls do with each size: its number, or the symbols of one that is none.
func (s Shape) EachSize(do func(n int64, isNumber bool, symbols []string)) {
	for _, d := range s {
		if n, ok := d.Const(); ok {
			do(n, true, nil)
		} else {
			do(0, false, d.SymbolNames())
		}
	}
}

// Numel returns the number of elements.
func (p *Pool) Numel(s Shape) Dim {
	n := p.ConstDim(1)
	for _, d := range s {
		n = p.DimMul(n, d)
	}
	return n
}

// ParseShape reads what Shape.String prints. The error is a *ParseError: the brackets are missing, or a dimension
// cannot be parsed.
func (p *Pool) ParseShape(s string) (Shape, error) {
	text := strings.TrimSpace(s)
	if !strings.HasPrefix(text, "[") || !strings.HasSuffix(text, "]") {
		return nil, &ParseError{s, 1, "expected a shape in brackets"}
	}
	inner := text[1 : len(text)-1]
	shape := Shape{}
	if strings.TrimSpace(inner) == "" {
		return shape, nil
	}
	for _, part := range SplitList(inner) {
		d, err := p.ParseDim(part)
		if err != nil {
			return nil, err
		}
		shape = append(shape, d)
	}
	return shape, nil
}

// SplitList splits s at the commas outside of parentheses, brackets, braces and quotes.
func SplitList(s string) []string {
	var parts []string
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '"':
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case ',':
			if depth == 0 {
				parts = append(parts, s[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, s[start:])
}

package ops

// This file computes with the tracked elements of small tensors, so that shapes
// which pass through tensors stay known.
//
// An element is Int, SymInt, Bool, SymBool, Float or SymFloat; one that is not
// known is a SymInt or SymFloat without halves. Arithmetic follows the dtype of
// the result: integers wrap, float32 rounds after every step.

import (
	"math"

	"shapecheck/infer/value"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// An elemFunc computes an element of the result, of dtype d, from the elements
// of the operands. Nil means that the element is not known.
type elemFunc func(c *Call, d dtype.DType, x []value.Value) value.Value

// tracked reports whether elements of the dtype are tracked.
func tracked(d dtype.DType) bool {
	return d == dtype.Bool || d.IsIntegral() && d != dtype.U64 || d == dtype.F32 || d == dtype.F64
}

// unknownElem is an element of which only the dtype is known.
func (c *Call) unknownElem(d dtype.DType) value.Value {
	switch {
	case d == dtype.Bool:
		return c.Th.DataBool(nil)
	case d.IsIntegral():
		return &value.SymInt{}
	}
	return &value.SymFloat{}
}

// castElem converts an element to a dtype; nil when that is not known.
func (c *Call) castElem(d dtype.DType, v value.Value) value.Value {
	switch {
	case d == dtype.Bool:
		return c.elemTruth(v)
	case d.IsIntegral():
		if f, ok := v.(value.Float); ok {
			if math.IsNaN(float64(f)) || math.Abs(float64(f)) >= 1<<62 {
				return nil
			}
			return wrapInt(d, symshape.Dim{Expr: c.P.Const(int64(math.Trunc(float64(f)))), Val: int64(math.Trunc(float64(f))), Known: true})
		}
		if f, ok := v.(*value.SymFloat); ok {
			var dim symshape.Dim
			if f.R.Known() {
				dim = symshape.MakeDim(c.P.TruncReal(f.R))
			}
			if !dim.Known && f.Known && math.Abs(f.Val) < 1<<62 {
				dim.Val, dim.Known = int64(math.Trunc(f.Val)), true
			}
			return wrapInt(d, dim)
		}
		dim, ok := c.elemDim(v)
		if !ok {
			return nil
		}
		return wrapInt(d, dim)
	case d.IsFloat():
		return c.elemReal(v).elem(d)
	}
	return nil
}

// elemDim reads an element as an integer.
func (c *Call) elemDim(v value.Value) (symshape.Dim, bool) {
	switch v := v.(type) {
	case *value.SymBool:
		if v.Known {
			n := int64(0)
			if v.Val {
				n = 1
			}
			return symshape.Dim{Val: n, Known: true}, true
		}
		return symshape.Dim{}, true
	default:
		return value.AsDim(c.P, v)
	}
}

// wrapInt makes an element of an integer dtype, with two's complement wrapping.
// A symbolic int64 or int32 is taken to be in range: it is a size.
func wrapInt(d dtype.DType, n symshape.Dim) value.Value {
	bits := 8 * d.Size()
	fits := func(x int64) bool {
		switch {
		case bits == 64:
			return true
		case d.IsSigned():
			return x >= -1<<(bits-1) && x < 1<<(bits-1)
		}
		return x >= 0 && x < 1<<bits
	}
	if v, ok := n.Expr.Const(); ok {
		if !fits(v) {
			v &= 1<<bits - 1
			if d.IsSigned() && v >= 1<<(bits-1) {
				v -= 1 << bits
			}
		}
		return value.Int(v)
	}
	if bits < 32 || n.Known && !fits(n.Val) {
		return &value.SymInt{}
	}
	return &value.SymInt{D: n}
}

// A realElem is an element read as a float.
type realElem struct {
	r     symshape.Real
	val   float64
	known bool
}

func (c *Call) elemReal(v value.Value) realElem {
	switch v := v.(type) {
	case value.Float:
		return realElem{val: float64(v), known: true}
	case *value.SymFloat:
		return realElem{r: v.R, val: v.Val, known: v.Known}
	}
	d, ok := c.elemDim(v)
	if !ok {
		return realElem{}
	}
	x := realElem{val: float64(d.Val), known: d.Known}
	if d.Expr != nil {
		x.r = c.P.RealFromInt(d.Expr)
	}
	return x
}

// elem makes an element of a float dtype.
func (x realElem) elem(d dtype.DType) value.Value {
	switch d {
	case dtype.F32:
		x.val = float64(float32(x.val))
	case dtype.F64:
	default:
		return &value.SymFloat{}
	}
	if x.known && !x.r.Known() {
		return value.Float(x.val)
	}
	if x.r.Known() {
		if _, isConst := x.r.Const(); isConst && x.known {
			return value.Float(x.val)
		}
		if _, isInt := x.r.Int(); d == dtype.F32 && !isInt {
			// float32 rounds where the expression, in binary64, does not.
			x.r = symshape.Real{}
		}
	}
	return &value.SymFloat{R: x.r, Val: x.val, Known: x.known}
}

// elemTruth reads an element as a truth value.
func (c *Call) elemTruth(v value.Value) value.Value {
	switch v := v.(type) {
	case value.Bool, *value.SymBool:
		return v
	case value.Int:
		return value.Bool(v != 0)
	case value.Float:
		return value.Bool(v != 0)
	case *value.SymInt:
		if v.D.Expr == nil {
			return c.Th.DataBool(nil)
		}
		return c.boolElem(c.P.Ne(v.D.Expr, c.P.Const(0)), v.D.Val != 0, v.D.Known)
	}
	return c.Th.DataBool(nil)
}

// boolElem makes a truth value of a condition and its value for the example sizes.
func (c *Call) boolElem(cond *symshape.Cond, val, known bool) value.Value {
	if b, ok := cond.Const(); ok {
		return value.Bool(b)
	}
	if cond == nil {
		b := c.Th.DataBool(nil)
		if known {
			return &value.SymBool{Cond: b.Cond, Val: val, Known: true}
		}
		return b
	}
	return &value.SymBool{Cond: cond, Val: val, Known: known}
}

// isRealElem reports whether an element is a float.
func isRealElem(v value.Value) bool {
	switch v.(type) {
	case value.Float, *value.SymFloat:
		return true
	}
	return false
}

// An arithmetic operation on elements: on integers, on symbolic reals, on floats.
type elemArith struct {
	ints  func(p *symshape.Pool, a, b symshape.Dim) symshape.Dim
	reals func(p *symshape.Pool, a, b symshape.Real) symshape.Real // may be nil
	vals  func(a, b float64) float64
}

// arith makes the elemFunc of a binary operation.
func arith(op elemArith) elemFunc {
	return func(c *Call, d dtype.DType, x []value.Value) value.Value {
		switch {
		case d == dtype.Bool:
			return nil
		case d.IsIntegral():
			if op.ints == nil || isRealElem(x[0]) || isRealElem(x[1]) {
				return nil
			}
			a, ok1 := c.elemDim(x[0])
			b, ok2 := c.elemDim(x[1])
			if !ok1 || !ok2 {
				return nil
			}
			return wrapInt(d, op.ints(c.P, a, b))
		}
		a, b := c.elemReal(x[0]), c.elemReal(x[1])
		var r realElem
		if a.known && b.known {
			if d == dtype.F32 {
				a.val, b.val = float64(float32(a.val)), float64(float32(b.val))
			}
			r.val, r.known = op.vals(a.val, b.val), true
		}
		if op.reals != nil && c.symbolicReal(a, &b) {
			r.r = op.reals(c.P, c.realOf(a), c.realOf(b))
		}
		return r.elem(d)
	}
}

// symbolicReal reports whether a or b is an expression and both can be made one.
func (c *Call) symbolicReal(a realElem, b *realElem) bool {
	return (a.r.Known() || b.r.Known()) && (a.r.Known() || a.known) && (b.r.Known() || b.known)
}

func (c *Call) realOf(x realElem) symshape.Real {
	if x.r.Known() {
		return x.r
	}
	return c.P.RealConst(x.val, "")
}

// unaryFloat makes the elemFunc of a function on floats; on values only.
func unaryFloat(f func(float64) float64) elemFunc {
	return func(c *Call, d dtype.DType, x []value.Value) value.Value {
		if !d.IsFloat() {
			return nil
		}
		a := c.elemReal(x[0])
		if !a.known || a.r.Known() {
			if _, isConst := a.r.Const(); !isConst || !a.known {
				return nil
			}
		}
		return realElem{val: f(a.val), known: true}.elem(d)
	}
}

// inCommon makes f compute with operands of the dtype d, to which numbers and
// elements are converted first: 300 and -1 are other numbers in uint8.
func inCommon(d dtype.DType, f elemFunc) elemFunc {
	if !d.IsIntegral() && d != dtype.F32 {
		return f
	}
	return func(c *Call, result dtype.DType, x []value.Value) value.Value {
		y := make([]value.Value, len(x))
		for i, v := range x {
			y[i] = v
			switch v.(type) {
			case value.Int, value.Float:
				if y[i] = c.castElem(d, v); y[i] == nil {
					return nil
				}
			}
		}
		return f(c, result, y)
	}
}

// bitElem makes the elemFunc of a bitwise operation on concrete integers.
func bitElem(f func(a, b int64) int64) elemFunc {
	return func(c *Call, d dtype.DType, x []value.Value) value.Value {
		a, ok1 := concreteElem(x[0])
		b, ok2 := concreteElem(x[1])
		if !ok1 || !ok2 {
			return nil
		}
		n := f(a, b)
		if d == dtype.Bool {
			return value.Bool(n&1 != 0)
		}
		return wrapInt(d, c.Const(n))
	}
}

// concreteElem reads an element that is an integer for all sizes.
func concreteElem(v value.Value) (int64, bool) {
	switch v := v.(type) {
	case value.Int, value.Bool:
		return value.AsInt(v)
	case *value.SymInt:
		return v.D.Const()
	}
	return 0, false
}

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
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// An ElemFunc computes an element of the result, of dtype d, from the elements
// of the operands. Nil means that the element is not known.
type ElemFunc func(c *Call, d dtype.DType, x []value.Value) value.Value

// Tracked reports whether elements of the dtype are tracked.
func Tracked(d dtype.DType) bool {
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

// CastElem converts an element to a dtype; nil when that is not known.
func (c *Call) CastElem(d dtype.DType, v value.Value) value.Value {
	switch {
	case d == dtype.Bool:
		return c.ElemTruth(v)
	case d.IsIntegral():
		if f, ok := v.(value.Float); ok {
			if math.IsNaN(float64(f)) || math.Abs(float64(f)) >= 1<<62 {
				return nil
			}
			return WrapInt(d, symshape.Dim{Expr: c.P.Const(int64(math.Trunc(float64(f)))), Val: int64(math.Trunc(float64(f))), Known: true})
		}
		if f, ok := v.(*value.SymFloat); ok {
			if n, ok := f.Rounded(math.Trunc); ok {
				return WrapInt(d, c.Const(n))
			}
			var dim symshape.Dim
			if f.R.Known() {
				dim = symshape.MakeDim(c.P.TruncReal(f.R))
			}
			if !dim.Known && f.Known && math.Abs(f.Val) < 1<<62 {
				dim.Val, dim.Known = int64(math.Trunc(f.Val)), true
			}
			return WrapInt(d, dim)
		}
		dim, ok := c.elemDim(v)
		if !ok {
			return nil
		}
		return WrapInt(d, dim)
	case d.IsFloat():
		return c.ElemReal(v).elem(d)
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

// WrapInt makes an element of an integer dtype, with two's complement wrapping.
// A symbolic int64 or int32 is taken to be in range: it is a size.
func WrapInt(d dtype.DType, n symshape.Dim) value.Value {
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

// A RealElem is an element as a real number: as an expression, by its value for the
// example sizes, or both.
type RealElem struct {
	Real  symshape.Real
	Val   float64
	Known bool
	Near  bool // Val is right but for its last digits
}

// ElemReal reads an element as a real number; of what is none, nothing is known.
func (c *Call) ElemReal(v value.Value) RealElem {
	switch v := v.(type) {
	case value.Float:
		return RealElem{Val: float64(v), Known: true}
	case *value.SymFloat:
		return RealElem{Real: v.R, Val: v.Val, Known: v.Known, Near: v.Near}
	}
	d, ok := c.elemDim(v)
	if !ok {
		return RealElem{}
	}
	x := RealElem{Val: float64(d.Val), Known: d.Known}
	if d.Expr != nil {
		x.Real = c.P.RealFromInt(d.Expr)
	}
	return x
}

// elem makes an element of a float dtype.
func (x RealElem) elem(d dtype.DType) value.Value {
	switch d {
	case dtype.F32:
		x.Val = float64(float32(x.Val))
	case dtype.F64:
	default:
		return &value.SymFloat{}
	}
	if x.Near {
		return &value.SymFloat{Val: x.Val, Near: true}
	}
	if x.Known && !x.Real.Known() {
		return value.Float(x.Val)
	}
	if x.Real.Known() {
		if _, isConst := x.Real.Const(); isConst && x.Known {
			return value.Float(x.Val)
		}
		if _, isInt := x.Real.Int(); d == dtype.F32 && !isInt {
			// float32 rounds where the expression, in binary64, does not.
			x.Real = symshape.Real{}
		}
	}
	return &value.SymFloat{R: x.Real, Val: x.Val, Known: x.Known}
}

// ElemTruth reads an element as a truth value.
func (c *Call) ElemTruth(v value.Value) value.Value {
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
		return c.BoolElem(c.P.Ne(v.D.Expr, c.P.Const(0)), v.D.Val != 0, v.D.Known)
	}
	return c.Th.DataBool(nil)
}

// BoolElem makes a truth value of a condition and its value for the example sizes.
func (c *Call) BoolElem(cond *symshape.Cond, val, known bool) value.Value {
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

// IsRealElem reports whether an element is a float.
func IsRealElem(v value.Value) bool {
	switch v.(type) {
	case value.Float, *value.SymFloat:
		return true
	}
	return false
}

// An ElemArith is an arithmetic operation on elements: on integers, on symbolic reals,
// on floats. Nil means that nothing is known of its results on those.
type ElemArith struct {
	Ints  func(p *symshape.Pool, a, b symshape.Dim) symshape.Dim
	Reals func(p *symshape.Pool, a, b symshape.Real) symshape.Real // may be nil
	Vals  func(a, b float64) float64
	// Smooth says that results of numbers that are nearly right are nearly right.
	Smooth bool
}

// Arith makes the ElemFunc of a binary operation.
func Arith(op ElemArith) ElemFunc {
	return func(c *Call, d dtype.DType, x []value.Value) value.Value {
		switch {
		case d == dtype.Bool:
			return nil
		case d.IsIntegral():
			if op.Ints == nil || IsRealElem(x[0]) || IsRealElem(x[1]) {
				return nil
			}
			a, ok1 := c.elemDim(x[0])
			b, ok2 := c.elemDim(x[1])
			if !ok1 || !ok2 {
				return nil
			}
			return WrapInt(d, op.Ints(c.P, a, b))
		}
		a, b := c.ElemReal(x[0]), c.ElemReal(x[1])
		var r RealElem
		if a.Known && b.Known {
			if d == dtype.F32 {
				a.Val, b.Val = float64(float32(a.Val)), float64(float32(b.Val))
			}
			r.Val, r.Known = op.Vals(a.Val, b.Val), true
		} else if op.Smooth && (a.Known || a.Near) && (b.Known || b.Near) && !a.Real.Known() && !b.Real.Known() {
			r.Val = op.Vals(a.Val, b.Val)
			r.Near = !math.IsNaN(r.Val) && !math.IsInf(r.Val, 0)
		}
		if op.Reals != nil && c.symbolicReal(a, &b) {
			r.Real = op.Reals(c.P, c.realOf(a), c.realOf(b))
		}
		return r.elem(d)
	}
}

// symbolicReal reports whether a or b is an expression and both can be made one.
func (c *Call) symbolicReal(a RealElem, b *RealElem) bool {
	return (a.Real.Known() || b.Real.Known()) && (a.Real.Known() || a.Known) && (b.Real.Known() || b.Known)
}

func (c *Call) realOf(x RealElem) symshape.Real {
	if x.Real.Known() {
		return x.Real
	}
	return c.P.RealConst(x.Val, "")
}

// UnaryFloat makes the ElemFunc of a function on floats; on values only.
func UnaryFloat(f func(float64) float64) ElemFunc {
	return func(c *Call, d dtype.DType, x []value.Value) value.Value {
		if !d.IsFloat() {
			return nil
		}
		a := c.ElemReal(x[0])
		if !a.Known || a.Real.Known() {
			if _, isConst := a.Real.Const(); !isConst || !a.Known {
				return nil
			}
		}
		return RealElem{Val: f(a.Val), Known: true}.elem(d)
	}
}

// NearFloat makes the ElemFunc of a function whose last digits the processor and the library decide: elements are
// known to the last but where exact says so.
func NearFloat(f func(float64) float64, exact func(x, y float64) bool) ElemFunc {
	return func(c *Call, d dtype.DType, x []value.Value) value.Value {
		if !d.IsFloat() {
			return nil
		}
		a := c.ElemReal(x[0])
		if a.Real.Known() {
			if _, isConst := a.Real.Const(); !isConst {
				return nil
			}
		}
		if !a.Known && !a.Near {
			return nil
		}
		y := f(a.Val)
		special := math.IsNaN(y) || math.IsInf(y, 0) || y == 0
		if a.Known && (special || exact(a.Val, y)) {
			return RealElem{Val: y, Known: true}.elem(d)
		}
		if special {
			return nil
		}
		return RealElem{Val: y, Near: true}.elem(d)
	}
}

// SqrtElem is the square root of an element, of a float64 that sizes make its expression: NumPy and math round alike.
func SqrtElem(c *Call, d dtype.DType, x []value.Value) value.Value {
	if a := c.ElemReal(x[0]); d == dtype.F64 && a.Real.Known() {
		if _, isConst := a.Real.Const(); !isConst && a.Real.NonNegative() { // of others it is NaN
			return RealElem{Real: c.P.RealSqrt(a.Real), Val: math.Sqrt(a.Val), Known: a.Known}.elem(d)
		}
	}
	return NearFloat(math.Sqrt, func(_, _ float64) bool { return true })(c, d, x)
}

// InCommon makes f compute with operands of the dtype d, to which numbers and
// elements are converted first: 300 and -1 are other numbers in uint8.
func InCommon(d dtype.DType, f ElemFunc) ElemFunc {
	if !d.IsIntegral() && d != dtype.F32 {
		return f
	}
	return func(c *Call, result dtype.DType, x []value.Value) value.Value {
		y := make([]value.Value, len(x))
		for i, v := range x {
			y[i] = v
			switch v.(type) {
			case value.Int, value.Float:
				if y[i] = c.CastElem(d, v); y[i] == nil {
					return nil
				}
			}
		}
		return f(c, result, y)
	}
}

// BitElem makes the ElemFunc of a bitwise operation on concrete integers.
func BitElem(f func(a, b int64) int64) ElemFunc {
	return func(c *Call, d dtype.DType, x []value.Value) value.Value {
		a, ok1 := ConcreteElem(x[0])
		b, ok2 := ConcreteElem(x[1])
		if !ok1 || !ok2 {
			return nil
		}
		n := f(a, b)
		if d == dtype.Bool {
			return value.Bool(n&1 != 0)
		}
		return WrapInt(d, c.Const(n))
	}
}

// ConcreteElem reads an element that is an integer for all sizes.
func ConcreteElem(v value.Value) (int64, bool) {
	switch v := v.(type) {
	case value.Int, value.Bool:
		return value.AsInt(v)
	case *value.SymInt:
		return v.D.Const()
	}
	return 0, false
}

// OneElement checks that t can have a single element, whose truth or value is asked for.
func (c *Call) OneElement(t *value.Tensor, truth bool) bool {
	ty := t.Type()
	if !ty.Ranked {
		return true
	}
	n := c.Numel(ty.Shape)
	if n.Expr == nil || c.Th.Require(c.P.Eq(n.Expr, c.P.Const(1)), "") != symshape.No {
		return true
	}
	if truth {
		c.Errorf("RuntimeError", diag.RankMismatch, "the truth value of a tensor with %s elements is ambiguous: %s; use any() or all()", n, t)
	} else {
		c.Errorf("ValueError", diag.RankMismatch, "%s(): only a tensor with one element has a Python value, not %s", c.Short(), t)
	}
	return false
}

// ElementOf is element i of t as a Python value, nil when even its type is not known.
func (c *Call) ElementOf(t *value.Tensor, i int, elems []value.Value) value.Value {
	d := t.Type().DType
	if i < len(elems) {
		if s, ok := elems[i].(*value.SymInt); !ok || s.D.Expr != nil || s.D.Known {
			return elems[i]
		}
	}
	switch {
	case d == dtype.Bool:
		return c.Th.DataBool(t.V)
	case d.IsIntegral():
		return c.Th.DataInt("i", LowestInt(d), t.V)
	case d.IsFloat():
		return &value.SymFloat{Source: t.V}
	case d.IsComplex():
		return &value.Abstract{Class: c.Th.Class("complex")}
	}
	return nil
}

// LowestInt is the least integer that an element of the dtype can be, or become when
// it is cut to one.
func LowestInt(d dtype.DType) int64 {
	switch {
	case d == dtype.Bool || d.IsIntegral() && !d.IsSigned():
		return 0
	case d == dtype.I8:
		return math.MinInt8
	case d == dtype.I16:
		return math.MinInt16
	case d == dtype.I32:
		return math.MinInt32
	}
	return symshape.NegInf
}

// Convert sets the contents of out to elements of another dtype.
func (c *Call) Convert(out *value.Tensor, elems []value.Value) {
	d := out.Type().DType
	if elems == nil || !Tracked(d) || len(elems) > value.MaxElems {
		return
	}
	out.SetContents(c.CastElems(d, elems))
}

// CastElems converts elements to a dtype; nil when it is not one that is tracked.
func (c *Call) CastElems(d dtype.DType, elems []value.Value) []value.Value {
	if !Tracked(d) {
		return nil
	}
	list := make([]value.Value, len(elems))
	for i, e := range elems {
		if list[i] = c.CastElem(d, e); list[i] == nil {
			list[i] = c.unknownElem(d)
		}
	}
	return list
}

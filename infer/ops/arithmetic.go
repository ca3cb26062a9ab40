package ops

// This file computes with the elements of small tensors: what the operators, the
// comparisons and the roundings of all libraries do with them.

import (
	"math"

	"shapecheck/infer/value"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// The operators on elements, under the names that both libraries have for them: sums,
// products and quotients are nil where a result does not fit what is tracked;
// comparisons and logic give bools.
var (
	AddElem = Arith(ElemArith{(*symshape.Pool).DimAdd, (*symshape.Pool).RealAdd, func(a, b float64) float64 { return a + b }, true})
	SubElem = Arith(ElemArith{(*symshape.Pool).DimSub, (*symshape.Pool).RealSub, func(a, b float64) float64 { return a - b }, true})
	MulElem = Arith(ElemArith{(*symshape.Pool).DimMul, (*symshape.Pool).RealMul, func(a, b float64) float64 { return a * b }, true})
	DivElem = Arith(ElemArith{nil, (*symshape.Pool).RealDiv, func(a, b float64) float64 { return a / b }, true})
	MinElem = Arith(ElemArith{(*symshape.Pool).DimMin, (*symshape.Pool).RealMin, math.Min, true})
	MaxElem = Arith(ElemArith{(*symshape.Pool).DimMax, (*symshape.Pool).RealMax, math.Max, true})
	PowElem = Arith(ElemArith{dimPow, nil, math.Pow, false})

	FloorDivElem = Arith(ElemArith{(*symshape.Pool).DimFloorDiv, (*symshape.Pool).RealFloorDiv,
		func(a, b float64) float64 { return math.Floor(a / b) }, false})
	TruncDivElem = Arith(ElemArith{dimTruncDiv, nil, func(a, b float64) float64 { return math.Trunc(a / b) }, false})
	ModElem      = Arith(ElemArith{(*symshape.Pool).DimMod, (*symshape.Pool).RealMod, floatMod, false})
	FmodElem     = Arith(ElemArith{dimTruncMod, nil, math.Mod, false})

	EqElem = compareElem((*symshape.Pool).Eq, func(a, b float64) bool { return a == b })
	NeElem = compareElem((*symshape.Pool).Ne, func(a, b float64) bool { return a != b })
	LtElem = compareElem((*symshape.Pool).Lt, func(a, b float64) bool { return a < b })
	LeElem = compareElem((*symshape.Pool).Le, func(a, b float64) bool { return a <= b })
	GtElem = compareElem((*symshape.Pool).Gt, func(a, b float64) bool { return a > b })
	GeElem = compareElem((*symshape.Pool).Ge, func(a, b float64) bool { return a >= b })

	AndElem = logicElem(func(a, b bool) bool { return a && b })
	OrElem  = logicElem(func(a, b bool) bool { return a || b })
	XorElem = logicElem(func(a, b bool) bool { return a != b })
)

// floatMod is Python's remainder, which has the sign of the divisor.
func floatMod(a, b float64) float64 {
	m := math.Mod(a, b)
	if m != 0 && (m < 0) != (b < 0) {
		m += b
	}
	return m
}

// dimPow multiplies out small constant exponents; of others no expression is kept.
func dimPow(p *symshape.Pool, a, b symshape.Dim) symshape.Dim {
	n, ok := b.Const()
	if !ok || n < 0 || n > 64 {
		return symshape.Dim{}
	}
	out := p.ConstDim(1)
	for range n {
		out = p.DimMul(out, a)
	}
	return out
}

// dimTruncDiv divides towards zero: for operands that are not negative the same as //.
func dimTruncDiv(p *symshape.Pool, a, b symshape.Dim) symshape.Dim {
	x, ok1 := a.Const()
	y, ok2 := b.Const()
	if ok1 && ok2 {
		if y == 0 {
			return symshape.Dim{}
		}
		return p.ConstDim(x / y)
	}
	if notNegative(a) && notNegative(b) {
		return p.DimFloorDiv(a, b)
	}
	return symshape.Dim{}
}

func dimTruncMod(p *symshape.Pool, a, b symshape.Dim) symshape.Dim {
	q := dimTruncDiv(p, a, b)
	return p.DimSub(a, p.DimMul(q, b))
}

func notNegative(d symshape.Dim) bool {
	if d.Expr == nil {
		return false
	}
	lo, _ := d.Expr.Bounds()
	return lo >= 0
}

// compareElem makes the ElemFunc of a comparison.
func compareElem(cond func(p *symshape.Pool, a, b *symshape.Expr) *symshape.Cond, vals func(a, b float64) bool) ElemFunc {
	return func(c *Call, d dtype.DType, x []value.Value) value.Value {
		if IsRealElem(x[0]) || IsRealElem(x[1]) {
			a, b := c.ElemReal(x[0]), c.ElemReal(x[1])
			if (a.Near || b.Near) && (a.Known || a.Near) && (b.Known || b.Near) {
				return nearCompared(a, b, vals)
			}
			if !a.Known || !b.Known {
				return nil
			}
			if a.Real.Known() || b.Real.Known() {
				return c.BoolElem(nil, vals(a.Val, b.Val), true)
			}
			return value.Bool(vals(a.Val, b.Val))
		}
		a, ok1 := c.elemDim(x[0])
		b, ok2 := c.elemDim(x[1])
		if !ok1 || !ok2 {
			return nil
		}
		var k *symshape.Cond
		if a.Expr != nil && b.Expr != nil {
			k = cond(c.P, a.Expr, b.Expr)
		}
		known := a.Known && b.Known
		if k == nil && !known {
			return nil
		}
		// Values of sizes are far below 2⁵³.
		return c.BoolElem(k, known && vals(float64(a.Val), float64(b.Val)), known)
	}
}

// nearCompared compares numbers of which the last digits are not known; nil where those decide.
func nearCompared(a, b RealElem, vals func(a, b float64) bool) value.Value {
	if a.Real.Known() || b.Real.Known() {
		return nil
	}
	ends := func(x RealElem) [2]float64 {
		if !x.Near {
			return [2]float64{x.Val, x.Val}
		}
		lo, hi := (&value.SymFloat{Val: x.Val, Near: true}).Within()
		return [2]float64{lo, hi}
	}
	x, y := ends(a), ends(b)
	if x[0] <= y[1] && y[0] <= x[1] {
		return nil
	}
	return value.Bool(vals(a.Val, b.Val))
}

// logicElem makes the ElemFunc of a logical operation on concrete truth values.
func logicElem(f func(a, b bool) bool) ElemFunc {
	return func(c *Call, d dtype.DType, x []value.Value) value.Value {
		a, ok1 := c.ElemTruth(x[0]).(value.Bool)
		b, ok2 := c.ElemTruth(x[1]).(value.Bool)
		if !ok1 || !ok2 {
			return nil
		}
		return value.Bool(f(bool(a), bool(b)))
	}
}

// The roundings of elements.
var (
	FloorElem = rounding(math.Floor, (*symshape.Pool).FloorReal)
	CeilElem  = rounding(math.Ceil, (*symshape.Pool).CeilReal)
	TruncElem = rounding(math.Trunc, (*symshape.Pool).TruncReal)
	RoundElem = rounding(math.RoundToEven, (*symshape.Pool).RoundReal)
)

// NegElem is the negation of an element.
func NegElem(c *Call, d dtype.DType, x []value.Value) value.Value {
	return Arith(ElemArith{Ints: (*symshape.Pool).DimSub, Reals: (*symshape.Pool).RealSub, Vals: func(a, b float64) float64 { return a - b }})(
		c, d, []value.Value{value.Int(0), x[0]})
}

// AbsElem is the absolute value of an element.
func AbsElem(c *Call, d dtype.DType, x []value.Value) value.Value {
	if d.IsFloat() {
		return UnaryFloat(math.Abs)(c, d, x)
	}
	n, ok := c.elemDim(x[0])
	if !ok {
		return nil
	}
	return WrapInt(d, c.P.DimAbs(n))
}

// SameElem is the element itself.
func SameElem(c *Call, d dtype.DType, x []value.Value) value.Value { return c.CastElem(d, x[0]) }

// NotElem is the truth value that an element has not.
func NotElem(c *Call, d dtype.DType, x []value.Value) value.Value {
	switch b := c.ElemTruth(x[0]).(type) {
	case value.Bool:
		return !b
	case *value.SymBool:
		return c.BoolElem(c.P.Not(b.Cond), !b.Val, b.Known)
	}
	return nil
}

// InvertElem is the bitwise complement of an integer, and the other truth value.
func InvertElem(c *Call, d dtype.DType, x []value.Value) value.Value {
	if d == dtype.Bool {
		return NotElem(c, d, x)
	}
	n, ok := c.elemDim(x[0])
	if !ok {
		return nil
	}
	return WrapInt(d, c.P.DimSub(c.Const(-1), n))
}

func signOf(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}

// SignElem is -1, 0 or 1.
func SignElem(c *Call, d dtype.DType, x []value.Value) value.Value {
	if d.IsFloat() {
		return UnaryFloat(signOf)(c, d, x)
	}
	n, ok := ConcreteElem(x[0])
	switch {
	case !ok:
		return nil
	case d == dtype.Bool:
		return x[0]
	}
	return value.Int(int64(signOf(float64(n))))
}

// SquareElem is the square of an element.
func SquareElem(c *Call, d dtype.DType, x []value.Value) value.Value {
	return MulElem(c, d, []value.Value{x[0], x[0]})
}

// rounding makes the ElemFunc of floor, ceil, trunc and round: integers stay as they are.
func rounding(f func(float64) float64, sym func(p *symshape.Pool, r symshape.Real) *symshape.Expr) ElemFunc {
	return func(c *Call, d dtype.DType, x []value.Value) value.Value {
		if !IsRealElem(x[0]) {
			return c.CastElem(d, x[0])
		}
		if !d.IsFloat() {
			return nil
		}
		if s, ok := x[0].(*value.SymFloat); ok && s.Near {
			n, ok := s.Rounded(f)
			if !ok {
				return nil
			}
			return RealElem{Val: float64(n), Known: true}.elem(d)
		}
		a := c.ElemReal(x[0])
		r := RealElem{Val: f(a.Val), Known: a.Known}
		if a.Real.Known() {
			if e := sym(c.P, a.Real); e != nil {
				r.Real = c.P.RealFromInt(e)
			}
		}
		return r.elem(d)
	}
}

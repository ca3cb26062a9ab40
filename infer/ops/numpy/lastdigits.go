package numpy

// This file says which results of functions on floats are known to the last digit. NumPy computes exp, log, sin
// and their kin by code for the processor at hand or by the C library, whose last digits differ; where a result is
// a number that all of them give, it is known, and elsewhere it is known but for its last digits (SymFloat.Near).

import (
	"math"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/symshape/dtype"
)

func always(_, _ float64) bool { return true }

func never(_, _ float64) bool { return false }

func atZero(x, _ float64) bool { return x == 0 }

func powersOfTwo(x, _ float64) bool { return x == math.Trunc(x) }

func logsOfTwo(x, y float64) bool { return y == math.Trunc(y) && math.Exp2(y) == x }

// logsOfTen are those of the powers of ten that float64 has.
func logsOfTen(x, y float64) bool {
	return y == math.Trunc(y) && y >= 0 && y <= 22 && math.Pow10(int(y)) == x
}

func cubes(x, y float64) bool { return y == math.Trunc(y) && y*y*y == x }

// powElem is the power of two elements: of floats known where it is a whole number, or has no digits.
func powElem(c *ops.Call, d dtype.DType, x []value.Value) value.Value {
	if !d.IsFloat() {
		return ops.PowElem(c, d, x)
	}
	a, b := c.ElemReal(x[0]), c.ElemReal(x[1])
	if a.Real.Known() || b.Real.Known() {
		if _, isConst := a.Real.Const(); a.Real.Known() && !isConst {
			return ops.PowElem(c, d, x)
		}
		if _, isConst := b.Real.Const(); b.Real.Known() && !isConst {
			return ops.PowElem(c, d, x)
		}
	}
	if !a.Known && !a.Near || !b.Known {
		return nil
	}
	exact := func(x, y float64) bool {
		whole := x == math.Trunc(x) && b.Val == math.Trunc(b.Val)
		return b.Val == 0 || b.Val == 1 || x == 1 || whole && b.Val > 0 && math.Abs(y) < 1<<53 || b.Val == 2 && math.FMA(x, x, -x*x) == 0
	}
	return ops.NearFloat(func(x float64) float64 { return math.Pow(x, b.Val) }, exact)(c, d, x[:1])
}

func isNaN(v value.Value) bool {
	f, ok := v.(value.Float)
	return ok && math.IsNaN(float64(f))
}

// overNaN makes f, which gives nan where one element is, give the other element there.
func overNaN(f ops.ElemFunc) ops.ElemFunc {
	return func(c *ops.Call, d dtype.DType, x []value.Value) value.Value {
		switch {
		case isNaN(x[0]):
			return c.CastElem(d, x[1])
		case isNaN(x[1]):
			return c.CastElem(d, x[0])
		}
		return f(c, d, x)
	}
}

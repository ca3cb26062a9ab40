package aten

// This file lowers arithmetic and comparisons on two operands, which are promoted
// to a common element type first.

import (
	"math"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var arithmeticRecords = []Record{
	{Op: "torch.add", Lower: addLike("Add", false)},
	{Op: "torch.sub torch.subtract", Lower: addLike("Sub", false)},
	{Op: "torch.rsub", Lower: addLike("Sub", true)},
	{Op: "torch.mul", Lower: binary(func(c *Call, x, y V) V {
		if x.DType == onnx.Bool {
			return c.Op("And", In(x, y))
		}
		return c.mul(x, y)
	})},
	{Op: "torch.div torch.true_divide", Lower: div(false)},
	{Op: "torch.Tensor.__rtruediv__", Lower: div(true)},
	{Op: "torch.floor_divide", Lower: wideBinary((*Call).floorDiv)},
	{Op: "torch.Tensor.__rfloordiv__", Lower: wideBinary(swapped((*Call).floorDiv))},
	{Op: "torch.remainder", Lower: binary((*Call).remainder)},
	{Op: "torch.Tensor.__rmod__", Lower: binary(swapped((*Call).remainder))},
	{Op: "torch.fmod", Lower: binary((*Call).fmod)},
	{Op: "torch.pow", Lower: binary(root)},
	{Op: "torch.float_power", Lower: binary((*Call).pow)},
	{Op: "torch.Tensor.__rpow__", Lower: binary(swapped((*Call).pow))},
	{Op: "torch.maximum", Lower: extreme("Max")},
	{Op: "torch.minimum", Lower: extreme("Min")},
	{Op: "torch.fmax", Lower: numberBefore("Max")},
	{Op: "torch.fmin", Lower: numberBefore("Min")},
	{Op: "torch.hypot", Lower: binary(func(c *Call, x, y V) V {
		return c.Op("Sqrt", In(c.Op("Add", In(c.mul(x, x), c.mul(y, y)))))
	})},
	{Op: "torch.atan2", Lower: binary((*Call).atan2)},
	{Op: "torch.logaddexp", Lower: binary(func(c *Call, x, y V) V { return c.logAddExp(x, y, math.E) })},
	{Op: "torch.logaddexp2", Lower: binary(func(c *Call, x, y V) V { return c.logAddExp(x, y, 2) })},
	{Op: "torch.xlogy", Lower: binary(func(c *Call, x, y V) V { return c.xTimesLog(x, y, false) })},
	{Op: "torch.special.xlog1py", Lower: binary(func(c *Call, x, y V) V { return c.xTimesLog(x, y, true) })},
	{Op: "torch.heaviside", Lower: binary(func(c *Call, x, y V) V {
		if x.DType == onnx.Bool {
			return c.Op("Or", In(x, y))
		}
		zero := c.Scalar(x.DType, 0)
		step := c.Cast(c.Op("Greater", In(x, zero)), x.DType)
		return c.Op("Where", In(c.Op("Equal", In(x, zero)), y, step))
	})},
	{Op: "torch.copysign", Lower: binary(func(c *Call, x, y V) V {
		a := c.Op("Abs", In(x))
		return c.Op("Where", In(c.Op("Less", In(y, c.Scalar(y.DType, 0))), c.Op("Neg", In(a)), a))
	})},
	{Op: "torch.ldexp", Lower: ldexp},
	{Op: "torch.eq", Lower: compare("Equal", false)},
	{Op: "torch.ne", Lower: compare("Equal", true)},
	{Op: "torch.gt", Lower: compare("Greater", false)},
	{Op: "torch.ge", Lower: compare("GreaterOrEqual", false)},
	{Op: "torch.lt", Lower: compare("Less", false)},
	{Op: "torch.le", Lower: compare("LessOrEqual", false)},
	{Op: "torch.logical_and", Lower: logical("And")},
	{Op: "torch.logical_or", Lower: logical("Or")},
	{Op: "torch.logical_xor", Lower: logical("Xor")},
	{Op: "torch.logical_not", Lower: func(c *Call) {
		c.Return(c.Cast(c.Op("Not", In(c.Cast(c.Tensor("input"), onnx.Bool))), c.OutDType(0)))
	}},
	{Op: "torch.bitwise_and", Lower: bitwise("And")},
	{Op: "torch.bitwise_or", Lower: bitwise("Or")},
	{Op: "torch.bitwise_xor", Lower: bitwise("Xor")},
	{Op: "torch.bitwise_not", Lower: func(c *Call) {
		x := c.Tensor("input")
		switch {
		case x.DType == onnx.Bool:
			c.Return(c.Op("Not", In(x)))
		case c.Opset >= 18:
			c.Return(c.Op("BitwiseNot", In(x)))
		default:
			c.Failf("bitwise operators need opset 18")
		}
	}},
	{Op: "torch.isclose", Lower: isclose},
}

// ldexp is input·2^other, where the power has the type of other, if that is a float.
func ldexp(c *Call) {
	out := c.OutDType(0)
	d := onnx.Float
	if v, ok := c.Arg("other").(*graph.Value); ok && v.Type.DType.IsFloat() {
		d = c.dtype(v.Type.DType)
	}
	power := c.Op("Pow", In(c.Scalar(d, 2), c.Operand("other", d)))
	c.Return(c.mul(c.Operand("input", out), c.Cast(power, out)))
}

// swapped is a function of the operands in the other order.
func swapped(f func(c *Call, x, y V) V) func(c *Call, x, y V) V {
	return func(c *Call, x, y V) V { return f(c, y, x) }
}

// workType is the type in which runtimes compute: ONNX Runtime has no arithmetic
// on integers of fewer than 32 bits. Converting back wraps around, as PyTorch does.
func workType(d onnx.DType) onnx.DType {
	switch d {
	case onnx.Int8, onnx.Uint8, onnx.Int16, onnx.Uint16:
		return onnx.Int32
	case onnx.Uint32:
		return onnx.Int64
	}
	return d
}

// workOperand is an argument in the type in which what has element type d is computed.
// A number that does not fit into d wraps around first, as PyTorch converts it.
func (c *Call) workOperand(name string, d onnx.DType) V {
	n, ok := c.Arg(name).(graph.Int)
	if !ok || workType(d) == d {
		return c.Operand(name, workType(d))
	}
	switch d {
	case onnx.Int8:
		n = graph.Int(int8(n))
	case onnx.Uint8:
		n = graph.Int(uint8(n))
	case onnx.Int16:
		n = graph.Int(int16(n))
	case onnx.Uint16:
		n = graph.Int(uint16(n))
	case onnx.Uint32:
		n = graph.Int(uint32(n))
	}
	return c.Scalar(workType(d), float64(n))
}

// wideType is workType, with binary32 for floats of 16 bits. It is for what jumps: a
// number such as 0.1 that is rounded to 16 bits first gives another quotient.
func wideType(d onnx.DType) onnx.DType {
	if d == onnx.Float16 || d == onnx.BFloat16 {
		return onnx.Float
	}
	return workType(d)
}

// binary computes f of the first two arguments in the result's element type.
func binary(f func(c *Call, x, y V) V) func(c *Call) { return binaryIn(workType, f) }

// wideBinary is binary in wideType.
func wideBinary(f func(c *Call, x, y V) V) func(c *Call) { return binaryIn(wideType, f) }

func binaryIn(work func(onnx.DType) onnx.DType, f func(c *Call, x, y V) V) func(c *Call) {
	return func(c *Call) {
		out := c.OutDType(0)
		d := work(out)
		operand := func(name string) V {
			if isFloat(d) {
				return c.Operand(name, d)
			}
			return c.workOperand(name, out)
		}
		x, y := operand(c.Node.Args[0].Name), operand(c.Node.Args[1].Name)
		if x.DType != d || y.DType != d {
			x, y = c.Cast(x, d), c.Cast(y, d)
		}
		c.Return(c.Cast(f(c, x, y), out))
	}
}

// addLike is input ± alpha·other; the sum of bools is their disjunction.
func addLike(op string, reverse bool) func(c *Call) {
	return func(c *Call) {
		out := c.OutDType(0)
		d := workType(out)
		x, y := c.Operand("input", d), c.Operand("other", d)
		if d == onnx.Bool {
			if !isOne(c.Arg("alpha")) || op != "Add" {
				c.Failf("bools are only added")
			}
			c.Return(c.Op("Or", In(x, y)))
			return
		}
		alpha := func(v V) V {
			if c.Has("alpha") && !isOne(c.Arg("alpha")) {
				return c.mul(v, c.Number("alpha", d))
			}
			return v
		}
		if reverse {
			c.Return(c.Cast(c.Op(op, In(y, alpha(x))), out))
			return
		}
		c.Return(c.Cast(c.Op(op, In(x, alpha(y))), out))
	}
}

func isOne(o graph.Operand) bool {
	return o == nil || o == graph.Int(1) || o == graph.Float(1) || o == graph.Bool(true)
}

// div is true division, or with rounding_mode division rounded down or to zero.
func div(reverse bool) func(c *Call) {
	return func(c *Call) {
		out := c.OutDType(0)
		d := workType(out)
		x, y := c.workOperand("input", out), c.workOperand("other", out)
		if c.Str("rounding_mode") != "" && isFloat(d) {
			d = wideType(out)
			x, y = c.Operand("input", d), c.Operand("other", d)
		}
		if reverse {
			x, y = y, x
		}
		var v V
		switch c.Str("rounding_mode") {
		case "floor":
			v = c.floorDiv(x, y)
		case "trunc":
			if v = c.Op("Div", In(x, y)); isFloat(d) {
				v = c.truncate(v)
			}
		default:
			v = c.Op("Div", In(x, y))
		}
		c.Return(c.Cast(v, out))
	}
}

// floorDiv is the quotient rounded down. That of integers is one below the truncated
// one where it is negative and something is left over; x minus what is left over
// could exceed the type. Of floats, what is left over is exact and the quotient is
// not: 1.0 // 0.1 is 9. So PyTorch divides without it, and rounds to the nearest.
func (c *Call) floorDiv(x, y V) V {
	if !isFloat(x.DType) {
		left := c.Op("Not", In(c.isZero(c.Op("Mod", In(x, y)))))
		below := c.Op("And", In(left, c.Op("Xor", In(c.negative(x), c.negative(y)))))
		return c.sub(c.Op("Div", In(x, y)), c.Cast(below, x.DType))
	}
	left := c.fmod(x, y)
	q := c.over(c.sub(x, left), y)
	below := c.Op("And", In(c.Op("Not", In(c.isZero(left))), c.Op("Xor", In(c.negative(left), c.negative(y)))))
	q = c.sub(q, c.Cast(below, x.DType))
	down := c.Op("Floor", In(q))
	down = c.add(down, c.Cast(c.Op("Greater", In(c.sub(q, down), c.Scalar(x.DType, 0.5))), x.DType))
	return c.either(c.isZero(y), c.over(x, y), down)
}

// fmod is what a truncated division leaves over: it has the dividend's sign.
func (c *Call) fmod(x, y V) V { return c.Op("Mod", In(x, y), onnx.IntAttr("fmod", 1)) }

// truncate rounds to zero.
func (c *Call) truncate(x V) V {
	return c.Op("Where", In(c.Op("Less", In(x, c.Scalar(x.DType, 0))), c.Op("Ceil", In(x)), c.Op("Floor", In(x))))
}

// remainder has the divisor's sign.
func (c *Call) remainder(x, y V) V {
	if !isFloat(x.DType) {
		return c.Op("Mod", In(x, y))
	}
	left := c.fmod(x, y)
	other := c.Op("And", In(c.Op("Not", In(c.isZero(left))), c.Op("Xor", In(c.negative(left), c.negative(y)))))
	return c.either(other, c.add(left, y), left)
}

// root is pow, where the exponents 1/2 and -1/2 are roots, which -∞ has none of,
// unless the floats have 16 bits.
func root(c *Call, x, y V) V {
	if x.DType == onnx.Float || x.DType == onnx.Double {
		switch c.Arg("exponent") {
		case graph.Float(0.5):
			return c.sqrt(x)
		case graph.Float(-0.5):
			return c.Op("Reciprocal", In(c.sqrt(x)))
		}
	}
	return c.pow(x, y)
}

// pow of integers is 0 for negative exponents, unless the base is 1 or -1.
func (c *Call) pow(x, y V) V {
	if isFloat(x.DType) || c.isNatural(c.Node.Args[1].Value) {
		return c.Op("Pow", In(x, y))
	}
	one, zero := c.Scalar(x.DType, 1), c.Scalar(x.DType, 0)
	odd := c.Op("Equal", In(c.Op("Mod", In(y, c.Scalar(x.DType, 2))), one))
	sign := c.either(odd, c.Op("Neg", In(one)), one)
	small := c.either(c.Op("Equal", In(x, one)), one, c.either(c.Op("Equal", In(x, c.Op("Neg", In(one)))), sign, zero))
	return c.either(c.negative(y), small, c.Op("Pow", In(x, c.Op("Max", In(y, zero)))))
}

// isNatural reports whether an operand is known to be no negative number.
func (c *Call) isNatural(o graph.Operand) bool {
	n, ok := ConstInt(o)
	return ok && n >= 0
}

// extreme lowers maximum and minimum, of bools too.
func extreme(op string) func(c *Call) {
	return binary(func(c *Call, x, y V) V {
		if x.DType == onnx.Bool {
			return c.Op(map[string]string{"Max": "Or", "Min": "And"}[op], In(x, y))
		}
		return c.Op(op, In(x, y))
	})
}

// numberBefore is extreme of what is a number, where the other operand is NaN.
func numberBefore(op string) func(c *Call) {
	return func(c *Call) {
		if !isFloat(c.OutDType(0)) {
			extreme(op)(c)
			return
		}
		binary(func(c *Call, x, y V) V {
			return c.either(c.Op("IsNaN", In(x)), y, c.either(c.Op("IsNaN", In(y)), x, c.Op(op, In(x, y))))
		})(c)
	}
}

// atan2 is the angle of the point (y, x), from the arc tangent of the quotient.
func (c *Call) atan2(y, x V) V {
	zero := c.Scalar(x.DType, 0)
	base := c.either(c.isZero(y), zero, c.Op("Atan", In(c.Op("Div", In(y, x)))))
	pi := c.Scalar(x.DType, math.Pi)
	below := c.Op("Less", In(y, zero))
	turn := c.Op("Where", In(below, c.Op("Neg", In(pi)), pi))
	return c.Op("Where", In(c.Op("Less", In(x, zero)), c.Op("Add", In(base, turn)), base))
}

// logAddExp is log(bˣ + bʸ) to the base b, without overflow.
func (c *Call) logAddExp(x, y V, base float64) V {
	ln := math.Log(base)
	hi, lo := c.Op("Max", In(x, y)), c.Op("Min", In(x, y))
	diff := c.Op("Sub", In(lo, hi))
	if base != math.E {
		diff = c.mul(diff, c.Scalar(x.DType, ln))
	}
	soft := c.Op("Softplus", In(diff))
	if base != math.E {
		soft = c.Op("Div", In(soft, c.Scalar(x.DType, ln)))
	}
	return c.Op("Add", In(hi, soft))
}

// xTimesLog is x·log(y), or with plus x·log(1+y), and 0 where x is.
func (c *Call) xTimesLog(x, y V, plus bool) V {
	zero := c.Scalar(x.DType, 0)
	arg := y
	if plus {
		arg = c.Op("Add", In(y, c.Scalar(x.DType, 1)))
	}
	v := c.mul(x, c.Op("Log", In(arg)))
	dead := c.Op("And", In(c.Op("Equal", In(x, zero)), c.Op("Not", In(c.Op("IsNaN", In(y))))))
	return c.Op("Where", In(dead, zero, v))
}

// compare compares in the promoted type of the operands.
func compare(op string, negate bool) func(c *Call) {
	return func(c *Call) {
		d := c.common("input", "other")
		if d == onnx.Bool && op != "Equal" {
			d = onnx.Int32
		}
		v := c.Op(op, In(c.workOperand("input", d), c.workOperand("other", d)))
		if negate {
			v = c.Op("Not", In(v))
		}
		c.Return(c.Cast(v, c.OutDType(0)))
	}
}

// common returns the element type to which PyTorch promotes the operands.
func (c *Call) common(names ...string) onnx.DType {
	d, ok := c.promoted(names...)
	if !ok {
		c.Failf("the operands' types are not known")
	}
	return d
}

func logical(op string) func(c *Call) {
	return func(c *Call) {
		v := c.Op(op, In(c.Cast(c.Tensor("input"), onnx.Bool), c.Cast(c.Tensor("other"), onnx.Bool)))
		c.Return(c.Cast(v, c.OutDType(0)))
	}
}

// bitwise lowers to a logical operator on bools.
func bitwise(op string) func(c *Call) {
	return func(c *Call) {
		d := c.OutDType(0)
		x, y := c.Operand("input", d), c.Operand("other", d)
		switch {
		case d == onnx.Bool:
			c.Return(c.Op(op, In(x, y)))
		case c.Opset >= 18:
			c.Return(c.Op("Bitwise"+op, In(x, y)))
		default:
			c.Failf("bitwise operators need opset 18")
		}
	}
}

// isclose is |x - y| <= atol + rtol·|y|, and true for equal infinities.
func isclose(c *Call) {
	d := workType(c.common("input", "other"))
	x, y := c.Operand("input", d), c.Operand("other", d)
	switch {
	case !isFloat(d):
		x, y = c.Cast(x, onnx.Double), c.Cast(y, onnx.Double)
	case d != onnx.Double: // there are no infinities to ask for in half precision
		x, y = c.Cast(x, onnx.Float), c.Cast(y, onnx.Float)
	}
	w := x.DType
	limit := c.Op("Add", In(c.Number("atol", w), c.mul(c.Number("rtol", w), c.Op("Abs", In(y)))))
	near := c.Op("LessOrEqual", In(c.Op("Abs", In(c.Op("Sub", In(x, y)))), limit))
	near = c.Op("And", In(near, c.Op("Not", In(c.Op("IsInf", In(y))))))
	out := c.Op("Or", In(near, c.Op("Equal", In(x, y))))
	if c.Bool("equal_nan") {
		out = c.Op("Or", In(out, c.Op("And", In(c.Op("IsNaN", In(x)), c.Op("IsNaN", In(y))))))
	}
	c.Return(out)
}

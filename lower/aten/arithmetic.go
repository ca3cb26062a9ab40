package aten

// This file lowers arithmetic and comparisons on two operands, which are promoted
// to a common element type first.
//
// The rules have three steps: operands are converted to the type that PyTorch's promotion gives
// (the interpreter knows it as the result's type), the operator is applied in a type that
// runtimes have it for (workType), and the result is converted back. What needs care are numbers:
// division and remainder by sign, powers of integers, NaN in extremes, and infinities in
// comparisons.

import (
	"math"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var arithmeticRecords = []Record{
	{Op: "torch.add", Lower: addLike("Add", false)},
	{Op: "torch.sub torch.subtract", Lower: addLike("Sub", false)},
	{Op: "torch.rsub", Lower: addLike("Sub", true)},
	{Op: "torch.mul", Lower: binary(func(e *Emitter, x, y V) V {
		if x.DType == onnx.Bool {
			return e.Op("And", In(x, y))
		}
		return e.mul(x, y)
	})},
	{Op: "torch.div torch.true_divide", Lower: div(false)},
	{Op: "torch.Tensor.__rtruediv__", Lower: div(true)},
	{Op: "torch.floor_divide", Lower: wideBinary((*Emitter).floorDiv)},
	{Op: "torch.Tensor.__rfloordiv__", Lower: wideBinary(swapped((*Emitter).floorDiv))},
	{Op: "torch.remainder", Lower: binary((*Emitter).remainder)},
	{Op: "torch.Tensor.__rmod__", Lower: binary(swapped((*Emitter).remainder))},
	{Op: "torch.fmod", Lower: binary((*Emitter).fmod)},
	{Op: "torch.pow", Lower: root},
	{Op: "torch.float_power", Lower: power(false)},
	{Op: "torch.Tensor.__rpow__", Lower: power(true)},
	{Op: "torch.maximum", Lower: extreme("Max")},
	{Op: "torch.minimum", Lower: extreme("Min")},
	{Op: "torch.fmax", Lower: numberBefore("Max")},
	{Op: "torch.fmin", Lower: numberBefore("Min")},
	{Op: "torch.hypot", Lower: binary(func(e *Emitter, x, y V) V {
		return e.Op("Sqrt", In(e.Op("Add", In(e.mul(x, x), e.mul(y, y)))))
	})},
	{Op: "torch.atan2", Lower: binary((*Emitter).atan2)},
	{Op: "torch.logaddexp", Lower: binary(func(e *Emitter, x, y V) V { return e.logAddExp(x, y, math.E) })},
	{Op: "torch.logaddexp2", Lower: binary(func(e *Emitter, x, y V) V { return e.logAddExp(x, y, 2) })},
	{Op: "torch.xlogy", Lower: binary(func(e *Emitter, x, y V) V { return e.xTimesLog(x, y, false) })},
	{Op: "torch.special.xlog1py", Lower: binary(func(e *Emitter, x, y V) V { return e.xTimesLog(x, y, true) })},
	{Op: "torch.heaviside", Lower: binary(func(e *Emitter, x, y V) V {
		if x.DType == onnx.Bool {
			return e.Op("Or", In(x, y))
		}
		zero := e.Scalar(x.DType, 0)
		step := e.Cast(e.Op("Greater", In(x, zero)), x.DType)
		return e.Op("Where", In(e.Op("Equal", In(x, zero)), y, step))
	})},
	{Op: "torch.copysign", Lower: binary(func(e *Emitter, x, y V) V {
		a := e.Op("Abs", In(x))
		return e.Op("Where", In(e.Op("Less", In(y, e.Scalar(y.DType, 0))), e.Op("Neg", In(a)), a))
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
		e := c.emit
		c.Return(e.Cast(e.Op("Not", In(e.Cast(c.Tensor("input"), onnx.Bool))), c.OutDType(0)))
	}},
	{Op: "torch.bitwise_and", Lower: bitwise("And")},
	{Op: "torch.bitwise_or", Lower: bitwise("Or")},
	{Op: "torch.bitwise_xor", Lower: bitwise("Xor")},
	{Op: "torch.bitwise_not", Lower: func(c *Call) {
		e := c.emit
		x := c.Tensor("input")
		switch {
		case x.DType == onnx.Bool:
			c.Return(e.Op("Not", In(x)))
		case e.Opset >= 18:
			c.Return(e.Op("BitwiseNot", In(x)))
		default:
			failf("bitwise operators need opset 18")
		}
	}},
	{Op: "torch.isclose", Lower: isclose},
}

// ldexp is input·2^other, where the power has the type of other, if that is a float.
func ldexp(c *Call) {
	e := c.emit
	out := c.OutDType(0)
	d := onnx.Float
	if v, ok := c.Arg("other").(*graph.Value); ok && v.Type.DType.IsFloat() {
		d = c.dtype(v.Type.DType)
	}
	power := e.Op("Pow", In(e.Scalar(d, 2), c.Operand("other", d)))
	c.Return(e.mul(c.Operand("input", out), e.Cast(power, out)))
}

// swapped is a function of the operands in the other order.
func swapped(f func(e *Emitter, x, y V) V) func(e *Emitter, x, y V) V {
	return func(e *Emitter, x, y V) V { return f(e, y, x) }
}

// workType is the type in which runtimes compute: ONNX Runtime has no arithmetic
// on integers of fewer than 32 bits. Converting back wraps around, as PyTorch does. Arithmetic
// modulo 2^32 and a conversion to 8 or 16 bits give what PyTorch's modulo 2^8 or 2^16 gives, for
// additions, subtractions and products.
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
// A number that does not fit into d wraps around first, as PyTorch converts it. uint8 + 300 is
// 300 mod 256 in PyTorch, since a Python number does not change the tensor's type.
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
	return c.emit.Scalar(workType(d), float64(n))
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
func binary(f func(e *Emitter, x, y V) V) func(c *Call) { return binaryIn(workType, f) }

// wideBinary is binary in wideType.
func wideBinary(f func(e *Emitter, x, y V) V) func(c *Call) { return binaryIn(wideType, f) }

// work gives the type of the computation for that of the result.
func binaryIn(work func(onnx.DType) onnx.DType, f func(e *Emitter, x, y V) V) func(c *Call) {
	return func(c *Call) {
		e := c.emit
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
			x, y = e.Cast(x, d), e.Cast(y, d)
		}
		c.Return(e.Cast(f(e, x, y), out))
	}
}

// addLike is input ± alpha·other; the sum of bools is their disjunction. alpha multiplies the
// second operand of the written order, or with reverse (rsub) the first.
func addLike(op string, reverse bool) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		out := c.OutDType(0)
		d := workType(out)
		x, y := c.Operand("input", d), c.Operand("other", d)
		if d == onnx.Bool {
			if !isOne(c.Arg("alpha")) || op != "Add" {
				failf("bools are only added")
			}
			c.Return(e.Op("Or", In(x, y)))
			return
		}
		alpha := func(v V) V {
			if c.Has("alpha") && !isOne(c.Arg("alpha")) {
				return e.mul(v, c.Number("alpha", d))
			}
			return v
		}
		if reverse {
			c.Return(e.Cast(e.Op(op, In(y, alpha(x))), out))
			return
		}
		c.Return(e.Cast(e.Op(op, In(x, alpha(y))), out))
	}
}

func isOne(o graph.Operand) bool {
	return o == nil || o == graph.Int(1) || o == graph.Float(1) || o == graph.Bool(true)
}

// div is true division, or with rounding_mode division rounded down or to zero. Without
// rounding_mode the result is a float also of integers, and the interpreter has said so; with
// one, integers stay integers.
func div(reverse bool) func(c *Call) {
	return func(c *Call) {
		e := c.emit
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
			v = e.floorDiv(x, y)
		case "trunc":
			if v = e.Op("Div", In(x, y)); isFloat(d) {
				v = e.truncate(v)
			}
		default:
			v = e.Op("Div", In(x, y))
		}
		c.Return(e.Cast(v, out))
	}
}

// floorDiv is the quotient rounded down. That of integers is one below the truncated
// one where it is negative and something is left over; x minus what is left over
// could exceed the type. Of floats, what is left over is exact and the quotient is
// not: 1.0 // 0.1 is 9. So PyTorch divides without it, and rounds to the nearest. The float form
// follows c10's div_floor_floating, which Python's own float division has too, so that results
// agree in the last place. A division by zero gives what x/y gives.
func (e *Emitter) floorDiv(x, y V) V {
	if !isFloat(x.DType) {
		left := e.Op("Not", In(e.isZero(e.Op("Mod", In(x, y)))))
		below := e.Op("And", In(left, e.Op("Xor", In(e.negative(x), e.negative(y)))))
		return e.sub(e.Op("Div", In(x, y)), e.Cast(below, x.DType))
	}
	left := e.fmod(x, y)
	q := e.over(e.sub(x, left), y)
	below := e.Op("And", In(e.Op("Not", In(e.isZero(left))), e.Op("Xor", In(e.negative(left), e.negative(y)))))
	q = e.sub(q, e.Cast(below, x.DType))
	down := e.Op("Floor", In(q))
	down = e.add(down, e.Cast(e.Op("Greater", In(e.sub(q, down), e.Scalar(x.DType, 0.5))), x.DType))
	return e.either(e.isZero(y), e.over(x, y), down)
}

// fmod is what a truncated division leaves over: it has the dividend's sign. ONNX's Mod with
// fmod=1 is C's fmod.
func (e *Emitter) fmod(x, y V) V { return e.Op("Mod", In(x, y), onnx.IntAttr("fmod", 1)) }

// truncate rounds to zero. ONNX has Floor and Ceil, and no Trunc.
func (e *Emitter) truncate(x V) V {
	return e.Op("Where", In(e.Op("Less", In(x, e.Scalar(x.DType, 0))), e.Op("Ceil", In(x)), e.Op("Floor", In(x))))
}

// remainder has the divisor's sign. For floats it is fmod, plus the divisor where the signs
// differ.
func (e *Emitter) remainder(x, y V) V {
	if !isFloat(x.DType) {
		return e.Op("Mod", In(x, y))
	}
	left := e.fmod(x, y)
	other := e.Op("And", In(e.Op("Not", In(e.isZero(left))), e.Op("Xor", In(e.negative(left), e.negative(y)))))
	return e.either(other, e.add(left, y), left)
}

// root is pow, where the exponents 1/2 and -1/2 are roots, which -∞ has none of,
// unless the floats have 16 bits. PyTorch computes x**0.5 as sqrt, which differs from pow at -∞
// (NaN instead of ∞) and at -0.
func root(c *Call) {
	exponent := c.Arg("exponent")
	natural := isNatural(c.Node.Args[1].Value)
	binary(func(e *Emitter, x, y V) V {
		if x.DType == onnx.Float || x.DType == onnx.Double {
			switch exponent {
			case graph.Float(0.5):
				return e.sqrt(x)
			case graph.Float(-0.5):
				return e.Op("Reciprocal", In(e.sqrt(x)))
			}
		}
		return e.pow(x, y, natural)
	})(c)
}

// power is pow of the first two arguments, or of both in the other order.
func power(reflected bool) func(c *Call) {
	return func(c *Call) {
		natural := isNatural(c.Node.Args[1].Value)
		f := func(e *Emitter, x, y V) V { return e.pow(x, y, natural) }
		if reflected {
			f = swapped(f)
		}
		binary(f)(c)
	}
}

// pow of integers is 0 for negative exponents, unless the base is 1 or -1; natural says that the exponent is known not to
// be negative. A runtime's Pow of integers with a negative exponent is not defined; PyTorch's is 1/x rounded to zero.
func (e *Emitter) pow(x, y V, natural bool) V {
	if isFloat(x.DType) || natural {
		return e.Op("Pow", In(x, y))
	}
	one, zero := e.Scalar(x.DType, 1), e.Scalar(x.DType, 0)
	odd := e.Op("Equal", In(e.Op("Mod", In(y, e.Scalar(x.DType, 2))), one))
	sign := e.either(odd, e.Op("Neg", In(one)), one)
	small := e.either(e.Op("Equal", In(x, one)), one, e.either(e.Op("Equal", In(x, e.Op("Neg", In(one)))), sign, zero))
	return e.either(e.negative(y), small, e.Op("Pow", In(x, e.Op("Max", In(y, zero)))))
}

// isNatural reports whether an operand is known to be no negative number.
func isNatural(o graph.Operand) bool {
	n, ok := ConstInt(o)
	return ok && n >= 0
}

// extreme lowers maximum and minimum, of bools too.
func extreme(op string) func(c *Call) {
	return binary(func(e *Emitter, x, y V) V {
		if x.DType == onnx.Bool {
			return e.Op(map[string]string{"Max": "Or", "Min": "And"}[op], In(x, y))
		}
		return e.Op(op, In(x, y))
	})
}

// numberBefore is extreme of what is a number, where the other operand is NaN. That is fmax and
// fmin of C and IEEE 754's maxNum.
func numberBefore(op string) func(c *Call) {
	return func(c *Call) {
		if !isFloat(c.OutDType(0)) {
			extreme(op)(c)
			return
		}
		binary(func(e *Emitter, x, y V) V {
			return e.either(e.Op("IsNaN", In(x)), y, e.either(e.Op("IsNaN", In(y)), x, e.Op(op, In(x, y))))
		})(c)
	}
}

// atan2 is the angle of the point (y, x), from the arc tangent of the quotient. The quotient's
// arc tangent is right in the right half plane; in the left one π is added, with the sign of y. y
// = 0 is treated alone, as 0/0 has no quotient.
func (e *Emitter) atan2(y, x V) V {
	zero := e.Scalar(x.DType, 0)
	base := e.either(e.isZero(y), zero, e.Op("Atan", In(e.Op("Div", In(y, x)))))
	pi := e.Scalar(x.DType, math.Pi)
	below := e.Op("Less", In(y, zero))
	turn := e.Op("Where", In(below, e.Op("Neg", In(pi)), pi))
	return e.Op("Where", In(e.Op("Less", In(x, zero)), e.Op("Add", In(base, turn)), base))
}

// logAddExp is log(bˣ + bʸ) to the base b, without overflow. It is max + log(1 + e^(min-max)),
// whose exponent is never positive; other bases scale by their logarithm.
func (e *Emitter) logAddExp(x, y V, base float64) V {
	ln := math.Log(base)
	hi, lo := e.Op("Max", In(x, y)), e.Op("Min", In(x, y))
	diff := e.Op("Sub", In(lo, hi))
	if base != math.E {
		diff = e.mul(diff, e.Scalar(x.DType, ln))
	}
	soft := e.Op("Softplus", In(diff))
	if base != math.E {
		soft = e.Op("Div", In(soft, e.Scalar(x.DType, ln)))
	}
	return e.Op("Add", In(hi, soft))
}

// xTimesLog is x·log(y), or with plus x·log(1+y), and 0 where x is. PyTorch's xlogy is 0 where x
// is 0, also where log(y) is infinite, and NaN where y is.
func (e *Emitter) xTimesLog(x, y V, plus bool) V {
	zero := e.Scalar(x.DType, 0)
	arg := y
	if plus {
		arg = e.Op("Add", In(y, e.Scalar(x.DType, 1)))
	}
	v := e.mul(x, e.Op("Log", In(arg)))
	dead := e.Op("And", In(e.Op("Equal", In(x, zero)), e.Op("Not", In(e.Op("IsNaN", In(y))))))
	return e.Op("Where", In(dead, zero, v))
}

// compare compares in the promoted type of the operands. Bools are compared as integers by order,
// as ONNX's Less takes no bools.
func compare(op string, negate bool) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		d := c.common("input", "other")
		if d == onnx.Bool && op != "Equal" {
			d = onnx.Int32
		}
		v := e.Op(op, In(c.workOperand("input", d), c.workOperand("other", d)))
		if negate {
			v = e.Op("Not", In(v))
		}
		c.Return(e.Cast(v, c.OutDType(0)))
	}
}

// common returns the element type to which PyTorch promotes the operands. The result of a
// comparison is a bool, so its type says nothing of the operands'.
func (c *Call) common(names ...string) onnx.DType {
	d, ok := c.promoted(names...)
	if !ok {
		failf("the operands' types are not known")
	}
	return d
}

func logical(op string) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		v := e.Op(op, In(e.Cast(c.Tensor("input"), onnx.Bool), e.Cast(c.Tensor("other"), onnx.Bool)))
		c.Return(e.Cast(v, c.OutDType(0)))
	}
}

// bitwise lowers to a logical operator on bools. Before opset 18 ONNX had no bitwise operators of
// integers.
func bitwise(op string) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		d := c.OutDType(0)
		x, y := c.Operand("input", d), c.Operand("other", d)
		switch {
		case d == onnx.Bool:
			c.Return(e.Op(op, In(x, y)))
		case e.Opset >= 18:
			c.Return(e.Op("Bitwise"+op, In(x, y)))
		default:
			failf("bitwise operators need opset 18")
		}
	}
}

// isclose is |x - y| <= atol + rtol·|y|, and true for equal infinities. Infinities are equal or
// not close; a finite number is never close to one, which the formula alone would say when the
// tolerance is infinite.
func isclose(c *Call) {
	e := c.emit
	d := workType(c.common("input", "other"))
	x, y := c.Operand("input", d), c.Operand("other", d)
	switch {
	case !isFloat(d):
		x, y = e.Cast(x, onnx.Double), e.Cast(y, onnx.Double)
	case d != onnx.Double: // there are no infinities to ask for in half precision
		x, y = e.Cast(x, onnx.Float), e.Cast(y, onnx.Float)
	}
	w := x.DType
	limit := e.Op("Add", In(c.Number("atol", w), e.mul(c.Number("rtol", w), e.Op("Abs", In(y)))))
	near := e.Op("LessOrEqual", In(e.Op("Abs", In(e.Op("Sub", In(x, y)))), limit))
	near = e.Op("And", In(near, e.Op("Not", In(e.Op("IsInf", In(y))))))
	out := e.Op("Or", In(near, e.Op("Equal", In(x, y))))
	if c.Bool("equal_nan") {
		out = e.Op("Or", In(out, e.Op("And", In(e.Op("IsNaN", In(x)), e.Op("IsNaN", In(y))))))
	}
	c.Return(out)
}

package inference

// This file holds operators that work element by element, and the softmax family, whose results have the types of their inputs, too.

import (
	"shapecheck/onnx"
)

// elementwiseOps are, for each operator, its rule for types and its rule for known elements (op in table.go). The latter are in data.go and compute.go.
var elementwiseOps = [...]op{
	{"Abs", same, dataUnary("abs")}, {"Neg", same, dataUnary("neg")},
	{"Acos", same, nil}, {"Acosh", same, nil}, {"Asin", same, nil}, {"Asinh", same, nil},
	{"Atan", same, nil}, {"Atanh", same, nil}, {"Cos", same, nil}, {"Cosh", same, nil},
	{"Sin", same, nil}, {"Sinh", same, nil}, {"Tan", same, nil}, {"Tanh", same, nil},
	{"Ceil", same, dataUnary("ceil")}, {"Floor", same, dataUnary("floor")}, {"Round", same, dataUnary("round")},
	{"Exp", same, nil}, {"Log", same, nil}, {"Sqrt", same, dataUnary("sqrt")}, {"Reciprocal", same, dataUnary("reciprocal")},
	{"Erf", same, nil}, {"Sign", same, nil}, {"Celu", same, nil}, {"Elu", same, nil}, {"Selu", same, nil},
	{"Relu", same, dataUnary("relu")}, {"LeakyRelu", same, nil}, {"ThresholdedRelu", same, nil}, {"HardSigmoid", same, nil},
	{"HardSwish", same, nil}, {"Sigmoid", same, nil}, {"Softplus", same, nil}, {"Softsign", same, nil},
	{"Gelu", same, nil}, {"Mish", same, nil}, {"Swish", same, nil}, {"Shrink", same, nil},
	{"Softmax", withAxis, nil}, {"LogSoftmax", withAxis, nil}, {"Hardmax", withAxis, nil},
	{"Clip", clip, dataClip}, {"BitwiseNot", same, nil}, {"Identity", identity, nil},
	{"Not", sameAs(onnx.Bool), dataUnary("not")}, {"IsNaN", sameAs(onnx.Bool), nil}, {"IsInf", sameAs(onnx.Bool), nil},
	{"Add", binary, dataBinary("add")}, {"Sub", binary, dataBinary("sub")}, {"Mul", binary, dataBinary("mul")},
	{"Div", binary, dataBinary("div")}, {"Mod", binary, dataBinary("mod")}, {"Pow", power, dataBinary("pow")},
	{"PRelu", prelu, nil}, {"BitShift", binary, nil},
	{"BitwiseAnd", binary, nil}, {"BitwiseOr", binary, nil}, {"BitwiseXor", binary, nil},
	{"And", binaryAs(onnx.Bool), dataBinary("and")}, {"Or", binaryAs(onnx.Bool), dataBinary("or")},
	{"Xor", binaryAs(onnx.Bool), dataBinary("xor")},
	{"Equal", binaryAs(onnx.Bool), dataBinary("eq")}, {"Less", binaryAs(onnx.Bool), dataBinary("lt")},
	{"LessOrEqual", binaryAs(onnx.Bool), dataBinary("le")},
	{"Greater", binaryAs(onnx.Bool), dataBinary("gt")}, {"GreaterOrEqual", binaryAs(onnx.Bool), dataBinary("ge")},
	{"Max", variadic, dataVariadic("max")}, {"Min", variadic, dataVariadic("min")}, {"Sum", variadic, dataVariadic("add")},
	{"Mean", variadic, nil},
	{"Where", where, dataWhere},
}

// broadcastMin is the opset from which binary operators broadcast as numpy does.
const broadcastMin = 7

// same gives the type of the first input.
func same(c *call) {
	if c.isTensor(0) {
		c.outLike(0, c.elem(0), 0)
	}
}

// sameAs gives the shape of the first input with another element type.
func sameAs(d onnx.DType) func(*call) {
	return func(c *call) {
		if c.isTensor(0) {
			c.outLike(0, d, 0)
		} else if !c.failed {
			c.outUnranked(0, d)
		}
	}
}

// identity passes any value on, with what is known of its elements.
func identity(c *call) {
	v := *c.in(0)
	c.outs[0] = &v
}

// withAxis is same for operators that work along an axis, which must be in range. A number, without an axis, may have axis 0 or -1.
func withAxis(c *call) {
	if d, ok := c.dims(0); ok {
		if a := c.a.Int("axis"); c.a.Given("axis") && (len(d) > 0 || a > 0 || a < -1) {
			rank := int64(len(d))
			// Before opset 13 the axis splits the dimensions in two groups, and may be the
			// number of dimensions.
			if c.version >= 13 && (a >= rank || a < -rank) || a > rank || a < -rank {
				c.errorf("axis %d is out of range for %s", a, c.in(0).Type)
				return
			}
		}
	}
	same(c)
}

// clip has the type of the first input; the bounds have its element type, and may be absent.
func clip(c *call) {
	c.sameElem(0, 1, 2)
	if !c.failed {
		same(c)
	}
}

// broadcastInputs gives result 0 the broadcast shape of inputs, of which nothing is known where the rank of one is not.
func (c *call) broadcastInputs(d onnx.DType, ins ...int) {
	var shapes [][]expr
	for _, i := range ins {
		s, ok := c.dims(i)
		if !ok {
			c.outUnranked(0, d)
			return
		}
		shapes = append(shapes, s)
	}
	c.out(0, d, c.broadcast(shapes...))
}

// likeFirst reports whether a binary operator has its form from before opset 7: the second input fits the first by the
// attributes broadcast and axis, and the result has the first input's shape.
func (c *call) likeFirst() bool {
	return c.version < broadcastMin
}

// binary is the rule of an operator of two operands of one type, which the result has, too.
func binary(c *call) {
	d := c.sameElem(0, 1)
	switch {
	case c.failed:
	case c.likeFirst():
		c.outLike(0, d, 0)
	default:
		c.broadcastInputs(d, 0, 1)
	}
}

// binaryAs is the rule of an operator of two operands of one type whose result has the type d.
func binaryAs(d onnx.DType) func(*call) {
	return func(c *call) {
		c.sameElem(0, 1)
		switch {
		case c.failed:
		case c.likeFirst():
			c.outLike(0, d, 0)
		default:
			c.broadcastInputs(d, 0, 1)
		}
	}
}

// power allows an exponent of another type from opset 12 on; the result has the
// base's.
func power(c *call) {
	if c.version < 12 {
		binary(c)
		return
	}
	if c.isTensor(0); c.isTensor(1) && !c.failed {
		c.broadcastInputs(c.elem(0), 0, 1)
	}
}

// prelu broadcasts the slope to the input, never the other way. Before opset 7 the slope has one element
// for each channel. Of opsets 7 and 8 nothing is reported, although they broadcast as opset 9 does.
func prelu(c *call) {
	c.sameElem(0, 1)
	if c.failed {
		return
	}
	x, ok := c.dims(0)
	s, ok2 := c.dims(1)
	if ok && ok2 && c.version >= 9 {
		if len(s) > len(x) {
			c.errorAt(1, "the slope %s has more dimensions than the input %s", c.in(1).Type, c.in(0).Type)
			return
		}
		for i := range s {
			at := len(x) - len(s) + i
			if lo, _ := s[i].Bounds(); lo >= 2 && c.e.neverEqual(s[i], x[at]) {
				c.errorAt(1, "the slope %s does not fit the input %s", c.in(1).Type, c.in(0).Type)
				return
			}
		}
	}
	same(c)
}

// variadic combines any number of inputs; before opset 8 they have one shape.
func variadic(c *call) {
	ins := make([]int, len(c.ins))
	for i := range ins {
		ins[i] = i
	}
	d := c.sameElem(ins...)
	if !c.failed {
		c.broadcastInputs(d, ins...)
	}
}

// where broadcasts a condition of truth values and two operands of one type.
func where(c *call) {
	if d := c.elem(0); c.isTensor(0) && d != onnx.Bool && d != onnx.Undefined {
		c.errorAt(0, "the condition has element type %s; it must be bool", d)
		return
	}
	d := c.sameElem(1, 2)
	if !c.failed {
		c.broadcastInputs(d, 0, 1, 2)
	}
}

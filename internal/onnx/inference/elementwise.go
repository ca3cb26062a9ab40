package inference

// This file holds operators that work element by element.

import (
	"shapecheck/internal/onnx"
)

var elementwiseOps = [...]op{
	{"Abs", 1, 1, one, one, same, dataUnary("abs")}, {"Neg", 1, 1, one, one, same, dataUnary("neg")},
	{"Acos", 7, 1, one, one, same, nil}, {"Acosh", 9, 1, one, one, same, nil}, {"Asin", 7, 1, one, one, same, nil}, {"Asinh", 9, 1, one, one, same, nil},
	{"Atan", 7, 1, one, one, same, nil}, {"Atanh", 9, 1, one, one, same, nil}, {"Cos", 7, 1, one, one, same, nil}, {"Cosh", 9, 1, one, one, same, nil},
	{"Sin", 7, 1, one, one, same, nil}, {"Sinh", 9, 1, one, one, same, nil}, {"Tan", 7, 1, one, one, same, nil}, {"Tanh", 1, 1, one, one, same, nil},
	{"Ceil", 1, 1, one, one, same, dataUnary("ceil")}, {"Floor", 1, 1, one, one, same, dataUnary("floor")}, {"Round", 11, 1, one, one, same, dataUnary("round")},
	{"Exp", 1, 1, one, one, same, nil}, {"Log", 1, 1, one, one, same, nil}, {"Sqrt", 1, 1, one, one, same, dataUnary("sqrt")}, {"Reciprocal", 1, 1, one, one, same, dataUnary("reciprocal")},
	{"Erf", 9, 1, one, one, same, nil}, {"Sign", 9, 1, one, one, same, nil}, {"Celu", 12, 1, one, one, same, nil}, {"Elu", 1, 1, one, one, same, nil}, {"Selu", 1, 1, one, one, same, nil},
	{"Relu", 1, 1, one, one, same, dataUnary("relu")}, {"LeakyRelu", 1, 1, one, one, same, nil}, {"ThresholdedRelu", 10, 1, one, one, same, nil}, {"HardSigmoid", 1, 1, one, one, same, nil},
	{"HardSwish", 14, 1, one, one, same, nil}, {"Sigmoid", 1, 1, one, one, same, nil}, {"Softplus", 1, 1, one, one, same, nil}, {"Softsign", 1, 1, one, one, same, nil},
	{"Gelu", 20, 1, one, one, same, nil}, {"Mish", 18, 1, one, one, same, nil}, {"Shrink", 9, 1, one, one, same, nil},
	{"Softmax", 1, 1, one, one, withAxis, nil}, {"LogSoftmax", 1, 1, one, one, withAxis, nil}, {"Hardmax", 1, 1, one, one, withAxis, nil},
	{"Clip", 1, 1, [2]int{1, 3}, one, clip, dataClip}, {"BitwiseNot", 18, 1, one, one, same, nil}, {"Identity", 1, 1, one, one, identity, nil},
	{"Not", 1, 1, one, one, sameAs(onnx.Bool), dataUnary("not")}, {"IsNaN", 9, 1, one, one, sameAs(onnx.Bool), nil}, {"IsInf", 10, 1, one, one, sameAs(onnx.Bool), nil},
	{"Add", 1, 1, two, one, binary, dataBinary("add")}, {"Sub", 1, 1, two, one, binary, dataBinary("sub")}, {"Mul", 1, 1, two, one, binary, dataBinary("mul")},
	{"Div", 1, 1, two, one, binary, dataBinary("div")}, {"Mod", 10, 1, two, one, binary, dataBinary("mod")}, {"Pow", 1, 1, two, one, power, dataBinary("pow")},
	{"PRelu", 1, 1, two, one, prelu, nil}, {"BitShift", 11, 1, two, one, binary, nil},
	{"BitwiseAnd", 18, 1, two, one, binary, nil}, {"BitwiseOr", 18, 1, two, one, binary, nil}, {"BitwiseXor", 18, 1, two, one, binary, nil},
	{"And", 1, 1, two, one, binaryAs(onnx.Bool), dataBinary("and")}, {"Or", 1, 1, two, one, binaryAs(onnx.Bool), dataBinary("or")}, {"Xor", 1, 1, two, one, binaryAs(onnx.Bool), dataBinary("xor")},
	{"Equal", 1, 1, two, one, binaryAs(onnx.Bool), dataBinary("eq")}, {"Less", 1, 1, two, one, binaryAs(onnx.Bool), dataBinary("lt")}, {"LessOrEqual", 12, 1, two, one, binaryAs(onnx.Bool), dataBinary("le")},
	{"Greater", 1, 1, two, one, binaryAs(onnx.Bool), dataBinary("gt")}, {"GreaterOrEqual", 12, 1, two, one, binaryAs(onnx.Bool), dataBinary("ge")},
	{"Max", 1, 1, any1, one, variadic, dataVariadic("max")}, {"Min", 1, 1, any1, one, variadic, dataVariadic("min")}, {"Sum", 1, 1, any1, one, variadic, dataVariadic("add")}, {"Mean", 1, 1, any1, one, variadic, nil},
	{"Where", 9, 1, three, one, where, dataWhere},
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

// withAxis is same for operators that work along an axis.
func withAxis(c *call) {
	if d, ok := c.dims(0); ok {
		if a := c.attr("axis"); a != nil && (len(d) > 0 || a.Int > 0 || a.Int < -1) {
			rank := int64(len(d))
			// Before opset 13 the axis splits the dimensions in two groups, and may be the
			// number of dimensions.
			if c.version >= 13 && (a.Int >= rank || a.Int < -rank) || a.Int > rank || a.Int < -rank {
				c.errorf("axis %d is out of range for %s", a.Int, c.in(0).Type)
				return
			}
		}
	}
	same(c)
}

func clip(c *call) {
	c.sameElem(0, 1, 2)
	if !c.failed {
		same(c)
	}
}

// spread gives the broadcast shape of inputs as result 0.
func (c *call) spread(d onnx.DType, ins ...int) {
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

// old reports whether a binary operator has its form from before opset 7, in which
// the result has the first input's shape.
func (c *call) old() bool {
	return c.version < broadcastMin
}

func binary(c *call) {
	d := c.sameElem(0, 1)
	switch {
	case c.failed:
	case c.old():
		c.outLike(0, d, 0)
	default:
		c.spread(d, 0, 1)
	}
}

func binaryAs(d onnx.DType) func(*call) {
	return func(c *call) {
		c.sameElem(0, 1)
		switch {
		case c.failed:
		case c.old():
			c.outLike(0, d, 0)
		default:
			c.spread(d, 0, 1)
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
		c.spread(c.elem(0), 0, 1)
	}
}

// prelu broadcasts the slope to the input, never the other way. Before opset 9 the
// slope has one element for each channel.
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
		c.spread(d, ins...)
	}
}

func where(c *call) {
	if d := c.elem(0); c.isTensor(0) && d != onnx.Bool && d != onnx.Undefined {
		c.errorAt(0, "the condition has element type %s; it must be bool", d)
		return
	}
	d := c.sameElem(1, 2)
	if !c.failed {
		c.spread(d, 0, 1, 2)
	}
}

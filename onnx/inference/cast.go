package inference

// This file holds operators that change the element type only.

import "shapecheck/onnx"

var castOps = [...]op{
	{"Cast", cast, dataCast},
	{"BitCast", bitCast, nil},
	{"CastLike", castLike, dataCast},
	{"Bernoulli", randomLike, nil},
	{"RandomNormalLike", randomLike, nil},
	{"RandomUniformLike", randomLike, nil},
	{"EyeLike", eyeLike, nil},
}

func cast(c *call) {
	d := onnx.Undefined
	if c.version >= 6 { // it was a name before
		d = c.a.DType("to")
	}
	c.outLike(0, d, 0)
}

// bitCast reads the bits as another type of the same size.
func bitCast(c *call) {
	d := c.a.DType("to")
	if from := c.elem(0); from != onnx.Undefined && (from.Bits() != d.Bits() || d.Bits() == 0) {
		c.errorf("the bits of %s cannot be those of %s", from, d)
		return
	}
	c.outLike(0, d, 0)
}

func castLike(c *call) {
	c.outLike(0, c.elem(1), 0)
}

// randomLike takes the element type from the attribute, or the input's.
func randomLike(c *call) {
	d := c.dtypeOr("dtype", c.elem(0))
	c.outLike(0, d, 0)
}

// eyeLike has the sizes of its operand and, without dtype, its element type.
func eyeLike(c *call) {
	c.ranked(0, 2)
	if c.failed {
		return
	}
	d := c.dtypeOr("dtype", c.elem(0))
	if x, ok := c.dims(0); ok {
		c.out(0, d, x)
	} else {
		c.outRank(0, d, 2)
	}
}

package inference

// This file holds operators that change the element type only.

import "shapecheck/internal/onnx"

var castOps = [...]op{
	{"Cast", 1, 6, one, one, cast, dataCast},
	{"CastLike", 15, 1, two, one, castLike, dataCast},
	{"Bernoulli", 15, 1, one, one, randomLike, nil},
	{"RandomNormalLike", 1, 1, one, one, randomLike, nil},
	{"RandomUniformLike", 1, 1, one, one, randomLike, nil},
	{"EyeLike", 9, 1, one, one, eyeLike, nil},
}

func cast(c *call) {
	d := c.attrDType("to", onnx.Undefined)
	if c.failed || !c.isTensor(0) && c.failed {
		return
	}
	if d == onnx.Undefined && c.attr("to") == nil {
		c.errorf("the attribute to is missing")
		return
	}
	c.outLike(0, d, 0)
}

func castLike(c *call) {
	if c.isTensor(0); !c.failed {
		c.outLike(0, c.elem(1), 0)
	}
}

// randomLike takes the element type from the attribute, or the input's.
func randomLike(c *call) {
	d := c.attrDType("dtype", c.elem(0))
	if c.isTensor(0); !c.failed {
		c.outLike(0, d, 0)
	}
}

func eyeLike(c *call) {
	c.ranked(0, 2)
	if c.failed {
		return
	}
	d := c.attrDType("dtype", c.elem(0))
	if x, ok := c.dims(0); ok {
		c.out(0, d, x)
	} else {
		c.outRank(0, d, 2)
	}
}

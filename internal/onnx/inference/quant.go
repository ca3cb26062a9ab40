package inference

// This file holds conversion to and from small integers and small floats.

import "shapecheck/internal/onnx"

var quantOps = [...]op{
	{"QuantizeLinear", quantize, nil},
	{"DequantizeLinear", dequantize, nil},
	{"DynamicQuantizeLinear", dynamicQuantize, nil},
}

// quantize has the zero point's element type, else that of output_dtype (from opset
// 21 on), else u8.
func quantize(c *call) {
	d := onnx.Uint8
	if c.has(2) {
		d = c.elem(2)
	} else {
		d = c.dtypeOr("output_dtype", d)
	}
	if c.isTensor(0); !c.failed {
		c.outLike(0, d, 0)
	}
}

// dequantize has the scale's element type, which before opset 19 is f32 always.
func dequantize(c *call) {
	d := onnx.Float
	if c.version >= 19 {
		d = c.elem(1)
	}
	if c.isTensor(0); !c.failed {
		c.outLike(0, d, 0)
	}
}

func dynamicQuantize(c *call) {
	c.outLike(0, onnx.Uint8, 0)
	c.out(1, onnx.Float, nil)
	c.out(2, onnx.Uint8, nil)
}

package inference

// This file holds conversion to and from small integers and small floats.

import "shapecheck/onnx"

var quantOps = [...]op{
	{"QuantizeLinear", quantize, nil},
	{"DequantizeLinear", dequantize, nil},
	{"DynamicQuantizeLinear", dynamicQuantize, nil},
}

// quantize has the zero point's element type, else that of output_dtype (from opset
// 21 on), else u8.
func quantize(c *call) {
	d := c.dtypeOr("output_dtype", onnx.Uint8)
	if c.has(2) {
		if z := c.elem(2); c.a.DType("output_dtype") != onnx.Undefined && z != onnx.Undefined && z != d {
			c.errorAt(2, "element type %s, and output_dtype is %s", z, d)
		}
		d = c.elem(2)
	}
	c.outLike(0, d, 0)
}

// dequantize has the element type of output_dtype (from opset 23 on), else the scale's
// where the result can have it; before opset 19 it is f32 always.
func dequantize(c *call) {
	d := onnx.Float
	if c.version >= 19 {
		if d = c.dtypeOr("output_dtype", c.elem(1)); !c.op.Outputs[0].Types.Tensors.Has(d) {
			d = onnx.Undefined
		}
	}
	c.outLike(0, d, 0)
}

func dynamicQuantize(c *call) {
	c.outLike(0, onnx.Uint8, 0)
	c.out(1, onnx.Float, nil)
	c.out(2, onnx.Uint8, nil)
}

package aten

// This file lowers what imitates quantization. Quantized tensors themselves have no
// form: ONNX knows integers, and the scale beside them.

const quantizedReason = "ONNX has no quantized tensors"

var quantRecords = []Record{
	{Op: "torch.fake_quantize_per_tensor_affine torch.fake_quantize_per_channel_affine", Lower: fakeQuantize},
	{Op: "torch.quantize_per_tensor torch.quantize_per_tensor_dynamic torch.quantize_per_channel torch.Tensor.int_repr torch.Tensor.dequantize", None: quantizedReason},
	{Op: "torch.Tensor.set_", None: "the tensor gets the memory of another one"},
}

// fakeQuantize rounds (half to even) to a whole number of steps within the range of
// the integers, and multiplies back.
func fakeQuantize(c *Call) {
	e := c.emit
	x := c.first()
	d := x.DType
	scale, zero := c.Operand("scale", d), c.Operand("zero_point", d)
	if c.Has("axis") { // a scale for each index
		rank := c.Rank("input")
		var after []int64
		for i := int64(1); i < int64(rank)-c.Axis("axis", rank); i++ {
			after = append(after, i)
		}
		if len(after) > 0 {
			scale, zero = e.Unsqueeze(scale, after...), e.Unsqueeze(zero, after...)
		}
	}
	steps := e.add(e.Op("Round", In(e.mul(x, e.Op("Reciprocal", In(scale))))), zero)
	low, high := c.Number("quant_min", d), c.Number("quant_max", d)
	steps = e.Op("Min", In(e.Op("Max", In(steps, low)), high))
	c.Return(e.mul(e.sub(steps, zero), scale))
}

package torch

// This file holds quantized tensors as far as their sizes go: their dtypes (qint8,
// quint8, …) are none of the known ones, so the dtype of such a tensor is not known.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/symshape/dtype"
)

var quantizedOps = [...]ops.Op{
	{Names: []string{"torch.quantize_per_tensor"}, Sig: "(Tensor input, any scale, any zero_point, any dtype)", Rule: quantizeRule,
		Doc: "whole numbers with one scale"},
	{Names: []string{"torch.quantize_per_tensor_dynamic"}, Sig: "(Tensor input, any dtype, bool reduce_range)", Rule: quantizeRule,
		Doc: "whole numbers with a scale that the data give"},
	{Names: []string{"torch.quantize_per_channel"}, Sig: "(Tensor input, Tensor scales, Tensor zero_points, int axis, any dtype)",
		Rule: quantizeRule, Doc: "whole numbers with a scale for each index of an axis"},
	{Names: []string{"torch.Tensor.int_repr", "torch.int_repr"}, Sig: "(Tensor input)", Rule: quantizeRule,
		Doc: "the whole numbers of a quantized tensor"},
	{Names: []string{"torch.Tensor.dequantize", "torch.dequantize"}, Sig: "(Tensor input)", Rule: func(c *ops.Call) value.Value {
		if t := c.Tensor("input"); t != nil {
			return c.Like(t, dtype.F32)
		}
		return nil
	}, Doc: "the numbers that a quantized tensor stands for"},
	{Names: []string{"torch.fake_quantize_per_tensor_affine"},
		Sig: "(Tensor input, any scale, any zero_point, int quant_min, int quant_max)", Rule: fakeQuantizeRule,
		Doc: "rounds as quantization would"},
	{Names: []string{"torch.fake_quantize_per_channel_affine"},
		Sig: "(Tensor input, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max)", Rule: fakeQuantizeRule,
		Doc: "rounds as quantization with a scale for each index of an axis would"},
}

func quantizeRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	return c.OutType(graph.TensorType{Ranked: t.Type().Ranked, Shape: t.Type().Shape, Device: t.Type().Device})
}

func fakeQuantizeRule(c *ops.Call) value.Value {
	if t := c.Tensor("input"); t != nil {
		return c.Like(t, t.Type().DType)
	}
	return nil
}

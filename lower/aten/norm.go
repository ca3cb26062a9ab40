package aten

// This file lowers normalisations.

import "shapecheck/onnx"

var normRecords = []Record{
	{Op: "torch.nn.functional.batch_norm torch.batch_norm", Lower: batchNorm},
	{Op: "torch.native_batch_norm torch._native_batch_norm_legit", None: "it returns the statistics that PyTorch keeps for the gradient"},
	{Op: "torch.nn.functional.instance_norm torch.instance_norm", Lower: instanceNorm},
	{Op: "torch.nn.functional.layer_norm torch.layer_norm", Lower: layerNorm},
	{Op: "torch.native_layer_norm", None: "it returns the statistics that PyTorch keeps for the gradient"},
	{Op: "torch.nn.functional.rms_norm", Lower: rmsNorm},
	{Op: "torch.nn.functional.group_norm torch.group_norm", Lower: groupNorm},
	{Op: "torch.native_group_norm", None: "it returns the statistics that PyTorch keeps for the gradient"},
	{Op: "torch.nn.functional.local_response_norm", Lower: localResponseNorm},
	{Op: "torch.nn.functional.normalize", Lower: normalize},
}

// batchNorm normalises with the running statistics, or in training with those of
// the batch. Parameters that are absent are ones and zeros.
func batchNorm(c *Call) {
	x, rank := c.first(), c.Rank("input")
	if c.Bool("training") || !c.Has("running_mean") {
		axes := []int64{0}
		for i := 2; i < rank; i++ {
			axes = append(axes, int64(i))
		}
		c.Return(c.affine(c.standardize(x, c.Float("eps"), axes), rank))
		return
	}
	if rank == 2 || c.Has("weight") && c.Has("bias") {
		mean := c.Tensor("running_mean")
		scale, bias := c.Opt("weight"), c.Opt("bias")
		if scale.Name == "" {
			scale = c.likeOf(mean, 1)
		}
		if bias.Name == "" {
			bias = c.likeOf(mean, 0)
		}
		c.Return(c.Op("BatchNormalization", In(x, scale, bias, mean, c.Tensor("running_var")), c.FloatAttr("epsilon", "eps")))
		return
	}
	mean, variance := c.channels(c.Tensor("running_mean"), rank), c.channels(c.Tensor("running_var"), rank)
	std := c.Op("Sqrt", In(c.Op("Add", In(variance, c.Scalar(x.DType, c.Float("eps"))))))
	c.Return(c.affine(c.Op("Div", In(c.Op("Sub", In(x, mean)), std)), rank))
}

// likeOf is a tensor of the shape of x whose elements are all f.
func (c *Call) likeOf(x V, f float64) V { return c.filled(c.Shape(x), x.DType, f) }

// standardize subtracts the mean over axes and divides by the standard deviation
// (biased), with eps under the root.
func (c *Call) standardize(x V, eps float64, axes []int64) V {
	mean := c.Reduce("ReduceMean", x, true, axes...)
	diff := c.Op("Sub", In(x, mean))
	variance := c.Reduce("ReduceMean", c.mul(diff, diff), true, axes...)
	return c.Op("Div", In(diff, c.Op("Sqrt", In(c.Op("Add", In(variance, c.Scalar(x.DType, eps)))))))
}

// affine multiplies with weight and adds bias, which have one element for each
// channel: dimension 1.
func (c *Call) affine(x V, rank int) V {
	if c.Has("weight") {
		x = c.mul(x, c.channels(c.Tensor("weight"), rank))
	}
	if c.Has("bias") {
		x = c.Op("Add", In(x, c.channels(c.Tensor("bias"), rank)))
	}
	return x
}

// channels makes a vector fit dimension 1 of a tensor with rank dimensions.
func (c *Call) channels(v V, rank int) V {
	var axes []int64
	for i := 2; i < rank; i++ {
		axes = append(axes, int64(i-1))
	}
	if len(axes) == 0 {
		return v
	}
	return c.Unsqueeze(v, axes...)
}

// instanceNorm normalises each channel of each sample.
func instanceNorm(c *Call) {
	x, rank := c.first(), c.Rank("input")
	if !c.Bool("use_input_stats") {
		mean, variance := c.channels(c.Tensor("running_mean"), rank), c.channels(c.Tensor("running_var"), rank)
		std := c.Op("Sqrt", In(c.Op("Add", In(variance, c.Scalar(x.DType, c.Float("eps"))))))
		c.Return(c.affine(c.Op("Div", In(c.Op("Sub", In(x, mean)), std)), rank))
		return
	}
	if rank < 3 {
		c.Failf("the input has no spatial dimension")
	}
	if c.Has("weight") && c.Has("bias") {
		c.Return(c.Op("InstanceNormalization", In(x, c.Tensor("weight"), c.Tensor("bias")), c.FloatAttr("epsilon", "eps")))
		return
	}
	c.Return(c.affine(c.standardize(x, c.Float("eps"), lastAxes(rank, rank-2)), rank))
}

// lastAxes are the numbers of the last n of rank dimensions.
func lastAxes(rank, n int) []int64 {
	axes := make([]int64, n)
	for i := range axes {
		axes[i] = int64(rank - n + i)
	}
	return axes
}

// layerNorm normalises the last dimensions, as many as normalized_shape has.
func layerNorm(c *Call) {
	x, rank, n := c.first(), c.Rank("input"), len(c.Items("normalized_shape"))
	if c.Has("weight") {
		c.Return(c.Op("LayerNormalization", In(x, c.Tensor("weight"), c.Opt("bias")), onnx.IntAttr("axis", int64(-n)),
			c.FloatAttr("epsilon", "eps")))
		return
	}
	y := c.standardize(x, c.Float("eps"), lastAxes(rank, n))
	if c.Has("bias") {
		y = c.Op("Add", In(y, c.Tensor("bias")))
	}
	c.Return(y)
}

// rmsNorm divides by the root of the mean of the squares. Without eps it is the
// distance from 1 to the next number of the type.
func rmsNorm(c *Call) {
	x, rank, n := c.first(), c.Rank("input"), len(c.Items("normalized_shape"))
	eps := epsilon(x.DType)
	if c.Has("eps") {
		eps = c.Float("eps")
	}
	ms := c.Reduce("ReduceMean", c.mul(x, x), true, lastAxes(rank, n)...)
	y := c.Op("Div", In(x, c.Op("Sqrt", In(c.Op("Add", In(ms, c.Scalar(x.DType, eps)))))))
	if c.Has("weight") {
		y = c.mul(y, c.Tensor("weight"))
	}
	c.Return(y)
}

// epsilon is the distance from 1 to the next number.
func epsilon(d onnx.DType) float64 {
	switch d {
	case onnx.Double:
		return 0x1p-52
	case onnx.Float16:
		return 0x1p-10
	case onnx.BFloat16:
		return 0x1p-7
	}
	return 0x1p-23
}

// groupNorm normalises groups of channels.
func groupNorm(c *Call) {
	x, rank := c.first(), c.Rank("input")
	shape := c.Shape(x)
	grouped := c.Op("Reshape", In(x, c.I64(0, c.Int("num_groups"), -1)))
	y := c.standardize(grouped, c.Float("eps"), []int64{2})
	c.Return(c.affine(c.ReshapeTo(y, shape), rank))
}

// localResponseNorm divides by (k + alpha·mean of the squares of near channels)^beta. ONNX's
// operator takes odd numbers of channels and images; other means are those of windows.
func localResponseNorm(c *Call) {
	size, rank := c.Int("size"), c.Rank("input")
	x := c.first()
	if rank == 4 && size%2 == 1 {
		c.Return(c.Op("LRN", In(x), c.IntAttr("size", "size"), c.FloatAttr("alpha", "alpha"), c.FloatAttr("beta", "beta"),
			c.FloatAttr("bias", "k")))
		return
	}
	shape := c.Shape(x)
	channels := c.Op("Shape", In(x), onnx.IntAttr("start", 0), onnx.IntAttr("end", 2))
	batch, rest := c.Slice(channels, 0, 0, 1, 1), c.Slice(channels, 0, 1, 2, 1)
	squares := c.ReshapeTo(c.mul(x, x), c.Concat(0, batch, c.I64(1), rest, c.I64(-1)))
	mean := c.Op("AveragePool", In(squares), onnx.IntsAttr("kernel_shape", size, 1), onnx.IntsAttr("pads", size/2, 0, (size-1)/2, 0),
		onnx.IntAttr("count_include_pad", 1))
	scale := c.plus(c.times(c.ReshapeTo(mean, shape), c.Float("alpha")), c.Float("k"))
	c.Return(c.over(x, c.Op("Pow", In(scale, c.Scalar(x.DType, c.Float("beta"))))))
}

// normalize divides by the p-norm along a dimension, at least eps.
func normalize(c *Call) {
	x, rank := c.first(), c.Rank("input")
	norm := c.vectorNorm(x, c.Float("p"), c.Axes("dim", rank), true)
	c.Return(c.Op("Div", In(x, c.Op("Max", In(norm, c.Scalar(x.DType, c.Float("eps")))))))
}

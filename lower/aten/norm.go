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
	e := c.emit
	x, rank := c.first(), c.Rank("input")
	if c.Bool("training") || !c.Has("running_mean") {
		axes := []int64{0}
		for i := 2; i < rank; i++ {
			axes = append(axes, int64(i))
		}
		c.Return(c.affine(e.standardize(x, c.Float("eps"), axes), rank))
		return
	}
	if rank == 2 || c.Has("weight") && c.Has("bias") {
		mean := c.Tensor("running_mean")
		scale, bias := c.Opt("weight"), c.Opt("bias")
		if scale.Name == "" {
			scale = e.likeOf(mean, 1)
		}
		if bias.Name == "" {
			bias = e.likeOf(mean, 0)
		}
		c.Return(e.Op("BatchNormalization", In(x, scale, bias, mean, c.Tensor("running_var")), c.FloatAttr("epsilon", "eps")))
		return
	}
	mean, variance := e.channels(c.Tensor("running_mean"), rank), e.channels(c.Tensor("running_var"), rank)
	std := e.Op("Sqrt", In(e.Op("Add", In(variance, e.Scalar(x.DType, c.Float("eps"))))))
	c.Return(c.affine(e.Op("Div", In(e.Op("Sub", In(x, mean)), std)), rank))
}

// likeOf is a tensor of the shape of x whose elements are all f.
func (e *Emitter) likeOf(x V, f float64) V { return e.filled(e.Shape(x), x.DType, f) }

// standardize subtracts the mean over axes and divides by the standard deviation
// (biased), with eps under the root.
func (e *Emitter) standardize(x V, eps float64, axes []int64) V {
	mean := e.Reduce("ReduceMean", x, true, axes...)
	diff := e.Op("Sub", In(x, mean))
	variance := e.Reduce("ReduceMean", e.mul(diff, diff), true, axes...)
	return e.Op("Div", In(diff, e.Op("Sqrt", In(e.Op("Add", In(variance, e.Scalar(x.DType, eps)))))))
}

// affine multiplies with weight and adds bias, which have one element for each
// channel: dimension 1.
func (c *Call) affine(x V, rank int) V {
	e := c.emit
	if c.Has("weight") {
		x = e.mul(x, e.channels(c.Tensor("weight"), rank))
	}
	if c.Has("bias") {
		x = e.Op("Add", In(x, e.channels(c.Tensor("bias"), rank)))
	}
	return x
}

// channels makes a vector fit dimension 1 of a tensor with rank dimensions.
func (e *Emitter) channels(v V, rank int) V {
	var axes []int64
	for i := 2; i < rank; i++ {
		axes = append(axes, int64(i-1))
	}
	if len(axes) == 0 {
		return v
	}
	return e.Unsqueeze(v, axes...)
}

// instanceNorm normalises each channel of each sample.
func instanceNorm(c *Call) {
	e := c.emit
	x, rank := c.first(), c.Rank("input")
	if !c.Bool("use_input_stats") {
		mean, variance := e.channels(c.Tensor("running_mean"), rank), e.channels(c.Tensor("running_var"), rank)
		std := e.Op("Sqrt", In(e.Op("Add", In(variance, e.Scalar(x.DType, c.Float("eps"))))))
		c.Return(c.affine(e.Op("Div", In(e.Op("Sub", In(x, mean)), std)), rank))
		return
	}
	if rank < 3 {
		failf("the input has no spatial dimension")
	}
	if c.Has("weight") && c.Has("bias") {
		c.Return(e.Op("InstanceNormalization", In(x, c.Tensor("weight"), c.Tensor("bias")), c.FloatAttr("epsilon", "eps")))
		return
	}
	c.Return(c.affine(e.standardize(x, c.Float("eps"), lastAxes(rank, rank-2)), rank))
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
	e := c.emit
	x, rank, n := c.first(), c.Rank("input"), len(c.Items("normalized_shape"))
	if c.Has("weight") {
		c.Return(e.Op("LayerNormalization", In(x, c.Tensor("weight"), c.Opt("bias")), onnx.IntAttr("axis", int64(-n)),
			c.FloatAttr("epsilon", "eps")))
		return
	}
	y := e.standardize(x, c.Float("eps"), lastAxes(rank, n))
	if c.Has("bias") {
		y = e.Op("Add", In(y, c.Tensor("bias")))
	}
	c.Return(y)
}

// rmsNorm divides by the root of the mean of the squares. Without eps it is the
// distance from 1 to the next number of the type.
func rmsNorm(c *Call) {
	e := c.emit
	x, rank, n := c.first(), c.Rank("input"), len(c.Items("normalized_shape"))
	eps := epsilon(x.DType)
	if c.Has("eps") {
		eps = c.Float("eps")
	}
	ms := e.Reduce("ReduceMean", e.mul(x, x), true, lastAxes(rank, n)...)
	y := e.Op("Div", In(x, e.Op("Sqrt", In(e.Op("Add", In(ms, e.Scalar(x.DType, eps)))))))
	if c.Has("weight") {
		y = e.mul(y, c.Tensor("weight"))
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
	e := c.emit
	x, rank := c.first(), c.Rank("input")
	shape := e.Shape(x)
	grouped := e.Op("Reshape", In(x, e.I64(0, c.Int("num_groups"), -1)))
	y := e.standardize(grouped, c.Float("eps"), []int64{2})
	c.Return(c.affine(e.ReshapeTo(y, shape), rank))
}

// localResponseNorm divides by (k + alpha·mean of the squares of near channels)^beta. ONNX's
// operator takes odd numbers of channels and images; other means are those of windows.
func localResponseNorm(c *Call) {
	e := c.emit
	size, rank := c.Int("size"), c.Rank("input")
	x := c.first()
	if rank == 4 && size%2 == 1 {
		c.Return(e.Op("LRN", In(x), c.IntAttr("size", "size"), c.FloatAttr("alpha", "alpha"), c.FloatAttr("beta", "beta"),
			c.FloatAttr("bias", "k")))
		return
	}
	shape := e.Shape(x)
	channels := e.Op("Shape", In(x), onnx.IntAttr("start", 0), onnx.IntAttr("end", 2))
	batch, rest := e.Slice(channels, 0, 0, 1, 1), e.Slice(channels, 0, 1, 2, 1)
	squares := e.ReshapeTo(e.mul(x, x), e.Concat(0, batch, e.I64(1), rest, e.I64(-1)))
	mean := e.Op("AveragePool", In(squares), onnx.IntsAttr("kernel_shape", size, 1), onnx.IntsAttr("pads", size/2, 0, (size-1)/2, 0),
		onnx.IntAttr("count_include_pad", 1))
	scale := e.plus(e.times(e.ReshapeTo(mean, shape), c.Float("alpha")), c.Float("k"))
	c.Return(e.over(x, e.Op("Pow", In(scale, e.Scalar(x.DType, c.Float("beta"))))))
}

// normalize divides by the p-norm along a dimension, at least eps.
func normalize(c *Call) {
	e := c.emit
	x, rank := c.first(), c.Rank("input")
	norm := c.vectorNorm(x, c.Float("p"), c.Axes("dim", rank), true)
	c.Return(e.Op("Div", In(x, e.Op("Max", In(norm, e.Scalar(x.DType, c.Float("eps")))))))
}

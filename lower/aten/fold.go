package aten

// This file lowers what moves blocks of images: unfold and fold, the shuffles of
// pixels and channels, and unpooling.

import (
	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var foldRecords = []Record{
	{Op: "torch.nn.functional.unfold", Lower: unfold},
	{Op: "torch.nn.functional.fold", Lower: fold},
	{Op: "torch.nn.functional.pixel_shuffle", Lower: pixelShuffle},
	{Op: "torch.nn.functional.pixel_unshuffle", Lower: pixelUnshuffle},
	{Op: "torch.nn.functional.channel_shuffle torch.nn.functional.native_channel_shuffle", Lower: channelShuffle},
	{Op: "torch.nn.functional.max_unpool1d", Lower: maxUnpool(1)},
	{Op: "torch.nn.functional.max_unpool2d", Lower: maxUnpool(2)},
	{Op: "torch.nn.functional.max_unpool3d", Lower: maxUnpool(3)},
}

// unfold gathers, in each spatial dimension, the rows k·dilation + l·stride: of
// (N, C, H, W) it makes (N, C, kh, lh, kw, lw).
func unfold(c *Call) {
	kernel, dilation, padding, stride := c.Ints("kernel_size", 2), c.Ints("dilation", 2), c.Ints("padding", 2), c.Ints("stride", 2)
	x, finish := c.batched(2)
	if padding[0] != 0 || padding[1] != 0 {
		x = c.Op("Pad", In(x, c.I64(0, 0, padding[0], padding[1], 0, 0, padding[0], padding[1]), c.Scalar(x.DType, 0)))
	}
	shape := c.Shape(x)
	rows := func(i int) V {
		size := c.Op("Gather", In(shape, c.I64Scalar(int64(2+i))))
		starts := c.Op("Range", In(c.I64Scalar(0), c.sub(size, c.I64Scalar(dilation[i]*(kernel[i]-1))), c.I64Scalar(stride[i])))
		offsets := make([]int64, kernel[i])
		for k := range offsets {
			offsets[k] = int64(k) * dilation[i]
		}
		return c.add(c.Unsqueeze(c.I64(offsets...), 1), starts)
	}
	x = c.Op("Gather", In(x, rows(0)), onnx.IntAttr("axis", 2))
	x = c.Transpose(c.Op("Gather", In(x, rows(1)), onnx.IntAttr("axis", 4)), 0, 1, 2, 4, 3, 5)
	s := c.Shape(x)
	block := c.Op("ReduceProd", In(c.Slice(s, 0, 1, 4, 1)), onnx.IntAttr("keepdims", 1))
	blocks := c.Op("ReduceProd", In(c.Slice(s, 0, 4, 6, 1)), onnx.IntAttr("keepdims", 1))
	c.Return(finish(c.ReshapeTo(x, c.Concat(0, c.Slice(s, 0, 0, 1, 1), block, blocks))))
}

// fold is Col2Im: overlapping blocks add up.
func fold(c *Call) {
	if c.Opset < 18 {
		c.Failf("Col2Im needs opset 18")
	}
	x, single := c.first(), c.Rank("input") == 2
	if single {
		x = c.Unsqueeze(x, 0)
	}
	size := c.Items("output_size")
	if len(size) == 1 {
		size = []graph.Operand{size[0], size[0]}
	}
	y := c.Op("Col2Im", In(x, c.Sizes("output_size", size), c.I64(c.Ints("kernel_size", 2)...)),
		c.IntsAttr("dilations", "dilation", 2), c.pads("padding", 2), c.IntsAttr("strides", "stride", 2))
	if single {
		y = c.Squeeze(y, 0)
	}
	c.Return(y)
}

// asImages gives x four dimensions by joining those in front of the last three;
// the result gets its shape back.
func (c *Call) asImages(x V) (V, func(V) V) {
	switch c.Rank("input") {
	case 4:
		return x, func(y V) V { return y }
	case 3:
		return c.Unsqueeze(x, 0), func(y V) V { return c.Squeeze(y, 0) }
	}
	image := c.Op("Shape", In(x), onnx.IntAttr("start", -3))
	return c.Op("Reshape", In(x, c.Concat(0, c.I64(-1), image))), func(y V) V { return c.Reshape(y, nil, c.OutType(0).Shape) }
}

func pixelShuffle(c *Call) {
	x, finish := c.asImages(c.first())
	c.Return(finish(c.Op("DepthToSpace", In(x), c.IntAttr("blocksize", "upscale_factor"), onnx.StringAttr("mode", "CRD"))))
}

// pixelUnshuffle splits height and width and moves the parts behind the channel.
// SpaceToDepth moves them in front of it.
func pixelUnshuffle(c *Call) {
	x, r := c.first(), graph.Operand(graph.Int(c.Int("downscale_factor")))
	in, out := c.Type("input").Shape, c.OutType(0).Shape
	lead := len(in) - 2
	var split []graph.Operand
	for _, d := range in[:lead] {
		split = append(split, graph.Dim{Dim: d})
	}
	split = append(split, graph.Dim{Dim: out[lead]}, r, graph.Dim{Dim: out[lead+1]}, r)
	perm := append(identity(lead), int64(lead+1), int64(lead+3), int64(lead), int64(lead+2))
	x = c.Transpose(c.ReshapeTo(x, c.Sizes("parts", split)), perm...)
	c.Return(c.Reshape(x, nil, out))
}

// channelShuffle exchanges the dimension of groups with that of channels in them.
func channelShuffle(c *Call) {
	x, rank := c.first(), c.Rank("input")
	shape := c.Shape(x)
	if k, ok := c.Type("input").Shape[1].Const(); ok && k%c.Int("groups") != 0 {
		c.Failf("the number of channels, %d, is no multiple of groups", k)
	}
	n, rest := c.Slice(shape, 0, 0, 1, 1), c.Slice(shape, 0, 2, int64(rank), 1)
	per := c.over(c.Slice(shape, 0, 1, 2, 1), c.I64(c.Int("groups")))
	perm := identity(rank + 1)
	perm[1], perm[2] = 2, 1
	y := c.ReshapeTo(x, c.Concat(0, n, c.I64(c.Int("groups")), per, rest))
	c.Return(c.ReshapeTo(c.Transpose(y, perm...), shape))
}

// maxUnpool puts the elements at their indices, which count through the spatial
// dimensions of one channel.
func maxUnpool(n int) func(c *Call) {
	return func(c *Call) {
		x := c.first()
		rank := c.Rank("input")
		lead := rank - n
		flat := func(v V) V {
			shape := make([]int64, lead+1)
			shape[lead] = -1
			return c.Op("Reshape", In(v, c.I64(shape...)))
		}
		zeros := c.filled(c.ShapeTensor(c.OutType(0).Shape), x.DType, 0)
		y := c.Op("ScatterElements", In(flat(zeros), flat(c.Tensor("indices")), flat(x)), onnx.IntAttr("axis", int64(lead)))
		c.Return(c.ReshapeTo(y, c.ShapeTensor(c.OutType(0).Shape)))
	}
}

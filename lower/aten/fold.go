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
	e := c.emit
	kernel, dilation, padding, stride := c.Ints("kernel_size", 2), c.Ints("dilation", 2), c.Ints("padding", 2), c.Ints("stride", 2)
	x, finish := c.batched(2)
	if padding[0] != 0 || padding[1] != 0 {
		x = e.Op("Pad", In(x, e.I64(0, 0, padding[0], padding[1], 0, 0, padding[0], padding[1]), e.Scalar(x.DType, 0)))
	}
	shape := e.Shape(x)
	rows := func(i int) V {
		size := e.Op("Gather", In(shape, e.I64Scalar(int64(2+i))))
		starts := e.Op("Range", In(e.I64Scalar(0), e.sub(size, e.I64Scalar(dilation[i]*(kernel[i]-1))), e.I64Scalar(stride[i])))
		offsets := make([]int64, kernel[i])
		for k := range offsets {
			offsets[k] = int64(k) * dilation[i]
		}
		return e.add(e.Unsqueeze(e.I64(offsets...), 1), starts)
	}
	x = e.Op("Gather", In(x, rows(0)), onnx.IntAttr("axis", 2))
	x = e.Transpose(e.Op("Gather", In(x, rows(1)), onnx.IntAttr("axis", 4)), 0, 1, 2, 4, 3, 5)
	s := e.Shape(x)
	block := e.Op("ReduceProd", In(e.Slice(s, 0, 1, 4, 1)), onnx.IntAttr("keepdims", 1))
	blocks := e.Op("ReduceProd", In(e.Slice(s, 0, 4, 6, 1)), onnx.IntAttr("keepdims", 1))
	c.Return(finish(e.ReshapeTo(x, e.Concat(0, e.Slice(s, 0, 0, 1, 1), block, blocks))))
}

// fold is Col2Im: overlapping blocks add up.
func fold(c *Call) {
	e := c.emit
	if e.Opset < 18 {
		failf("Col2Im needs opset 18")
	}
	x, single := c.first(), c.Rank("input") == 2
	if single {
		x = e.Unsqueeze(x, 0)
	}
	size := c.Items("output_size")
	if len(size) == 1 {
		size = []graph.Operand{size[0], size[0]}
	}
	y := e.Op("Col2Im", In(x, c.Sizes("output_size", size), e.I64(c.Ints("kernel_size", 2)...)),
		c.IntsAttr("dilations", "dilation", 2), c.pads("padding", 2), c.IntsAttr("strides", "stride", 2))
	if single {
		y = e.Squeeze(y, 0)
	}
	c.Return(y)
}

// asImages gives x four dimensions by joining those in front of the last three;
// the result gets its shape back.
func (c *Call) asImages(x V) (V, func(V) V) {
	e := c.emit
	switch c.Rank("input") {
	case 4:
		return x, func(y V) V { return y }
	case 3:
		return e.Unsqueeze(x, 0), func(y V) V { return e.Squeeze(y, 0) }
	}
	image := e.Op("Shape", In(x), onnx.IntAttr("start", -3))
	return e.Op("Reshape", In(x, e.Concat(0, e.I64(-1), image))), func(y V) V { return c.Reshape(y, nil, c.OutType(0).Shape) }
}

func pixelShuffle(c *Call) {
	x, finish := c.asImages(c.first())
	c.Return(finish(c.emit.Op("DepthToSpace", In(x), c.IntAttr("blocksize", "upscale_factor"), onnx.StringAttr("mode", "CRD"))))
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
	x = c.emit.Transpose(c.emit.ReshapeTo(x, c.Sizes("parts", split)), perm...)
	c.Return(c.Reshape(x, nil, out))
}

// channelShuffle exchanges the dimension of groups with that of channels in them.
func channelShuffle(c *Call) {
	e := c.emit
	x, rank := c.first(), c.Rank("input")
	shape := e.Shape(x)
	if k, ok := c.Type("input").Shape[1].Const(); ok && k%c.Int("groups") != 0 {
		failf("the number of channels, %d, is no multiple of groups", k)
	}
	n, rest := e.Slice(shape, 0, 0, 1, 1), e.Slice(shape, 0, 2, int64(rank), 1)
	per := e.over(e.Slice(shape, 0, 1, 2, 1), e.I64(c.Int("groups")))
	perm := identity(rank + 1)
	perm[1], perm[2] = 2, 1
	y := e.ReshapeTo(x, e.Concat(0, n, e.I64(c.Int("groups")), per, rest))
	c.Return(e.ReshapeTo(e.Transpose(y, perm...), shape))
}

// maxUnpool puts the elements at their indices, which count through the spatial
// dimensions of one channel.
func maxUnpool(n int) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		x := c.first()
		rank := c.Rank("input")
		lead := rank - n
		flat := func(v V) V {
			shape := make([]int64, lead+1)
			shape[lead] = -1
			return e.Op("Reshape", In(v, e.I64(shape...)))
		}
		zeros := e.filled(c.ShapeTensor(c.OutType(0).Shape), x.DType, 0)
		y := e.Op("ScatterElements", In(flat(zeros), flat(c.Tensor("indices")), flat(x)), onnx.IntAttr("axis", int64(lead)))
		c.Return(e.ReshapeTo(y, c.ShapeTensor(c.OutType(0).Shape)))
	}
}

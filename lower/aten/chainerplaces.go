package aten

// This file lowers Chainer's functions that move elements of images: where a pooling found them, by group, or by offsets.

import (
	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var chainerPlaceRecords = []Record{
	{Op: chainerFunctions + "upsampling_2d", Lower: upsample},
	{Op: chainerFunctions + "shift", Lower: shiftGroups},
	{Op: chainerFunctions + "deformable_convolution_2d_sampler", Lower: deformableSampler},
}

// upsample adds each element to the place of its window that a pooling gave; places in the padding are cut off.
func upsample(c *Call) {
	x, out := c.first(), c.OutType(0).Shape
	kernel, stride, pad := c.chainerWindow(2)
	at := c.Cast(c.Tensor("indexes"), onnx.Int64)
	sizes := make([]graph.Operand, 2) // with the padding, and what cover_all adds at the end
	for i := range sizes {
		sizes[i] = graph.Dim{Dim: c.Pool.DimAdd(out[2+i], c.Pool.ConstDim(2*pad[i]+stride[i]-1))}
	}
	whole := c.Sizes("size", sizes)
	height, width := c.scalar0(c.Slice(whole, 0, 0, 1, 1)), c.scalar0(c.Slice(whole, 0, 1, 2, 1))
	first := func(axis int64) V { // of the windows
		return c.mul(c.rangeTo(c.dimSize(x, axis)), c.I64Scalar(stride[axis-2]))
	}
	row := c.add(c.over(at, c.I64Scalar(kernel[1])), c.Unsqueeze(first(2), 1))
	column := c.add(c.Op("Mod", In(at, c.I64Scalar(kernel[1]))), first(3))
	lead := c.Op("Shape", In(x), onnx.IntAttr("end", 2))
	flat := c.Concat(0, lead, c.I64(-1))
	zeros := c.filled(c.Concat(0, lead, c.flat(c.mul(height, width))), x.DType, 0)
	y := c.scatterElements(zeros, c.ReshapeTo(c.add(c.mul(row, width), column), flat), c.ReshapeTo(x, flat), 2, "add")
	y = c.ReshapeTo(y, c.Concat(0, lead, whole))
	from := c.I64(pad...)
	size := c.Sizes("out", []graph.Operand{graph.Dim{Dim: out[2]}, graph.Dim{Dim: out[3]}})
	c.Return(c.Op("Slice", In(y, from, c.add(from, size), c.I64(2, 3))))
}

// shiftGroups moves each group of channels by a place of the kernel, the last one not at all.
func shiftGroups(c *Call) {
	x := c.first()
	kernel, dilate := c.Ints("ksize", 2), c.Ints("dilate", 2)
	var pad [2]int64
	for i := range pad {
		pad[i] = kernel[i] / 2 * max(dilate[i], -dilate[i])
	}
	padded := c.padEnds(x, pad[:], pad[:], 0)
	groups := kernel[0] * kernel[1]
	size := c.ConstDim("x", 1) / groups
	parts := make([]V, groups)
	for i := range groups {
		place := i
		switch i { // the centre comes last
		case (groups - 1) / 2:
			place = groups - 1
		case groups - 1:
			place = (groups - 1) / 2
		}
		end := (i + 1) * size
		if i == groups-1 {
			end = 1 << 62
		}
		part := c.Slice(padded, 1, i*size, end, 1)
		for axis, k := range [...]int64{place/kernel[1] - kernel[0]/2, place%kernel[1] - kernel[1]/2} {
			start := c.I64(pad[axis] - k*dilate[axis])
			a := int64(axis + 2)
			part = c.Op("Slice", In(part, start, c.add(start, c.flat(c.dimSize(x, a))), c.I64(a)))
		}
		parts[i] = part
	}
	c.Return(c.Concat(1, parts...))
}

// deformableSampler is a convolution whose windows' places are moved by offsets: those of columns first, then those of rows.
func deformableSampler(c *Call) {
	x := c.first()
	offset, w := c.Operand("offset", x.DType), c.Operand("W", x.DType)
	stride, pad := c.Ints("stride", 2), c.Ints("pad", 2)
	kernel := []int64{c.ConstDim("W", 2), c.ConstDim("W", 3)}
	places := kernel[0] * kernel[1]
	padded := c.padEnds(x, pad, pad, 0)
	coord := func(axis, from int64, within func(k int64) int64) V { // of (N, places, rows, columns), from -1 to 1
		list := make([]float64, places)
		for k := range list {
			list[k] = float64(within(int64(k)))
		}
		t, err := onnx.NewFloats(x.DType, []int64{places, 1, 1}, list)
		if err != nil {
			c.Failf("%v", err)
		}
		first := c.mul(c.rangeTo(c.dimSize(offset, axis)), c.I64Scalar(stride[axis-2]))
		if axis == 2 {
			first = c.Unsqueeze(first, 1)
		}
		at := c.add(c.add(c.Slice(offset, 1, from, from+places, 1), c.Cast(first, x.DType)), c.Const(t))
		last := c.plus(c.Cast(c.dimSize(padded, axis), x.DType), -1)
		return c.times(c.plus(c.over(at, last), -0.5), 2)
	}
	grid := c.Concat(4, c.Unsqueeze(coord(3, 0, func(k int64) int64 { return k % kernel[1] }), 4),
		c.Unsqueeze(coord(2, places, func(k int64) int64 { return k / kernel[1] }), 4))
	shape := c.Shape(grid) // N, places, rows, columns, 2
	grid = c.Op("Reshape", In(grid, c.I64(0, 0, -1, 2)))
	at := c.Op("GridSample", In(padded, grid), onnx.StringAttr("mode", c.gridMode()), onnx.StringAttr("padding_mode", "zeros"),
		onnx.IntAttr("align_corners", 1))
	w = c.Op("Reshape", In(w, c.I64(0, 0, -1)))
	y := c.Op("Einsum", In(at, w), onnx.StringAttr("equation", "ncks,ock->nos"))
	y = c.ReshapeTo(y, c.Concat(0, c.Slice(shape, 0, 0, 1, 1), c.I64(-1), c.Slice(shape, 0, 2, 4, 1)))
	if c.Has("b") {
		y = c.add(y, c.channels(c.Operand("b", x.DType), 4))
	}
	c.Return(y)
}

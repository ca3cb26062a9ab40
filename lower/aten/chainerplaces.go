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
	e := c.emit
	x, out := c.first(), c.OutType(0).Shape
	kernel, stride, pad := c.chainerWindow(2)
	at := e.Cast(c.Tensor("indexes"), onnx.Int64)
	sizes := make([]graph.Operand, 2) // with the padding, and what cover_all adds at the end
	for i := range sizes {
		sizes[i] = graph.Dim{Dim: c.Pool.DimAdd(out[2+i], c.Pool.ConstDim(2*pad[i]+stride[i]-1))}
	}
	whole := c.Sizes("size", sizes)
	height, width := e.scalar0(e.Slice(whole, 0, 0, 1, 1)), e.scalar0(e.Slice(whole, 0, 1, 2, 1))
	first := func(axis int64) V { // of the windows
		return e.mul(e.rangeTo(e.dimSize(x, axis)), e.I64Scalar(stride[axis-2]))
	}
	row := e.add(e.over(at, e.I64Scalar(kernel[1])), e.Unsqueeze(first(2), 1))
	column := e.add(e.Op("Mod", In(at, e.I64Scalar(kernel[1]))), first(3))
	lead := e.Op("Shape", In(x), onnx.IntAttr("end", 2))
	flat := e.Concat(0, lead, e.I64(-1))
	zeros := e.filled(e.Concat(0, lead, e.flat(e.mul(height, width))), x.DType, 0)
	y := e.scatterElements(zeros, e.ReshapeTo(e.add(e.mul(row, width), column), flat), e.ReshapeTo(x, flat), 2, "add")
	y = e.ReshapeTo(y, e.Concat(0, lead, whole))
	from := e.I64(pad...)
	size := c.Sizes("out", []graph.Operand{graph.Dim{Dim: out[2]}, graph.Dim{Dim: out[3]}})
	c.Return(e.Op("Slice", In(y, from, e.add(from, size), e.I64(2, 3))))
}

// shiftGroups moves each group of channels by a place of the kernel, the last one not at all.
func shiftGroups(c *Call) {
	e := c.emit
	x := c.first()
	kernel, dilate := c.Ints("ksize", 2), c.Ints("dilate", 2)
	var pad [2]int64
	for i := range pad {
		pad[i] = kernel[i] / 2 * max(dilate[i], -dilate[i])
	}
	padded := e.padEnds(x, pad[:], pad[:], 0)
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
		part := e.Slice(padded, 1, i*size, end, 1)
		for axis, k := range [...]int64{place/kernel[1] - kernel[0]/2, place%kernel[1] - kernel[1]/2} {
			start := e.I64(pad[axis] - k*dilate[axis])
			a := int64(axis + 2)
			part = e.Op("Slice", In(part, start, e.add(start, e.flat(e.dimSize(x, a))), e.I64(a)))
		}
		parts[i] = part
	}
	c.Return(e.Concat(1, parts...))
}

// deformableSampler is a convolution whose windows' places are moved by offsets: those of columns first, then those of rows.
func deformableSampler(c *Call) {
	e := c.emit
	x := c.first()
	offset, w := c.Operand("offset", x.DType), c.Operand("W", x.DType)
	stride, pad := c.Ints("stride", 2), c.Ints("pad", 2)
	kernel := []int64{c.ConstDim("W", 2), c.ConstDim("W", 3)}
	places := kernel[0] * kernel[1]
	padded := e.padEnds(x, pad, pad, 0)
	coord := func(axis, from int64, within func(k int64) int64) V { // of (N, places, rows, columns), from -1 to 1
		list := make([]float64, places)
		for k := range list {
			list[k] = float64(within(int64(k)))
		}
		t, err := onnx.NewFloats(x.DType, []int64{places, 1, 1}, list)
		if err != nil {
			failf("%v", err)
		}
		first := e.mul(e.rangeTo(e.dimSize(offset, axis)), e.I64Scalar(stride[axis-2]))
		if axis == 2 {
			first = e.Unsqueeze(first, 1)
		}
		at := e.add(e.add(e.Slice(offset, 1, from, from+places, 1), e.Cast(first, x.DType)), e.Const(t))
		last := e.plus(e.Cast(e.dimSize(padded, axis), x.DType), -1)
		return e.times(e.plus(e.over(at, last), -0.5), 2)
	}
	grid := e.Concat(4, e.Unsqueeze(coord(3, 0, func(k int64) int64 { return k % kernel[1] }), 4),
		e.Unsqueeze(coord(2, places, func(k int64) int64 { return k / kernel[1] }), 4))
	shape := e.Shape(grid) // N, places, rows, columns, 2
	grid = e.Op("Reshape", In(grid, e.I64(0, 0, -1, 2)))
	at := e.Op("GridSample", In(padded, grid), onnx.StringAttr("mode", e.gridMode()), onnx.StringAttr("padding_mode", "zeros"),
		onnx.IntAttr("align_corners", 1))
	w = e.Op("Reshape", In(w, e.I64(0, 0, -1)))
	y := e.Op("Einsum", In(at, w), onnx.StringAttr("equation", "ncks,ock->nos"))
	y = e.ReshapeTo(y, e.Concat(0, e.Slice(shape, 0, 0, 1, 1), e.I64(-1), e.Slice(shape, 0, 2, 4, 1)))
	if c.Has("b") {
		y = e.add(y, e.channels(c.Operand("b", x.DType), 4))
	}
	c.Return(y)
}

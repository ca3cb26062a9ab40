package aten

// This file lowers Chainer's poolings of regions.

import (
	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var chainerRegionRecords = []Record{
	{Op: chainerFunctions + "roi_pooling_2d", Lower: func(c *Call) { // rows are (image, x0, y0, x1, y1), the ends within
		rows := c.roiBins(c.roiColumn(2), c.roiColumn(4), 2, c.Int("outh"), 1)
		columns := c.roiBins(c.roiColumn(1), c.roiColumn(3), 3, c.Int("outw"), 1)
		x := c.Op("Gather", In(c.Tensor("x"), c.Cast(c.roiColumn(0), onnx.Int64)))
		some := c.Op("And", In(c.Op("Greater", In(c.roiCount(rows, 1, 3), c.I64(0))), c.Op("Greater", In(c.roiCount(columns, 1, 2), c.I64(0)))))
		c.Return(c.either(some, c.roiReduced("ReduceMax", x, rows, columns, negativeInfinity), c.Scalar(x.DType, 0)))
	}},
	{Op: chainerFunctions + "roi_max_pooling_2d", Lower: func(c *Call) {
		x, rows, columns := c.roiPooling()
		c.Return(c.roiReduced("ReduceMax", x, rows, columns, negativeInfinity))
	}},
	{Op: chainerFunctions + "roi_average_pooling_2d", Lower: func(c *Call) {
		x, rows, columns := c.roiPooling()
		count := c.Cast(c.mul(c.roiCount(rows, 1, 3), c.roiCount(columns, 1, 2)), x.DType)
		c.Return(c.over(c.roiReduced("ReduceSum", x, rows, columns, 0), c.atLeastOf(count, 1)))
	}},
	{Op: chainerFunctions + "roi_max_align_2d", Lower: func(c *Call) {
		x, rows, columns := c.roiAligned()
		y := c.matMul(c.matMul(rows.weights(c), x), c.swapLast(columns.weights(c), 4)) // region, channel, samples of all bins of both axes
		inside := c.Op("And", In(c.Unsqueeze(rows.flat(c, rows.inside), 1, 3), c.Unsqueeze(columns.flat(c, columns.inside), 1, 2)))
		y = c.either(inside, y, c.Scalar(x.DType, negativeInfinity))
		y = c.Op("Reshape", In(y, c.Concat(0, c.I64(0, 0, rows.bins), rows.samples, c.I64(columns.bins), columns.samples)))
		c.Return(c.Reduce("ReduceMax", y, false, 3, 5))
	}},
	{Op: chainerFunctions + "roi_average_align_2d", Lower: func(c *Call) {
		x, rows, columns := c.roiAligned()
		c.Return(c.matMul(c.matMul(rows.mean(c), x), c.swapLast(columns.mean(c), 4)))
	}},
}

// roiColumn is a column of the regions, in binary64, in which Chainer computes the places of their bins.
func (c *Call) roiColumn(i int64) V {
	return c.Cast(c.Squeeze(c.Slice(c.Tensor("rois"), 1, i, i+1, 1), 1), onnx.Double)
}

// roiImages are the images of the regions: region, channel, row, column.
func (c *Call) roiImages() V { return c.Op("Gather", In(c.Tensor("x"), c.Tensor("roi_indices"))) }

// roiPooling are the images of the regions and the rows and columns of their bins.
func (c *Call) roiPooling() (x, rows, columns V) {
	size := c.Ints("outsize", 2)
	return c.roiImages(), c.roiBins(c.roiColumn(0), c.roiColumn(2), 2, size[0], 0), c.roiBins(c.roiColumn(1), c.roiColumn(3), 3, size[1], 0)
}

// roiBins says which places of an axis each of n bins of each region has: region, bin, place. A region is from start to end, both rounded,
// the end moved by more; it has at least one place.
func (c *Call) roiBins(start, end V, axis, n int64, more float64) V {
	scale := c.Number("spatial_scale", onnx.Double)
	start, end = c.Op("Round", In(c.mul(start, scale))), c.Op("Round", In(c.mul(end, scale)))
	step := c.Unsqueeze(c.over(c.atLeastOf(c.plus(c.sub(end, start), more), 1), c.Scalar(onnx.Double, float64(n))), 1)
	bin := c.Cast(c.rangeTo(c.I64Scalar(n)), onnx.Double)
	start = c.Unsqueeze(start, 1)
	from := c.add(c.Op("Floor", In(c.mul(bin, step))), start)
	to := c.add(c.Op("Ceil", In(c.mul(c.plus(bin, 1), step))), start)
	place := c.Cast(c.rangeTo(c.dimSize(c.Tensor("x"), axis)), onnx.Double)
	return c.Op("And", In(c.Op("GreaterOrEqual", In(place, c.Unsqueeze(from, 2))), c.less(place, c.Unsqueeze(to, 2))))
}

// roiCount is how many places each bin has, with axes of size 1 in front of axes.
func (c *Call) roiCount(bins V, axes ...int64) V {
	return c.Unsqueeze(c.Reduce("ReduceSum", c.Cast(bins, onnx.Int64), false, 2), axes...)
}

// roiReduced reduces the places of each bin; fill stands for the others.
func (c *Call) roiReduced(op string, x, rows, columns V, fill float64) V {
	none := c.Scalar(x.DType, fill)
	y := c.Reduce(op, c.either(c.Unsqueeze(rows, 1, 4), c.Unsqueeze(x, 2), none), false, 3)
	return c.Reduce(op, c.either(c.Unsqueeze(columns, 1, 2), c.Unsqueeze(y, 3), none), false, 4)
}

// A samples is where the samples of the bins of regions lie on one axis: region, bin, sample.
type samples struct {
	bins    int64
	samples V // how many a bin of any region has at most, in one dimension
	number  V // how many a region has: region, 1, 1
	at      V // the place, brought into the image
	inside  V // whether it is used and at most one place outside of the image
	size    V // of the image
	d       onnx.DType
}

// roiAligned are the images of the regions and the samples of both axes.
func (c *Call) roiAligned() (x V, rows, columns *samples) {
	size, ratio := c.Ints("outsize", 2), c.Items("sampling_ratio")
	var of [2]graph.Operand
	switch len(ratio) {
	case 1:
		of = [2]graph.Operand{ratio[0], ratio[0]}
	case 2:
		of = [2]graph.Operand{ratio[0], ratio[1]}
	}
	return c.roiImages(), c.roiSamples(0, size[0], of[0]), c.roiSamples(1, size[1], of[1])
}

// roiSamples places the samples of n bins on an axis: as many as asked for, or of every bin as many as its length, rounded up.
func (c *Call) roiSamples(axis int64, n int64, asked graph.Operand) *samples {
	scale := c.Number("spatial_scale", onnx.Double)
	column := func(i int64) V { return c.Unsqueeze(c.mul(c.roiColumn(i), scale), 1, 2) }
	start := column(axis)
	length := c.over(c.atLeastOf(c.sub(column(axis+2), start), 1), c.Scalar(onnx.Double, float64(n)))
	s := &samples{bins: n, size: c.dimSize(c.Tensor("x"), 2+axis), d: c.DType("x")}
	if asked != nil {
		number, ok := ConstInt(asked)
		if !ok {
			c.Failf("sampling_ratio must be known when the model is exported")
		}
		s.samples, s.number = c.I64(number), c.Scalar(onnx.Double, float64(number))
	} else {
		s.number = c.Op("Ceil", In(length))
		most := c.Op("ReduceMax", In(c.Concat(0, c.flat(s.number), c.Unsqueeze(c.Scalar(onnx.Double, 1), 0))), onnx.IntAttr("keepdims", 1))
		s.samples = c.Cast(most, onnx.Int64)
	}
	sample := c.Cast(c.rangeTo(c.scalar0(s.samples)), onnx.Double)
	bin := c.Unsqueeze(c.Cast(c.rangeTo(c.I64Scalar(n)), onnx.Double), 1)
	at := c.add(c.add(start, c.mul(bin, length)), c.over(c.mul(c.plus(sample, 0.5), length), s.number))
	size := c.Cast(s.size, onnx.Double)
	s.inside = c.Op("And", In(c.Op("GreaterOrEqual", In(at, c.Scalar(onnx.Double, -1))), c.Op("LessOrEqual", In(at, size))))
	if asked == nil {
		s.inside = c.Op("And", In(s.inside, c.less(sample, s.number)))
	}
	s.at = c.Op("Min", In(c.atLeastOf(at, 0), c.plus(size, -1)))
	return s
}

// perSample are the shares of the image's places in each sample, by linear interpolation: region, bin, sample, place. Outside they are 0.
func (s *samples) perSample(c *Call) V {
	place := c.Cast(c.rangeTo(s.size), onnx.Double)
	share := c.atLeastOf(c.oneMinus(c.abs(c.sub(c.Unsqueeze(s.at, 3), place))), 0)
	return c.either(c.Unsqueeze(s.inside, 3), share, c.Scalar(onnx.Double, 0))
}

// flat joins bins and samples.
func (s *samples) flat(c *Call, v V) V {
	return c.Op("Reshape", In(v, c.Concat(0, c.I64(0), c.mul(c.I64(s.bins), s.samples))))
}

// weights are the shares in all samples: region, 1, sample of all bins, place.
func (s *samples) weights(c *Call) V {
	v := c.Cast(s.perSample(c), s.d)
	shape := c.Concat(0, c.I64(0, 1), c.mul(c.I64(s.bins), s.samples), c.flat(s.size))
	return c.Op("Reshape", In(v, shape))
}

// mean are the shares in the mean of a bin's samples: region, 1, bin, place.
func (s *samples) mean(c *Call) V {
	sum := c.Reduce("ReduceSum", s.perSample(c), false, 2)
	return c.Unsqueeze(c.Cast(c.over(sum, s.number), s.d), 1)
}

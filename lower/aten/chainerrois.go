package aten

// This file lowers Chainer's poolings of regions.

import (
	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var chainerRegionRecords = []Record{
	{Op: chainerFunctions + "roi_pooling_2d", Lower: func(c *Call) { // rows are (image, x0, y0, x1, y1), the ends within
		e := c.emit
		rows := c.roiBins(c.roiColumn(2), c.roiColumn(4), 2, c.Int("outh"), 1)
		columns := c.roiBins(c.roiColumn(1), c.roiColumn(3), 3, c.Int("outw"), 1)
		x := e.Op("Gather", In(c.Tensor("x"), e.Cast(c.roiColumn(0), onnx.Int64)))
		some := e.Op("And", In(e.Op("Greater", In(e.roiCount(rows, 1, 3), e.I64(0))), e.Op("Greater", In(e.roiCount(columns, 1, 2), e.I64(0)))))
		c.Return(e.either(some, e.roiReduced("ReduceMax", x, rows, columns, negativeInfinity), e.Scalar(x.DType, 0)))
	}},
	{Op: chainerFunctions + "roi_max_pooling_2d", Lower: func(c *Call) {
		x, rows, columns := c.roiPooling()
		c.Return(c.emit.roiReduced("ReduceMax", x, rows, columns, negativeInfinity))
	}},
	{Op: chainerFunctions + "roi_average_pooling_2d", Lower: func(c *Call) {
		e := c.emit
		x, rows, columns := c.roiPooling()
		count := e.Cast(e.mul(e.roiCount(rows, 1, 3), e.roiCount(columns, 1, 2)), x.DType)
		c.Return(e.over(e.roiReduced("ReduceSum", x, rows, columns, 0), e.atLeastOf(count, 1)))
	}},
	{Op: chainerFunctions + "roi_max_align_2d", Lower: func(c *Call) {
		e := c.emit
		x, rows, columns := c.roiAligned()
		y := e.matMul(e.matMul(rows.weights(e), x), e.swapLast(columns.weights(e), 4)) // region, channel, samples of all bins of both axes
		inside := e.Op("And", In(e.Unsqueeze(rows.flat(e, rows.inside), 1, 3), e.Unsqueeze(columns.flat(e, columns.inside), 1, 2)))
		y = e.either(inside, y, e.Scalar(x.DType, negativeInfinity))
		y = e.Op("Reshape", In(y, e.Concat(0, e.I64(0, 0, rows.bins), rows.samples, e.I64(columns.bins), columns.samples)))
		c.Return(e.Reduce("ReduceMax", y, false, 3, 5))
	}},
	{Op: chainerFunctions + "roi_average_align_2d", Lower: func(c *Call) {
		e := c.emit
		x, rows, columns := c.roiAligned()
		c.Return(e.matMul(e.matMul(rows.mean(e), x), e.swapLast(columns.mean(e), 4)))
	}},
}

// roiColumn is a column of the regions, in binary64, in which Chainer computes the places of their bins.
func (c *Call) roiColumn(i int64) V {
	e := c.emit
	return e.Cast(e.Squeeze(e.Slice(c.Tensor("rois"), 1, i, i+1, 1), 1), onnx.Double)
}

// roiImages are the images of the regions: region, channel, row, column.
func (c *Call) roiImages() V { return c.emit.Op("Gather", In(c.Tensor("x"), c.Tensor("roi_indices"))) }

// roiPooling are the images of the regions and the rows and columns of their bins.
func (c *Call) roiPooling() (x, rows, columns V) {
	size := c.Ints("outsize", 2)
	return c.roiImages(), c.roiBins(c.roiColumn(0), c.roiColumn(2), 2, size[0], 0), c.roiBins(c.roiColumn(1), c.roiColumn(3), 3, size[1], 0)
}

// roiBins says which places of an axis each of n bins of each region has: region, bin, place. A region is from start to end, both rounded,
// the end moved by more; it has at least one place.
func (c *Call) roiBins(start, end V, axis, n int64, more float64) V {
	e := c.emit
	scale := c.Number("spatial_scale", onnx.Double)
	start, end = e.Op("Round", In(e.mul(start, scale))), e.Op("Round", In(e.mul(end, scale)))
	step := e.Unsqueeze(e.over(e.atLeastOf(e.plus(e.sub(end, start), more), 1), e.Scalar(onnx.Double, float64(n))), 1)
	bin := e.Cast(e.rangeTo(e.I64Scalar(n)), onnx.Double)
	start = e.Unsqueeze(start, 1)
	from := e.add(e.Op("Floor", In(e.mul(bin, step))), start)
	to := e.add(e.Op("Ceil", In(e.mul(e.plus(bin, 1), step))), start)
	place := e.Cast(e.rangeTo(e.dimSize(c.Tensor("x"), axis)), onnx.Double)
	return e.Op("And", In(e.Op("GreaterOrEqual", In(place, e.Unsqueeze(from, 2))), e.less(place, e.Unsqueeze(to, 2))))
}

// roiCount is how many places each bin has, with axes of size 1 in front of axes.
func (e *Emitter) roiCount(bins V, axes ...int64) V {
	return e.Unsqueeze(e.Reduce("ReduceSum", e.Cast(bins, onnx.Int64), false, 2), axes...)
}

// roiReduced reduces the places of each bin; fill stands for the others.
func (e *Emitter) roiReduced(op string, x, rows, columns V, fill float64) V {
	none := e.Scalar(x.DType, fill)
	y := e.Reduce(op, e.either(e.Unsqueeze(rows, 1, 4), e.Unsqueeze(x, 2), none), false, 3)
	return e.Reduce(op, e.either(e.Unsqueeze(columns, 1, 2), e.Unsqueeze(y, 3), none), false, 4)
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
	e := c.emit
	scale := c.Number("spatial_scale", onnx.Double)
	column := func(i int64) V { return e.Unsqueeze(e.mul(c.roiColumn(i), scale), 1, 2) }
	start := column(axis)
	length := e.over(e.atLeastOf(e.sub(column(axis+2), start), 1), e.Scalar(onnx.Double, float64(n)))
	s := &samples{bins: n, size: e.dimSize(c.Tensor("x"), 2+axis), d: c.DType("x")}
	if asked != nil {
		number, ok := ConstInt(asked)
		if !ok {
			failf("sampling_ratio must be known when the model is exported")
		}
		s.samples, s.number = e.I64(number), e.Scalar(onnx.Double, float64(number))
	} else {
		s.number = e.Op("Ceil", In(length))
		most := e.Op("ReduceMax", In(e.Concat(0, e.flat(s.number), e.Unsqueeze(e.Scalar(onnx.Double, 1), 0))), onnx.IntAttr("keepdims", 1))
		s.samples = e.Cast(most, onnx.Int64)
	}
	sample := e.Cast(e.rangeTo(e.scalar0(s.samples)), onnx.Double)
	bin := e.Unsqueeze(e.Cast(e.rangeTo(e.I64Scalar(n)), onnx.Double), 1)
	at := e.add(e.add(start, e.mul(bin, length)), e.over(e.mul(e.plus(sample, 0.5), length), s.number))
	size := e.Cast(s.size, onnx.Double)
	s.inside = e.Op("And", In(e.Op("GreaterOrEqual", In(at, e.Scalar(onnx.Double, -1))), e.Op("LessOrEqual", In(at, size))))
	if asked == nil {
		s.inside = e.Op("And", In(s.inside, e.less(sample, s.number)))
	}
	s.at = e.Op("Min", In(e.atLeastOf(at, 0), e.plus(size, -1)))
	return s
}

// perSample are the shares of the image's places in each sample, by linear interpolation: region, bin, sample, place. Outside they are 0.
func (s *samples) perSample(e *Emitter) V {
	place := e.Cast(e.rangeTo(s.size), onnx.Double)
	share := e.atLeastOf(e.oneMinus(e.abs(e.sub(e.Unsqueeze(s.at, 3), place))), 0)
	return e.either(e.Unsqueeze(s.inside, 3), share, e.Scalar(onnx.Double, 0))
}

// flat joins bins and samples.
func (s *samples) flat(e *Emitter, v V) V {
	return e.Op("Reshape", In(v, e.Concat(0, e.I64(0), e.mul(e.I64(s.bins), s.samples))))
}

// weights are the shares in all samples: region, 1, sample of all bins, place.
func (s *samples) weights(e *Emitter) V {
	v := e.Cast(s.perSample(e), s.d)
	shape := e.Concat(0, e.I64(0, 1), e.mul(e.I64(s.bins), s.samples), e.flat(s.size))
	return e.Op("Reshape", In(v, shape))
}

// mean are the shares in the mean of a bin's samples: region, 1, bin, place.
func (s *samples) mean(e *Emitter) V {
	sum := e.Reduce("ReduceSum", s.perSample(e), false, 2)
	return e.Unsqueeze(e.Cast(e.over(sum, s.number), s.d), 1)
}

package aten

// This file lowers Chainer's normalisations and what is random in training.

import (
	"math"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var negativeInfinity = math.Inf(-1)

var chainerNormRecords = []Record{
	{Op: chainerFunctions + "batch_normalization", Lower: func(c *Call) {
		axes := c.normAxes()
		c.Return(c.scaled(c.emit.standardize(c.first(), c.Float("eps"), axes), axes))
	}},
	{Op: chainerFunctions + "fixed_batch_normalization " + chainerFunctions + "fixed_batch_renormalization", Lower: fixedNorm},
	{Op: chainerFunctions + "batch_renormalization",
		None: "its factors are limited by running statistics that it changes; without --train, eval() is called first"},
	{Op: chainerFunctions + "decorrelated_batch_normalization", None: "ONNX has no eigenvectors; without --train, eval() is called first"},
	{Op: chainerFunctions + "fixed_decorrelated_batch_normalization", Lower: whitenByProjection},
	{Op: chainerFunctions + "layer_normalization", Lower: func(c *Call) {
		e := c.emit
		y := e.standardize(c.first(), c.Float("eps"), []int64{1})
		c.Return(e.add(e.mul(y, c.Operand("gamma", y.DType)), c.Operand("beta", y.DType)))
	}},
	{Op: chainerFunctions + "group_normalization", Lower: func(c *Call) {
		e := c.emit
		x, rank := c.first(), c.Rank("x")
		grouped := e.Op("Reshape", In(x, e.I64(0, c.Int("groups"), -1)))
		y := e.ReshapeTo(e.standardize(grouped, c.Float("eps"), []int64{2}), e.Shape(x))
		c.Return(e.add(e.mul(y, e.channels(c.Operand("gamma", y.DType), rank)), e.channels(c.Operand("beta", y.DType), rank)))
	}},
	{Op: chainerFunctions + "local_response_normalization", Lower: func(c *Call) { // its alpha multiplies the sum, that of LRN the mean
		size := c.Int("n")/2*2 + 1
		c.rename("torch.nn.functional.local_response_norm", "input=x beta=beta k=k", graph.Arg{Name: "size", Value: graph.Int(size)},
			graph.Arg{Name: "alpha", Value: graph.Float(c.Float("alpha") * float64(size))})
		localResponseNorm(c)
	}},
	{Op: chainerFunctions + "normalize", Lower: func(c *Call) {
		x := c.first()
		norm := c.vectorNorm(x, 2, c.Axes("axis", c.Rank("x")), true)
		c.Return(c.emit.over(x, c.emit.plus(norm, c.Float("eps"))))
	}},
	{Op: chainerFunctions + "rrelu", Lower: func(c *Call) {
		e := c.emit
		x := c.first()
		slope := e.Scalar(x.DType, c.Float("l"))
		switch {
		case c.Has("r"):
			slope = c.Operand("r", x.DType)
		case c.Float("l") != c.Float("u") || len(c.Node.Outputs) > 1:
			slope = e.plus(e.times(c.draw("RandomUniformLike"), c.Float("u")-c.Float("l")), c.Float("l"))
		}
		c.Return(c.besides(e.either(e.negative(x), e.mul(x, slope), x), slope)...)
	}},
	{Op: chainerFunctions + "simplified_dropconnect", Lower: dropconnect},
	{Op: chainerFunctions + "zoneout", Lower: func(c *Call) {
		e := c.emit
		x, ratio := c.Operand("x", c.OutDType(0)), c.Float("ratio")
		if ratio == 0 { // as in evaluation
			c.Return(x)
			return
		}
		kept := e.Op("Less", In(c.drawAs("RandomUniformLike", onnx.Float), e.Scalar(onnx.Float, ratio)))
		c.Return(e.either(kept, c.Operand("h", c.OutDType(0)), x))
	}},
	{Op: chainerFunctions + "dropout", Lower: func(c *Call) {
		x, ratio := c.first(), c.Float("ratio")
		if !c.Has("mask") && ratio == 0 && len(c.Node.Outputs) == 1 { // as in evaluation
			c.Return(x)
			return
		}
		mask := V{}
		if c.Has("mask") {
			mask = c.Operand("mask", c.OutDType(0))
		} else {
			mask = c.emit.dropMask(x, ratio)
		}
		c.Return(c.besides(c.emit.mul(x, mask), mask)...)
	}},
}

// dropMask draws what dropout multiplies x by. It is written out, since ONNX Runtime takes Dropout for the identity where its result is
// no output.
func (e *Emitter) dropMask(x V, ratio float64) V {
	u := e.Op("RandomUniformLike", In(x), onnx.IntAttr("dtype", int64(onnx.Float)))
	return e.times(e.Cast(e.Op("GreaterOrEqual", In(u, e.Scalar(onnx.Float, ratio))), x.DType), 1/(1-ratio))
}

// dropconnect lowers a linear function of which each example, or all together, have other weights left.
func dropconnect(c *Call) {
	e := c.emit
	x := c.first()
	x = e.Op("Reshape", In(x, e.I64(0, -1)))
	w, ratio := c.Operand("W", x.DType), c.Float("ratio")
	if !c.Bool("train") {
		ratio = 0
	}
	mask := V{}
	switch {
	case c.Has("mask"):
		mask = c.Operand("mask", x.DType)
	case ratio != 0:
		shape := e.Shape(w)
		if c.Bool("use_batchwise_mask") {
			shape = e.Concat(0, e.Op("Shape", In(x), onnx.IntAttr("end", 1)), shape)
		}
		u := e.Op("RandomUniformLike", In(e.filled(shape, onnx.Float, 0)))
		mask = e.Cast(e.Op("GreaterOrEqual", In(u, e.Scalar(onnx.Float, ratio))), x.DType)
	}
	if mask.Name != "" {
		w = e.mul(e.times(w, 1/(1-ratio)), mask)
	}
	y := e.Squeeze(e.Op("MatMul", In(w, e.Unsqueeze(x, 2))), 2)
	if c.Has("b") {
		y = e.add(y, c.Operand("b", x.DType))
	}
	c.Return(y)
}

// besides are the results of a function that also gives what it drew where it is asked for.
func (c *Call) besides(y, drawn V) []V {
	if len(c.Node.Outputs) > 1 {
		return []V{y, drawn}
	}
	return []V{y}
}

// normAxes are the axes that statistics are taken over: those of examples, and those behind the ones that gamma has.
func (c *Call) normAxes() []int64 {
	rank := c.Rank("x")
	if c.Has("axis") {
		return c.Axes("axis", rank)
	}
	axes := []int64{0}
	for i := c.Rank("gamma") + 1; i < rank; i++ {
		axes = append(axes, int64(i))
	}
	return axes
}

// alignAxes puts a parameter of the axes that are not among axes where these are.
func (c *Call) alignAxes(name string, d onnx.DType, axes []int64) V {
	v := c.Operand(name, d)
	sorted := slices.Clone(axes)
	slices.Sort(sorted)
	for len(sorted) > 0 && sorted[0] == 0 { // in front broadcasting does it
		sorted = sorted[1:]
		for i := range sorted {
			sorted[i]--
		}
	}
	if len(sorted) == 0 {
		return v
	}
	return c.emit.Unsqueeze(v, sorted...)
}

// scaled multiplies by gamma and adds beta.
func (c *Call) scaled(x V, axes []int64) V {
	return c.emit.add(c.emit.mul(x, c.alignAxes("gamma", x.DType, axes)), c.alignAxes("beta", x.DType, axes))
}

// fixedNorm normalises with given statistics.
func fixedNorm(c *Call) {
	e := c.emit
	x, rank, axes := c.first(), c.Rank("x"), c.normAxes()
	if !c.Has("axis") && c.Rank("gamma") == 1 && rank >= 2 {
		c.Return(e.Op("BatchNormalization", In(x, c.Operand("gamma", x.DType), c.Operand("beta", x.DType), c.Operand("mean", x.DType),
			c.Operand("var", x.DType)), c.FloatAttr("epsilon", "eps")))
		return
	}
	std := e.sqrt(e.plus(c.alignAxes("var", x.DType, axes), c.Float("eps")))
	c.Return(c.scaled(e.over(e.sub(x, c.alignAxes("mean", x.DType, axes)), std), axes))
}

// whitenByProjection multiplies the channels of each group, less their means, with a matrix.
func whitenByProjection(c *Call) {
	e := c.emit
	x, rank := c.first(), c.Rank("x")
	perm := identity(rank)
	perm[0], perm[1] = perm[1], perm[0]
	x = e.permute(x, perm)
	mean := c.Operand("mean", x.DType) // group, channel
	grouped := e.ReshapeTo(x, e.Concat(0, e.Shape(mean), e.I64(-1)))
	y := e.matMul(c.Operand("projection", x.DType), e.sub(grouped, e.Unsqueeze(mean, 2)))
	c.Return(e.permute(e.ReshapeTo(y, e.Shape(x)), perm))
}

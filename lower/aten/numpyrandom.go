package aten

// This file lowers NumPy's random arrays, each a function of uniform or normal numbers. They are others than
// NumPy's in each run, as they are between two of its generators; their distribution is the same.

import (
	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var numpyRandomRecords = []Record{
	{Op: "numpy.random.rand numpy.random.random numpy.random.random_sample numpy.random.ranf numpy.random.sample numpy.random._g_random",
		Lower: drawn("RandomUniformLike")},
	{Op: "numpy.random.randn numpy.random.standard_normal numpy.random._g_standard_normal", Lower: drawn("RandomNormalLike")},
	{Op: "numpy.random.uniform", Lower: func(c *Call) {
		e := c.emit
		u := c.draw("RandomUniformLike")
		low := c.Operand("low", u.DType)
		c.Return(e.add(low, e.mul(u, e.sub(c.Operand("high", u.DType), low))))
	}},
	{Op: "numpy.random.normal", Lower: func(c *Call) { c.Return(c.placed(c.draw("RandomNormalLike"))) }},
	{Op: "numpy.random.lognormal", Lower: func(c *Call) {
		e := c.emit
		x := c.draw("RandomNormalLike")
		c.Return(e.Op("Exp", In(e.add(c.Operand("mean", x.DType), e.mul(x, c.Operand("sigma", x.DType))))))
	}},
	{Op: "numpy.random.standard_exponential numpy.random._g_standard_exponential",
		Lower: func(c *Call) { c.Return(c.waiting(c.OutDType(0))) }},
	{Op: "numpy.random.exponential", Lower: func(c *Call) {
		c.Return(c.emit.mul(c.waiting(c.OutDType(0)), c.Operand("scale", c.OutDType(0))))
	}},
	{Op: "numpy.random.rayleigh", Lower: func(c *Call) {
		e := c.emit
		c.Return(e.mul(e.Op("Sqrt", In(e.times(c.waiting(c.OutDType(0)), 2))), c.Operand("scale", c.OutDType(0))))
	}},
	{Op: "numpy.random.weibull", Lower: func(c *Call) {
		x := c.waiting(c.OutDType(0))
		c.Return(c.emit.Op("Pow", In(x, c.emit.Op("Reciprocal", In(c.Operand("a", x.DType))))))
	}},
	{Op: "numpy.random.pareto", Lower: func(c *Call) {
		e := c.emit
		x := c.waiting(c.OutDType(0))
		c.Return(e.plus(e.Op("Exp", In(e.over(x, c.Operand("a", x.DType)))), -1))
	}},
	{Op: "numpy.random.gumbel", Lower: func(c *Call) { c.Return(c.placed(c.gumbel(c.OutDType(0)))) }},
	{Op: "numpy.random.logistic", Lower: func(c *Call) { // the difference of two of Gumbel's distribution
		c.Return(c.placed(c.emit.sub(c.gumbel(c.OutDType(0)), c.gumbel(c.OutDType(0)))))
	}},
	{Op: "numpy.random.laplace", Lower: func(c *Call) { // the difference of two exponential ones
		c.Return(c.placed(c.emit.sub(c.waiting(c.OutDType(0)), c.waiting(c.OutDType(0)))))
	}},
	{Op: "numpy.random.standard_cauchy", Lower: func(c *Call) { // the quotient of two normal ones
		c.Return(c.emit.over(c.draw("RandomNormalLike"), c.draw("RandomNormalLike")))
	}},
	{Op: "numpy.random.geometric", Lower: func(c *Call) { // the first whole number above an exponential one
		e := c.emit
		x := c.waiting(onnx.Double)
		p := c.Operand("p", onnx.Double)
		n := e.Op("Ceil", In(e.over(x, e.neg(e.Op("Log", In(e.sub(e.Scalar(onnx.Double, 1), p)))))))
		c.Return(e.Cast(e.Op("Max", In(n, e.Scalar(onnx.Double, 1))), c.OutDType(0)))
	}},
	{Op: "numpy.random.binomial", Lower: func(c *Call) {
		if n, ok := ConstInt(c.Arg("n")); !ok || n != 1 {
			failf("that of more than one trial is not written")
		}
		c.Return(c.emit.Cast(c.emit.Op("Less", In(c.drawAs("RandomUniformLike", onnx.Double), c.Operand("p", onnx.Double))), c.OutDType(0)))
	}},
	{Op: "numpy.random.randint numpy.random.integers", Lower: func(c *Call) {
		low, high := c.emit.Scalar(onnx.Double, 0), V{}
		if c.Has("high") {
			low, high = c.Operand("low", onnx.Double), c.Operand("high", onnx.Double)
		} else {
			high = c.Operand("low", onnx.Double)
		}
		if c.Has("endpoint") && c.Bool("endpoint") {
			high = c.emit.plus(high, 1)
		}
		c.Return(c.between(low, high))
	}},
	{Op: "numpy.random.random_integers", Lower: func(c *Call) {
		low, high := c.emit.Scalar(onnx.Double, 1), V{}
		if c.Has("high") {
			low, high = c.Operand("low", onnx.Double), c.Operand("high", onnx.Double)
		} else {
			high = c.Operand("low", onnx.Double)
		}
		c.Return(c.between(low, c.emit.plus(high, 1)))
	}},
	{Op: "numpy.random.permutation numpy.random._g_permutation", Lower: func(c *Call) {
		e := c.emit
		if c.Has("axis") && c.Int("axis") != 0 {
			failf("along other axes than the first it is not written")
		}
		n := e.Slice(c.ShapeTensor(c.OutType(0).Shape), 0, 0, 1, 1)
		order := e.shuffled(n, n)
		if c.counts("x") {
			c.Return(e.Cast(order, c.OutDType(0)))
			return
		}
		c.Return(e.Op("Gather", In(c.Tensor("x"), order), onnx.IntAttr("axis", 0)))
	}},
	{Op: "numpy.random.choice numpy.random._g_choice", Lower: chosen},
	{Op: "numpy.random.poisson numpy.random.negative_binomial numpy.random.gamma numpy.random.standard_gamma numpy.random._g_standard_gamma numpy.random.beta numpy.random.f " +
		"numpy.random.chisquare numpy.random.standard_t numpy.random.noncentral_chisquare numpy.random.noncentral_f numpy.random.wald numpy.random.power numpy.random.vonmises " +
		"numpy.random.triangular numpy.random.logseries numpy.random.zipf numpy.random.hypergeometric numpy.random.dirichlet numpy.random.multivariate_normal " +
		"numpy.random._g_multivariate_normal numpy.random.multinomial numpy.random.multivariate_hypergeometric", None: noDistribution},
	{Op: "numpy.random.permuted numpy.random.shuffle numpy.random._g_shuffle",
		None: "ONNX has no order by chance that is written into an array; permutation makes a new one"},
}

// counts reports whether an argument is a number, for those below it.
func (c *Call) counts(name string) bool {
	switch c.Arg(name).(type) {
	case graph.Int, graph.Dim:
		return true
	}
	return false
}

// placed moves and stretches numbers of a standard distribution.
func (c *Call) placed(x V) V {
	return c.emit.add(c.Operand("loc", x.DType), c.emit.mul(x, c.Operand("scale", x.DType)))
}

// waiting draws exponentially distributed numbers in the shape of the result: -log(1 - u), u below 1.
func (c *Call) waiting(d onnx.DType) V {
	e := c.emit
	return e.neg(e.Op("Log", In(e.sub(e.Scalar(d, 1), c.drawAs("RandomUniformLike", d)))))
}

// gumbel draws numbers of Gumbel's distribution: -log of exponential ones, of which those that round to 0 are the smallest above it.
func (c *Call) gumbel(d onnx.DType) V {
	e := c.emit
	tiny := 1e-30
	if d == onnx.Float16 {
		tiny = 6e-8
	}
	return e.neg(e.Op("Log", In(e.Op("Max", In(c.waiting(d), e.Scalar(d, tiny))))))
}

// between draws whole numbers from low on, below high.
func (c *Call) between(low, high V) V {
	e := c.emit
	u := c.drawAs("RandomUniformLike", onnx.Double)
	return e.Cast(e.add(low, e.Op("Floor", In(e.mul(u, e.sub(high, low))))), c.OutDType(0))
}

// shuffled gives k of the numbers below n, without repetition, in random order: the places of the largest of n random numbers.
func (e *Emitter) shuffled(n, k V) V {
	keys := e.Op("RandomUniformLike", In(e.filled(n, onnx.Double, 0)))
	return e.Ops("TopK", 2, In(keys, k), onnx.IntAttr("axis", 0))[1]
}

// chosen lowers random.choice: elements of a, or of the numbers below it.
func chosen(c *Call) {
	e := c.emit
	if c.Has("axis") && c.Int("axis") != 0 {
		failf("along other axes than the first it is not written")
	}
	var n V
	array := !c.counts("a")
	if array {
		n = e.Op("Shape", In(c.Tensor("a")), onnx.IntAttr("end", 1))
	} else {
		n = e.Unsqueeze(c.Number("a", onnx.Int64), 0)
	}
	replace, weighted := c.Bool("replace"), c.Has("p")
	size := c.ShapeTensor(c.OutType(0).Shape)
	if array { // further axes are those of a
		size = e.Slice(size, 0, 0, int64(len(c.OutType(0).Shape)-c.Rank("a")+1), 1)
	}
	count := e.Op("ReduceProd", In(size), onnx.IntAttr("keepdims", 1))
	var index V
	switch {
	case !weighted && !replace:
		index = e.shuffled(n, count)
	case !weighted:
		u := e.Op("RandomUniformLike", In(e.filled(count, onnx.Double, 0)))
		index = e.Cast(e.Op("Floor", In(e.mul(u, e.Cast(n, onnx.Double)))), onnx.Int64)
	case !replace: // the largest quotients of the weights and exponential numbers
		p := c.weights()
		u := e.Op("RandomUniformLike", In(p))
		wait := e.neg(e.Op("Log", In(e.sub(e.Scalar(onnx.Double, 1), u))))
		index = e.Ops("TopK", 2, In(e.over(p, wait), count), onnx.IntAttr("axis", 0))[1]
	default: // how many of the sums of the weights are not above a uniform number
		p := c.weights()
		u := e.Op("RandomUniformLike", In(e.filled(count, onnx.Double, 0)))
		sums := e.Op("CumSum", In(p, e.I64Scalar(0)))
		passed := e.Cast(e.Op("LessOrEqual", In(e.Unsqueeze(sums, 0), e.Unsqueeze(u, 1))), onnx.Int64)
		index = e.Op("ReduceSum", In(passed, e.I64(1)), onnx.IntAttr("keepdims", 0))
		index = e.Op("Min", In(index, e.sub(n, e.I64(1)))) // where rounding leaves the last sum below 1
	}
	index = e.ReshapeTo(index, size)
	if !array {
		c.Return(e.Cast(index, c.OutDType(0)))
		return
	}
	c.Return(e.Op("Gather", In(c.Tensor("a"), index), onnx.IntAttr("axis", 0)))
}

// weights are those of random.choice.
func (c *Call) weights() V { return c.emit.Cast(c.Tensor("p"), onnx.Double) }

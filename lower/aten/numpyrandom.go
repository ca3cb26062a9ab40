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
		u := c.draw("RandomUniformLike")
		low := c.Operand("low", u.DType)
		c.Return(c.add(low, c.mul(u, c.sub(c.Operand("high", u.DType), low))))
	}},
	{Op: "numpy.random.normal", Lower: func(c *Call) { c.Return(c.placed(c.draw("RandomNormalLike"))) }},
	{Op: "numpy.random.lognormal", Lower: func(c *Call) {
		x := c.draw("RandomNormalLike")
		c.Return(c.Op("Exp", In(c.add(c.Operand("mean", x.DType), c.mul(x, c.Operand("sigma", x.DType))))))
	}},
	{Op: "numpy.random.standard_exponential numpy.random._g_standard_exponential",
		Lower: func(c *Call) { c.Return(c.waiting(c.OutDType(0))) }},
	{Op: "numpy.random.exponential", Lower: func(c *Call) { c.Return(c.mul(c.waiting(c.OutDType(0)), c.Operand("scale", c.OutDType(0)))) }},
	{Op: "numpy.random.rayleigh", Lower: func(c *Call) {
		c.Return(c.mul(c.Op("Sqrt", In(c.times(c.waiting(c.OutDType(0)), 2))), c.Operand("scale", c.OutDType(0))))
	}},
	{Op: "numpy.random.weibull", Lower: func(c *Call) {
		x := c.waiting(c.OutDType(0))
		c.Return(c.Op("Pow", In(x, c.Op("Reciprocal", In(c.Operand("a", x.DType))))))
	}},
	{Op: "numpy.random.pareto", Lower: func(c *Call) {
		x := c.waiting(c.OutDType(0))
		c.Return(c.plus(c.Op("Exp", In(c.over(x, c.Operand("a", x.DType)))), -1))
	}},
	{Op: "numpy.random.gumbel", Lower: func(c *Call) { c.Return(c.placed(c.gumbel(c.OutDType(0)))) }},
	{Op: "numpy.random.logistic", Lower: func(c *Call) { // the difference of two of Gumbel's distribution
		c.Return(c.placed(c.sub(c.gumbel(c.OutDType(0)), c.gumbel(c.OutDType(0)))))
	}},
	{Op: "numpy.random.laplace", Lower: func(c *Call) { // the difference of two exponential ones
		c.Return(c.placed(c.sub(c.waiting(c.OutDType(0)), c.waiting(c.OutDType(0)))))
	}},
	{Op: "numpy.random.standard_cauchy", Lower: func(c *Call) { // the quotient of two normal ones
		c.Return(c.over(c.draw("RandomNormalLike"), c.draw("RandomNormalLike")))
	}},
	{Op: "numpy.random.geometric", Lower: func(c *Call) { // the first whole number above an exponential one
		x := c.waiting(onnx.Double)
		p := c.Operand("p", onnx.Double)
		n := c.Op("Ceil", In(c.over(x, c.neg(c.Op("Log", In(c.sub(c.Scalar(onnx.Double, 1), p)))))))
		c.Return(c.Cast(c.Op("Max", In(n, c.Scalar(onnx.Double, 1))), c.OutDType(0)))
	}},
	{Op: "numpy.random.binomial", Lower: func(c *Call) {
		if n, ok := ConstInt(c.Arg("n")); !ok || n != 1 {
			c.Failf("that of more than one trial is not written")
		}
		c.Return(c.Cast(c.Op("Less", In(c.drawAs("RandomUniformLike", onnx.Double), c.Operand("p", onnx.Double))), c.OutDType(0)))
	}},
	{Op: "numpy.random.randint numpy.random.integers", Lower: func(c *Call) {
		low, high := c.Scalar(onnx.Double, 0), V{}
		if c.Has("high") {
			low, high = c.Operand("low", onnx.Double), c.Operand("high", onnx.Double)
		} else {
			high = c.Operand("low", onnx.Double)
		}
		if c.Has("endpoint") && c.Bool("endpoint") {
			high = c.plus(high, 1)
		}
		c.Return(c.between(low, high))
	}},
	{Op: "numpy.random.random_integers", Lower: func(c *Call) {
		low, high := c.Scalar(onnx.Double, 1), V{}
		if c.Has("high") {
			low, high = c.Operand("low", onnx.Double), c.Operand("high", onnx.Double)
		} else {
			high = c.Operand("low", onnx.Double)
		}
		c.Return(c.between(low, c.plus(high, 1)))
	}},
	{Op: "numpy.random.permutation numpy.random._g_permutation", Lower: func(c *Call) {
		if c.Has("axis") && c.Int("axis") != 0 {
			c.Failf("along other axes than the first it is not written")
		}
		n := c.Slice(c.ShapeTensor(c.OutType(0).Shape), 0, 0, 1, 1)
		order := c.shuffled(n, n)
		if c.counts("x") {
			c.Return(c.Cast(order, c.OutDType(0)))
			return
		}
		c.Return(c.Op("Gather", In(c.Tensor("x"), order), onnx.IntAttr("axis", 0)))
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
	return c.add(c.Operand("loc", x.DType), c.mul(x, c.Operand("scale", x.DType)))
}

// waiting draws exponentially distributed numbers in the shape of the result: -log(1 - u), u below 1.
func (c *Call) waiting(d onnx.DType) V {
	return c.neg(c.Op("Log", In(c.sub(c.Scalar(d, 1), c.drawAs("RandomUniformLike", d)))))
}

// gumbel draws numbers of Gumbel's distribution: -log of exponential ones, of which those that round to 0 are the smallest above it.
func (c *Call) gumbel(d onnx.DType) V {
	tiny := 1e-30
	if d == onnx.Float16 {
		tiny = 6e-8
	}
	return c.neg(c.Op("Log", In(c.Op("Max", In(c.waiting(d), c.Scalar(d, tiny))))))
}

// between draws whole numbers from low on, below high.
func (c *Call) between(low, high V) V {
	u := c.drawAs("RandomUniformLike", onnx.Double)
	return c.Cast(c.add(low, c.Op("Floor", In(c.mul(u, c.sub(high, low))))), c.OutDType(0))
}

// shuffled gives k of the numbers below n, without repetition, in random order: the places of the largest of n random numbers.
func (c *Call) shuffled(n, k V) V {
	keys := c.Op("RandomUniformLike", In(c.filled(n, onnx.Double, 0)))
	return c.Ops("TopK", 2, In(keys, k), onnx.IntAttr("axis", 0))[1]
}

// chosen lowers random.choice: elements of a, or of the numbers below it.
func chosen(c *Call) {
	if c.Has("axis") && c.Int("axis") != 0 {
		c.Failf("along other axes than the first it is not written")
	}
	var n V
	array := !c.counts("a")
	if array {
		n = c.Op("Shape", In(c.Tensor("a")), onnx.IntAttr("end", 1))
	} else {
		n = c.Unsqueeze(c.Number("a", onnx.Int64), 0)
	}
	replace, weighted := c.Bool("replace"), c.Has("p")
	size := c.ShapeTensor(c.OutType(0).Shape)
	if array { // further axes are those of a
		size = c.Slice(size, 0, 0, int64(len(c.OutType(0).Shape)-c.Rank("a")+1), 1)
	}
	count := c.Op("ReduceProd", In(size), onnx.IntAttr("keepdims", 1))
	var index V
	switch {
	case !weighted && !replace:
		index = c.shuffled(n, count)
	case !weighted:
		u := c.Op("RandomUniformLike", In(c.filled(count, onnx.Double, 0)))
		index = c.Cast(c.Op("Floor", In(c.mul(u, c.Cast(n, onnx.Double)))), onnx.Int64)
	case !replace: // the largest quotients of the weights and exponential numbers
		p := c.weights()
		u := c.Op("RandomUniformLike", In(p))
		wait := c.neg(c.Op("Log", In(c.sub(c.Scalar(onnx.Double, 1), u))))
		index = c.Ops("TopK", 2, In(c.over(p, wait), count), onnx.IntAttr("axis", 0))[1]
	default: // how many of the sums of the weights are not above a uniform number
		p := c.weights()
		u := c.Op("RandomUniformLike", In(c.filled(count, onnx.Double, 0)))
		sums := c.Op("CumSum", In(p, c.I64Scalar(0)))
		passed := c.Cast(c.Op("LessOrEqual", In(c.Unsqueeze(sums, 0), c.Unsqueeze(u, 1))), onnx.Int64)
		index = c.Op("ReduceSum", In(passed, c.I64(1)), onnx.IntAttr("keepdims", 0))
		index = c.Op("Min", In(index, c.sub(n, c.I64(1)))) // where rounding leaves the last sum below 1
	}
	index = c.ReshapeTo(index, size)
	if !array {
		c.Return(c.Cast(index, c.OutDType(0)))
		return
	}
	c.Return(c.Op("Gather", In(c.Tensor("a"), index), onnx.IntAttr("axis", 0)))
}

// weights are those of random.choice.
func (c *Call) weights() V { return c.Cast(c.Tensor("p"), onnx.Double) }

package aten

// This file lowers Chainer's element-wise functions, reductions and products.

import (
	"slices"

	"shapecheck/onnx"
)

var chainerMathRecords = []Record{
	{Op: chainerFunctions + "fft", Lower: func(c *Call) { // and ifft, which shares the record
		d, rank := c.OutDType(0), int64(c.OutRank(0))
		var parts []V
		for _, o := range c.Items("x") {
			parts = append(parts, c.Unsqueeze(c.data(o, d), rank))
		}
		n := c.dimSize(parts[0], rank-1)
		y := c.dft(c.Concat(rank, parts...), rank-1, n, "backward", lastName(c.Node.Called) == "ifft", false)
		c.Return(c.partOf(y, 0), c.partOf(y, 1))
	}},
	{Op: chainerFunctions + "absolute", As: "torch.abs", Args: "input=self"},
	{Op: chainerFunctions + "arccos", As: "torch.acos", Args: "input=x"},
	{Op: chainerFunctions + "arcsin", As: "torch.asin", Args: "input=x"},
	{Op: chainerFunctions + "arctan", As: "torch.atan", Args: "input=x"},
	{Op: chainerFunctions + "arctanh", As: "torch.atanh", Args: "input=x"},
	{Op: chainerFunctions + "arctan2", As: "torch.atan2", Args: "input=x1 other=x2"},
	{Op: chainerFunctions + "ceil", Lower: func(c *Call) { // and floor and fix, which share a record
		x := c.first()
		switch name := lastName(c.Node.Called); {
		case !isFloat(x.DType): // whole numbers stay
			c.Return(x)
		case name == "ceil":
			c.Return(c.Op("Ceil", In(x)))
		case name == "floor":
			c.Return(c.Op("Floor", In(x)))
		default:
			c.Return(c.truncate(x))
		}
	}},
	{Op: chainerFunctions + "sign", As: "torch.sign", Args: "input=x"},
	{Op: chainerFunctions + "cos", As: "torch.cos", Args: "input=x"},
	{Op: chainerFunctions + "cosh", As: "torch.cosh", Args: "input=x"},
	{Op: chainerFunctions + "sinh", As: "torch.sinh", Args: "input=x"},
	{Op: chainerFunctions + "tan", As: "torch.tan", Args: "input=x"},
	{Op: chainerFunctions + "erfc", As: "torch.erfc", Args: "input=x"},
	{Op: chainerFunctions + "erfinv", As: "torch.erfinv", Args: "input=x"},
	{Op: chainerFunctions + "ndtr", As: "torch.special.ndtr", Args: "input=x"},
	{Op: chainerFunctions + "ndtri", As: "torch.special.ndtri", Args: "input=x"},
	{Op: chainerFunctions + "erfcinv", Lower: inDouble(func(c *Call, x V) V { // near 0, 1-x has too few bits in binary32
		return c.erfinv(c.oneMinus(x), c.OutDType(0) == onnx.Double)
	})},
	{Op: chainerFunctions + "expm1", As: "torch.expm1", Args: "input=x"},
	{Op: chainerFunctions + "log1p", As: "torch.log1p", Args: "input=x"},
	{Op: chainerFunctions + "log2", As: "torch.log2", Args: "input=x"},
	{Op: chainerFunctions + "log10", As: "torch.log10", Args: "input=x"},
	{Op: chainerFunctions + "rsqrt", As: "torch.rsqrt", Args: "input=x"},
	{Op: chainerFunctions + "lgamma", As: "torch.lgamma", Args: "input=x"},
	{Op: chainerFunctions + "digamma", As: "torch.digamma", Args: "input=x"},
	{Op: chainerFunctions + "square", As: "torch.square", Args: "input=x"},
	{Op: chainerFunctions + "minimum", As: "torch.minimum", Args: "input=x1 other=x2"},
	{Op: chainerFunctions + "fmod", As: "torch.fmod", Args: "input=x other=divisor"},
	{Op: chainerFunctions + "erfcx " + chainerFunctions + "log_ndtr",
		None: "ONNX has no complementary error function that is precise far from 0"},
	{Op: chainerFunctions + "polygamma", None: "which derivative it is, an element of an array says; digamma has a form"},
	{Op: chainerFunctions + "sparse_matmul", None: "one of its operands is sparse"},
	{Op: chainerFunctions + "zeta", None: "the number of terms depends on the elements"},
	{Op: chainerFunctions + "gaussian", Lower: func(c *Call) {
		mean := c.first()
		eps := V{}
		if c.Has("eps") {
			eps = c.Operand("eps", mean.DType)
		} else {
			eps = c.draw("RandomNormalLike")
		}
		y := c.add(mean, c.mul(c.Op("Exp", In(c.times(c.Operand("ln_var", mean.DType), 0.5))), eps))
		c.Return(c.besides(y, eps)...)
	}},
	{Op: chainerFunctions + "gumbel_softmax", Lower: func(c *Call) {
		x := c.first()
		if c.Rank("log_pi") == 0 {
			c.Return(c.Scalar(x.DType, 1))
			return
		}
		y := c.over(c.add(x, c.gumbel(x.DType)), c.Operand("tau", x.DType))
		c.Return(c.Op("Softmax", In(y), onnx.IntAttr("axis", c.Axis("axis", c.Rank("log_pi")))))
	}},
	{Op: chainerFunctions + "inv " + chainerFunctions + "batch_inv",
		Lower: func(c *Call) { c.Return(c.inverse(c.first(), c.OutType(0).Shape)) }},
	{Op: chainerFunctions + "cholesky", Lower: func(c *Call) { c.Return(c.cholesky(c.first(), c.Type("a").Shape)) }},
	{Op: chainerFunctions + "identity", Lower: func(c *Call) { c.Return(c.List("inputs")...) }},
	{Op: chainerFunctions + "copy " + chainerVariable + "__pos__", Lower: func(c *Call) { c.Return(c.first()) }},
	{Op: chainerFunctions + "cast", Lower: func(c *Call) { c.Return(c.first()) }},
	{Op: chainerVariable + "__neg__", Lower: func(c *Call) { c.Return(c.neg(c.first())) }},
	{Op: chainerFunctions + "add", Lower: func(c *Call) {
		list := c.List("xs")
		sum := list[0]
		for _, x := range list[1:] {
			sum = c.add(sum, x)
		}
		c.Return(sum)
	}},
	{Op: chainerFunctions + "linear_interpolate", Lower: func(c *Call) {
		p := c.Tensor("p")
		c.Return(c.add(c.mul(p, c.Tensor("x")), c.mul(c.oneMinus(p), c.Tensor("y"))))
	}},
	{Op: chainerFunctions + "selu", Lower: func(c *Call) {
		x := c.first()
		below := c.times(c.plus(c.Op("Exp", In(x)), -1), c.Float("alpha"))
		c.Return(c.times(c.either(c.negative(x), below, x), c.Float("scale")))
	}},
	{Op: chainerFunctions + "crelu", Lower: func(c *Call) {
		x := c.first()
		c.Return(c.Concat(c.Axis("axis", c.Rank("x")), c.Op("Relu", In(x)), c.Op("Relu", In(c.neg(x)))))
	}},
	{Op: chainerFunctions + "prelu", Lower: func(c *Call) {
		x := c.first()
		c.Return(c.either(c.negative(x), c.mul(x, c.besideBatch("W")), x))
	}},
	{Op: chainerFunctions + "swish", Lower: func(c *Call) {
		x := c.first()
		c.Return(c.mul(x, c.Op("Sigmoid", In(c.mul(x, c.besideBatch("beta"))))))
	}},
	{Op: chainerFunctions + "min", As: "torch.amin", Args: "input=x dim=axis keepdim=keepdims"},
	{Op: chainerFunctions + "prod", Lower: chainerReduce("ReduceProd")},
	{Op: chainerFunctions + "logsumexp", As: "torch.logsumexp", Args: "input=x dim=axis"},
	{Op: chainerFunctions + "average " + chainerVariable + "mean", Lower: average},
	{Op: chainerFunctions + "argmax", Lower: chainerArg("ArgMax")},
	{Op: chainerFunctions + "argmin", Lower: chainerArg("ArgMin")},
	{Op: chainerFunctions + "cumsum", Lower: func(c *Call) {
		x, rank, axis := c.scanned()
		c.Return(c.cumsum(x, rank, axis))
	}},
	{Op: chainerFunctions + "cumprod", Lower: chainerCumprod},
	{Op: chainerFunctions + "batch_l2_norm_squared", Lower: func(c *Call) {
		x := c.Op("Flatten", In(c.first()), onnx.IntAttr("axis", 1))
		c.Return(c.Reduce("ReduceSum", c.mul(x, x), false, 1))
	}},
	{Op: chainerFunctions + "sum_to", Lower: adapt(sumToSize, "torch.Tensor.sum_to_size", "self=x")},
	{Op: chainerFunctions + "matmul " + chainerFunctions + "batch_matmul", Lower: chainerMatMul},
	{Op: chainerVariable + "__matmul__", Lower: func(c *Call) { c.Return(c.matMul(c.first(), c.Operand("other", c.OutDType(0)))) }},
	{Op: chainerVariable + "__rmatmul__", Lower: func(c *Call) { c.Return(c.matMul(c.Operand("other", c.OutDType(0)), c.first())) }},
	{Op: chainerFunctions + "tensordot", As: "torch.tensordot", Args: "a=a b=b dims=axes"},
	{Op: chainerFunctions + "einsum", Lower: einsum},
	{Op: chainerFunctions + "det " + chainerFunctions + "batch_det", Lower: func(c *Call) { c.Return(c.Op("Det", In(c.first()))) }},
	{Op: chainerFunctions + "bilinear", Lower: chainerBilinear},
}

// besideBatch is a tensor argument whose dimensions are those of the first argument after the batch, as many as it has.
func (c *Call) besideBatch(name string) V {
	w, rank := c.Tensor(name), c.Rank(name)
	if missing := c.Rank("x") - 1 - rank; rank > 0 && missing > 0 {
		axes := make([]int64, missing)
		for i := range axes {
			axes[i] = int64(rank + i)
		}
		return c.Unsqueeze(w, axes...)
	}
	return w
}

// chainerReduce lowers a reduction of x along axis to one operator.
func chainerReduce(op string) func(c *Call) {
	return func(c *Call) {
		c.Return(c.Reduce(op, c.first(), c.Bool("keepdims"), c.Axes("axis", c.Rank("x"))...))
	}
}

// average is the mean along axes, where weights are given a weighted one. A vector of weights lies along its axis.
func average(c *Call) {
	x, rank := c.first(), c.Rank("x")
	axes, keep := c.Axes("axis", rank), c.Bool("keepdims")
	if !c.Has("weights") {
		c.Return(c.meanOf(x, axes, keep))
		return
	}
	w := c.Operand("weights", x.DType)
	if c.Has("axis") {
		var others []int64
		for i := range int64(rank) {
			if !slices.Contains(axes, i) {
				others = append(others, i)
			}
		}
		if len(others) > 0 {
			w = c.Unsqueeze(w, others...)
		}
	}
	sum := c.Reduce("ReduceSum", c.mul(x, w), keep, axes...)
	c.Return(c.over(sum, c.Reduce("ReduceSum", c.flat(w), false, 0)))
}

// chainerArg lowers the place of an extreme, of the flattened array where there is no axis.
func chainerArg(op string) func(c *Call) {
	return func(c *Call) {
		c.rename("torch."+map[string]string{"ArgMax": "argmax", "ArgMin": "argmin"}[op], "input=x dim=axis")
		arg(op)(c)
		c.Return(c.Cast(c.outs[0], c.OutDType(0)))
	}
}

// scanned is what cumulative functions go along: without an axis the flattened array.
func (c *Call) scanned() (x V, rank int, axis int64) {
	x, rank = c.first(), c.Rank("x")
	if !c.Has("axis") {
		return c.flat(x), 1, 0
	}
	return x, rank, c.Axis("axis", rank)
}

// chainerCumprod multiplies along an axis; a flattened array is one row of the rank of the input.
func chainerCumprod(c *Call) {
	c.rename("torch.cumprod", "input=x dim=axis")
	x, rank := c.first(), c.Rank("input")
	axis, flat := int64(rank-1), !c.Has("dim") && rank > 1
	switch {
	case flat:
		x = c.Op("Reshape", In(x, c.I64(append(ones(rank-1), -1)...)))
	case c.Has("dim"):
		axis = c.Axis("dim", rank)
	}
	y := c.scan(x, axis, []V{c.Scalar(x.DType, 1)}, 1, func(s *Call, state []V, at V) []V { return In(s.mul(state[0], at)) })[0]
	if flat {
		y = c.flat(y)
	}
	c.Return(y)
}

// chainerMatMul multiplies matrices, either transposed; a vector is not. In batches a vector is a column.
func chainerMatMul(c *Call) {
	operand := func(name, flag string) V {
		x, rank := c.Operand(name, c.OutDType(0)), c.Rank(name)
		if c.Node.Op == chainerFunctions+"batch_matmul" && rank != 3 {
			if rank != 2 {
				c.Failf("%s has %d dimensions", name, rank)
			}
			x, rank = c.Unsqueeze(x, 2), 3
		}
		if c.Bool(flag) {
			x = c.swapLast(x, rank)
		}
		return x
	}
	c.Return(c.matMul(operand("a", "transa"), operand("b", "transb")))
}

// chainerBilinear is e1·W[:, :, k]·e2 for each k, with the products of each of the two; they are matrices or become such.
func chainerBilinear(c *Call) {
	flat := func(name string) V {
		x := c.Tensor(name)
		if c.Rank(name) == 2 {
			return x
		}
		return c.Op("Flatten", In(x), onnx.IntAttr("axis", 1))
	}
	e1, e2 := flat("e1"), flat("e2")
	y := c.Op("Einsum", In(e1, e2, c.Tensor("W")), onnx.StringAttr("equation", "ij,ik,jkl->il"))
	if c.Has("V1") {
		y = c.add(c.add(y, c.matMul(e1, c.Tensor("V1"))), c.matMul(e2, c.Tensor("V2")))
	}
	if c.Has("b") {
		y = c.add(y, c.Tensor("b"))
	}
	c.Return(y)
}

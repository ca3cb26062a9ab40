package aten

// This file lowers Chainer's element-wise functions, reductions and products.
//
// Chainer was PyTorch's ancestor in style, so that most functions are PyTorch's under another
// name: those records name the function (As) and how arguments are renamed (Args). What is
// written out has another definition there, such as broadcasting behind the batch.

import (
	"slices"

	"shapecheck/onnx"
)

var chainerMathRecords = []Record{
	{Op: chainerFunctions + "fft", Lower: func(c *Call) { // and ifft, which shares the record
		e := c.emit
		d, rank := c.OutDType(0), int64(c.OutRank(0))
		var parts []V
		for _, o := range c.Items("x") {
			parts = append(parts, e.Unsqueeze(c.data(o, d), rank))
		}
		n := e.dimSize(parts[0], rank-1)
		y := e.dft(e.Concat(rank, parts...), rank-1, n, "backward", lastName(c.Node.Called) == "ifft", false)
		c.Return(e.partOf(y, 0), e.partOf(y, 1))
	}},
	{Op: chainerFunctions + "absolute", As: "torch.abs", Args: "input=self"},
	{Op: chainerFunctions + "arccos", As: "torch.acos", Args: "input=x"},
	{Op: chainerFunctions + "arcsin", As: "torch.asin", Args: "input=x"},
	{Op: chainerFunctions + "arctan", As: "torch.atan", Args: "input=x"},
	{Op: chainerFunctions + "arctanh", As: "torch.atanh", Args: "input=x"},
	{Op: chainerFunctions + "arctan2", As: "torch.atan2", Args: "input=x1 other=x2"},
	{Op: chainerFunctions + "ceil", Lower: func(c *Call) { // and floor and fix, which share a record
		e := c.emit
		x := c.first()
		switch name := lastName(c.Node.Called); {
		case !isFloat(x.DType): // whole numbers stay
			c.Return(x)
		case name == "ceil":
			c.Return(e.Op("Ceil", In(x)))
		case name == "floor":
			c.Return(e.Op("Floor", In(x)))
		default:
			c.Return(e.truncate(x))
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
	{Op: chainerFunctions + "erfcinv", Lower: func(c *Call) { // near 0, 1-x has too few bits in binary32
		refined := c.OutDType(0) == onnx.Double
		inDouble(func(e *Emitter, x V) V { return e.erfinv(e.oneMinus(x), refined) })(c)
	}},
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
		e := c.emit
		mean := c.first()
		eps := V{}
		if c.Has("eps") {
			eps = c.Operand("eps", mean.DType)
		} else {
			eps = c.draw("RandomNormalLike")
		}
		y := e.add(mean, e.mul(e.Op("Exp", In(e.times(c.Operand("ln_var", mean.DType), 0.5))), eps))
		c.Return(c.besides(y, eps)...)
	}},
	{Op: chainerFunctions + "gumbel_softmax", Lower: func(c *Call) {
		e := c.emit
		x := c.first()
		if c.Rank("log_pi") == 0 {
			c.Return(e.Scalar(x.DType, 1))
			return
		}
		y := e.over(e.add(x, c.gumbel(x.DType)), c.Operand("tau", x.DType))
		c.Return(e.Op("Softmax", In(y), onnx.IntAttr("axis", c.Axis("axis", c.Rank("log_pi")))))
	}},
	{Op: chainerFunctions + "inv " + chainerFunctions + "batch_inv",
		Lower: func(c *Call) { c.Return(c.emit.inverse(c.first(), c.OutType(0).Shape)) }},
	{Op: chainerFunctions + "cholesky", Lower: func(c *Call) { c.Return(c.emit.cholesky(c.first(), c.Type("a").Shape)) }},
	{Op: chainerFunctions + "identity", Lower: func(c *Call) { c.Return(c.List("inputs")...) }},
	{Op: chainerFunctions + "copy " + chainerVariable + "__pos__", Lower: func(c *Call) { c.Return(c.first()) }},
	{Op: chainerFunctions + "cast", Lower: func(c *Call) { c.Return(c.first()) }},
	{Op: chainerVariable + "__neg__", Lower: func(c *Call) { c.Return(c.emit.neg(c.first())) }},
	{Op: chainerFunctions + "add", Lower: func(c *Call) {
		list := c.List("xs")
		sum := list[0]
		for _, x := range list[1:] {
			sum = c.emit.add(sum, x)
		}
		c.Return(sum)
	}},
	{Op: chainerFunctions + "linear_interpolate", Lower: func(c *Call) {
		e := c.emit
		p := c.Tensor("p")
		c.Return(e.add(e.mul(p, c.Tensor("x")), e.mul(e.oneMinus(p), c.Tensor("y"))))
	}},
	{Op: chainerFunctions + "selu", Lower: func(c *Call) {
		e := c.emit
		x := c.first()
		below := e.times(e.plus(e.Op("Exp", In(x)), -1), c.Float("alpha"))
		c.Return(e.times(e.either(e.negative(x), below, x), c.Float("scale")))
	}},
	{Op: chainerFunctions + "crelu", Lower: func(c *Call) {
		e := c.emit
		x := c.first()
		c.Return(e.Concat(c.Axis("axis", c.Rank("x")), e.Op("Relu", In(x)), e.Op("Relu", In(e.neg(x)))))
	}},
	{Op: chainerFunctions + "prelu", Lower: func(c *Call) {
		e := c.emit
		x := c.first()
		c.Return(e.either(e.negative(x), e.mul(x, c.besideBatch("W")), x))
	}},
	{Op: chainerFunctions + "swish", Lower: func(c *Call) {
		e := c.emit
		x := c.first()
		c.Return(e.mul(x, e.Op("Sigmoid", In(e.mul(x, c.besideBatch("beta"))))))
	}},
	{Op: chainerFunctions + "min", As: "torch.amin", Args: "input=x dim=axis keepdim=keepdims"},
	{Op: chainerFunctions + "prod", Lower: chainerReduce("ReduceProd")},
	{Op: chainerFunctions + "logsumexp", As: "torch.logsumexp", Args: "input=x dim=axis"},
	{Op: chainerFunctions + "average " + chainerVariable + "mean", Lower: average},
	{Op: chainerFunctions + "argmax", Lower: chainerArg("ArgMax")},
	{Op: chainerFunctions + "argmin", Lower: chainerArg("ArgMin")},
	{Op: chainerFunctions + "cumsum", Lower: func(c *Call) {
		x, rank, axis := c.scanned()
		c.Return(c.emit.cumsum(x, rank, axis))
	}},
	{Op: chainerFunctions + "cumprod", Lower: chainerCumprod},
	{Op: chainerFunctions + "batch_l2_norm_squared", Lower: func(c *Call) {
		e := c.emit
		x := e.Op("Flatten", In(c.first()), onnx.IntAttr("axis", 1))
		c.Return(e.Reduce("ReduceSum", e.mul(x, x), false, 1))
	}},
	{Op: chainerFunctions + "sum_to", Lower: adapt(sumToSize, "torch.Tensor.sum_to_size", "self=x")},
	{Op: chainerFunctions + "matmul " + chainerFunctions + "batch_matmul", Lower: chainerMatMul},
	{Op: chainerVariable + "__matmul__", Lower: func(c *Call) { c.Return(c.emit.matMul(c.first(), c.Operand("other", c.OutDType(0)))) }},
	{Op: chainerVariable + "__rmatmul__", Lower: func(c *Call) { c.Return(c.emit.matMul(c.Operand("other", c.OutDType(0)), c.first())) }},
	{Op: chainerFunctions + "tensordot", As: "torch.tensordot", Args: "a=a b=b dims=axes"},
	{Op: chainerFunctions + "einsum", Lower: einsum},
	{Op: chainerFunctions + "det " + chainerFunctions + "batch_det", Lower: func(c *Call) { c.Return(c.emit.Op("Det", In(c.first()))) }},
	{Op: chainerFunctions + "bilinear", Lower: chainerBilinear},
}

// besideBatch is a tensor argument whose dimensions are those of the first argument after the
// batch, as many as it has. Ones are appended behind the dimensions that it has.
func (c *Call) besideBatch(name string) V {
	w, rank := c.Tensor(name), c.Rank(name)
	if missing := c.Rank("x") - 1 - rank; rank > 0 && missing > 0 {
		axes := make([]int64, missing)
		for i := range axes {
			axes[i] = int64(rank + i)
		}
		return c.emit.Unsqueeze(w, axes...)
	}
	return w
}

// chainerReduce lowers a reduction of x along axis to one operator. All axes are reduced without
// axis.
func chainerReduce(op string) func(c *Call) {
	return func(c *Call) {
		c.Return(c.emit.Reduce(op, c.first(), c.Bool("keepdims"), c.Axes("axis", c.Rank("x"))...))
	}
}

// average is the mean along axes, where weights are given a weighted one. A vector of weights
// lies along its axis. It is Σ w·x / Σ w, where the weights have the shape of the axes.
func average(c *Call) {
	e := c.emit
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
			w = e.Unsqueeze(w, others...)
		}
	}
	sum := e.Reduce("ReduceSum", e.mul(x, w), keep, axes...)
	c.Return(e.over(sum, e.Reduce("ReduceSum", e.flat(w), false, 0)))
}

// chainerArg lowers the place of an extreme, of the flattened array where there is no axis. The
// first extreme wins, and the result has the element type that Chainer gives it.
func chainerArg(op string) func(c *Call) {
	return func(c *Call) {
		c.rename("torch."+map[string]string{"ArgMax": "argmax", "ArgMin": "argmin"}[op], "input=x dim=axis")
		arg(op)(c)
		c.Return(c.emit.Cast(c.outs[0], c.OutDType(0)))
	}
}

// scanned is what cumulative functions go along: without an axis the flattened array. rank is the
// number of dimensions of x as it is returned.
func (c *Call) scanned() (x V, rank int, axis int64) {
	x, rank = c.first(), c.Rank("x")
	if !c.Has("axis") {
		return c.emit.flat(x), 1, 0
	}
	return x, rank, c.Axis("axis", rank)
}

// chainerCumprod multiplies along an axis; a flattened array is one row of the rank of the input.
func chainerCumprod(c *Call) {
	e := c.emit
	c.rename("torch.cumprod", "input=x dim=axis")
	x, rank := c.first(), c.Rank("input")
	axis, flat := int64(rank-1), !c.Has("dim") && rank > 1
	switch {
	case flat:
		x = e.Op("Reshape", In(x, e.I64(append(ones(rank-1), -1)...)))
	case c.Has("dim"):
		axis = c.Axis("dim", rank)
	}
	y := c.scan(x, axis, []V{e.Scalar(x.DType, 1)}, 1, func(s *Emitter, state []V, at V) []V { return In(s.mul(state[0], at)) })[0]
	if flat {
		y = e.flat(y)
	}
	c.Return(y)
}

// chainerMatMul multiplies matrices, either transposed; a vector is not. In batches a vector is a
// column. swapLast leaves a vector as it is.
func chainerMatMul(c *Call) {
	e := c.emit
	operand := func(name, flag string) V {
		x, rank := c.Operand(name, c.OutDType(0)), c.Rank(name)
		if c.Node.Op == chainerFunctions+"batch_matmul" && rank != 3 {
			if rank != 2 {
				failf("%s has %d dimensions", name, rank)
			}
			x, rank = e.Unsqueeze(x, 2), 3
		}
		if c.Bool(flag) {
			x = e.swapLast(x, rank)
		}
		return x
	}
	c.Return(e.matMul(operand("a", "transa"), operand("b", "transb")))
}

// chainerBilinear is e1·W[:, :, k]·e2 for each k, with the products of each of the two; they are
// matrices or become such. The term e1·V1 + e2·V2 and the bias b are optional; V1 and V2 come
// together.
func chainerBilinear(c *Call) {
	e := c.emit
	flat := func(name string) V {
		x := c.Tensor(name)
		if c.Rank(name) == 2 {
			return x
		}
		return e.Op("Flatten", In(x), onnx.IntAttr("axis", 1))
	}
	e1, e2 := flat("e1"), flat("e2")
	y := e.Op("Einsum", In(e1, e2, c.Tensor("W")), onnx.StringAttr("equation", "ij,ik,jkl->il"))
	if c.Has("V1") {
		y = e.add(e.add(y, e.matMul(e1, c.Tensor("V1"))), e.matMul(e2, c.Tensor("V2")))
	}
	if c.Has("b") {
		y = e.add(y, c.Tensor("b"))
	}
	c.Return(y)
}

package aten

// This file lowers reductions.
//
// The element type in which a reduction runs is not always that of its result: workType gives a
// type for which runtimes have a kernel, and bools are counted as int32. PyTorch's rules for the
// result's type (integers are summed in int64) are inferred before and arrive as OutDType.

import (
	"math"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
	"shapecheck/symshape"
)

var reduceRecords = []Record{
	{Op: "torch.sum", Lower: reduction("ReduceSum")},
	{Op: "torch.mean", Lower: mean},
	{Op: "torch.prod", Lower: reduction("ReduceProd")},
	{Op: "torch.amax", Lower: reduction("ReduceMax")},
	{Op: "torch.amin", Lower: reduction("ReduceMin")},
	{Op: "torch.nansum", Lower: nanSum},
	{Op: "torch.nanmean", Lower: nanMean},
	{Op: "torch.any", Lower: anyAll(false)},
	{Op: "torch.all", Lower: anyAll(true)},
	{Op: "torch.argmax", Lower: arg("ArgMax")},
	{Op: "torch.argmin", Lower: arg("ArgMin")},
	{Op: "torch.max", Lower: maxMin("Max")},
	{Op: "torch.min", Lower: maxMin("Min")},
	{Op: "torch.aminmax", Lower: aminmax},
	{Op: "torch.std", Lower: variance(true, false)},
	{Op: "torch.var", Lower: variance(false, false)},
	{Op: "torch.std_mean", Lower: variance(true, true)},
	{Op: "torch.var_mean", Lower: variance(false, true)},
	{Op: "torch.logsumexp", Lower: reduction("ReduceLogSumExp")},
	{Op: "torch.count_nonzero", Lower: func(c *Call) {
		x := c.emit.Cast(c.emit.Cast(c.Tensor("input"), onnx.Bool), onnx.Int64)
		c.Return(c.reduceDims("ReduceSum", x, c.Axes("dim", c.Rank("input")), false))
	}},
	{Op: "torch.linalg.vector_norm", Lower: func(c *Call) {
		c.Return(c.vectorNorm(c.first(), c.Float("ord"), c.Axes("dim", c.Rank("self")), c.Bool("keepdim")))
	}},
	{Op: "torch.norm", Lower: norm},
	{Op: "torch.frobenius_norm", Lower: func(c *Call) {
		name := c.Node.Args[0].Name
		c.Return(c.vectorNorm(c.first(), 2, c.Axes("dim", c.Rank(name)), c.Bool("keepdim")))
	}},
	{Op: "torch.dist", Lower: func(c *Call) {
		e := c.emit
		d := c.OutDType(0)
		diff := e.Op("Sub", In(c.Operand("input", d), c.Operand("other", d)))
		flat := e.Op("Reshape", In(diff, e.I64(-1)))
		c.Return(e.normOf(flat, c.Float("p"), func(op string, x V) V { return e.Reduce(op, x, false, 0) }))
	}},
}

// reduction lowers to one operator over dim, in the result's element type. It fails for a bool
// result of anything but max and min, which has no meaning.
func reduction(op string) func(c *Call) {
	return func(c *Call) {
		out := c.OutDType(0)
		d := workType(out)
		axes := c.Axes("dim", c.Rank("input"))
		x := c.Tensor("input")
		if out == onnx.Bool {
			switch op {
			case "ReduceMax", "ReduceMin":
				d = onnx.Int32
			default:
				failf("a bool result of %s", op)
			}
		}
		c.Return(c.emit.Cast(c.reduceDims(op, c.emit.Cast(x, d), axes, c.Bool("keepdim")), out))
	}
}

// mean is the mean over dim, or over all without it.
func mean(c *Call) {
	c.Return(c.meanOf(c.first(), c.Axes("dim", c.Rank("input")), c.Bool("keepdim")))
}

// meanOf is the mean over axes: of no elements NaN, where runtimes have 0. It is written as a
// quotient of sums, 0/0, where the axes may be empty, and as ReduceMean everywhere else, which
// runtimes have a kernel for.
func (c *Call) meanOf(x V, axes []int64, keep bool) V {
	if !c.mayBeEmpty(axes) {
		return c.reduceDims("ReduceMean", x, axes, keep)
	}
	return c.emit.over(c.reduceDims("ReduceSum", x, axes, keep), c.reduceDims("ReduceSum", c.emit.likeOf(x, 1), axes, keep))
}

// mayBeEmpty reports whether the first argument has no elements along axes, or data decide how
// many. Sizes of inputs are taken as not empty; sizes that only the run knows, such as the number
// of elements that a mask selects, may be.
func (c *Call) mayBeEmpty(axes []int64) bool {
	v, ok := c.Node.Args[0].Value.(*graph.Value)
	if !ok || !v.Type.Ranked {
		return true
	}
	for _, a := range axes {
		if int(a) >= len(v.Type.Shape) {
			continue
		}
		e := v.Type.Shape[a].Expr
		if e == nil || e.IsConst(0) {
			return true
		}
		if lo, _ := e.Bounds(); lo < 1 && slices.ContainsFunc(e.Symbols(), (*symshape.Expr).IsFresh) {
			return true
		}
	}
	return false
}

// reduceDims reduces; of a tensor without dimensions the result is the value
// itself, as the reduction of one element. The rank is that of the node's first argument, of
// which x is some form.
func (c *Call) reduceDims(op string, x V, axes []int64, keep bool) V {
	rank := -1
	if v, ok := c.Node.Args[0].Value.(*graph.Value); ok {
		rank = v.Type.Rank()
	}
	if rank == 0 {
		return c.emit.Op("Identity", In(x))
	}
	return c.emit.Reduce(op, x, keep, axes...)
}

// notNaN puts zeros in the place of NaNs and says where numbers are. is has 1 and 0 in x's type,
// so that its sum is the number of numbers.
func (e *Emitter) notNaN(x V) (clean, is V) {
	nan := e.Op("IsNaN", In(x))
	return e.Op("Where", In(nan, e.Scalar(x.DType, 0), x)), e.Cast(e.Op("Not", In(nan)), x.DType)
}

// nanSum takes NaN as 0.
func nanSum(c *Call) {
	x := c.first()
	if !isFloat(x.DType) {
		reduction("ReduceSum")(c)
		return
	}
	clean, _ := c.emit.notNaN(x)
	c.Return(c.reduceDims("ReduceSum", clean, c.Axes("dim", c.Rank("input")), c.Bool("keepdim")))
}

// nanMean divides by the number of elements that are no NaN.
func nanMean(c *Call) {
	clean, is := c.emit.notNaN(c.first())
	axes, keep := c.Axes("dim", c.Rank("input")), c.Bool("keepdim")
	c.Return(c.emit.Op("Div", In(c.reduceDims("ReduceSum", clean, axes, keep), c.reduceDims("ReduceSum", is, axes, keep))))
}

// anyAll counts the elements that are true, or for all those that are not: of no
// elements the count is 0. By De Morgan's law all is "none is not". A count works for empty axes,
// where a maximum would have no element.
func anyAll(all bool) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		not := func(v V) V {
			if all {
				return e.Op("Not", In(v))
			}
			return v
		}
		x := e.Cast(not(e.Cast(c.Tensor("input"), onnx.Bool)), onnx.Int32)
		count := c.reduceDims("ReduceSum", x, c.Axes("dim", c.Rank("input")), c.Bool("keepdim"))
		c.Return(e.Cast(not(e.Cast(count, onnx.Bool)), c.OutDType(0)))
	}
}

// arg gives the position of the first extreme; without dim in the flattened
// tensor. int64 is compared as float64 and so exactly only up to 2⁵³.
func arg(op string) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		x, rank := c.Tensor("input"), c.Rank("input")
		x = e.Cast(x, workType(x.DType))
		if x.DType == onnx.Bool {
			x = e.Cast(x, onnx.Int32)
		}
		if x.DType == onnx.Int64 { // some runtimes have no kernel for it
			x = e.Cast(x, onnx.Double)
		}
		keep := boolAttr("keepdims", c.Bool("keepdim"))
		switch {
		case rank == 0:
			c.Return(e.I64Scalar(0))
		case !c.Has("dim"):
			flat := e.Op("Reshape", In(x, e.I64(-1)))
			v := e.Op(op, In(flat), onnx.IntAttr("axis", 0), onnx.IntAttr("keepdims", 0))
			if c.Bool("keepdim") {
				v = e.Op("Reshape", In(v, e.I64(ones(rank)...)))
			}
			c.Return(v)
		default:
			c.Return(e.Op(op, In(x), onnx.IntAttr("axis", c.Axis("dim", rank)), keep))
		}
	}
}

// boolAttr is a flag of ONNX, an integer of 0 or 1.
func boolAttr(name string, b bool) *onnx.Attr {
	if b {
		return onnx.IntAttr(name, 1)
	}
	return onnx.IntAttr(name, 0)
}

// maxMin lowers the three forms of max and min: of all elements, of two tensors,
// and along a dimension with indices. The values and the places of the last form are two
// operators, as ONNX has none that gives both.
func maxMin(op string) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		switch {
		case c.Has("other"):
			extreme(op)(c)
		case !c.Has("dim"):
			reduction("Reduce" + op)(c)
		default:
			out, rank := c.OutDType(0), c.Rank("input")
			x := e.Cast(c.Tensor("input"), workType(out))
			if out == onnx.Bool {
				x = e.Cast(x, onnx.Int32)
			}
			if rank == 0 {
				c.Return(e.Cast(x, out), e.I64Scalar(0))
				return
			}
			axis, keep := c.Axis("dim", rank), c.Bool("keepdim")
			y := x
			if y.DType == onnx.Int64 {
				y = e.Cast(y, onnx.Double)
			}
			index := e.Op("Arg"+op, In(y), onnx.IntAttr("axis", axis), boolAttr("keepdims", keep))
			c.Return(e.Cast(e.Reduce("Reduce"+op, x, keep, axis), out), index)
		}
	}
}

// aminmax gives the least and the greatest element along dim, or of all.
func aminmax(c *Call) {
	e := c.emit
	out := c.OutDType(0)
	rank := c.Rank("input")
	x, axes, keep := e.Cast(c.Tensor("input"), workType(out)), c.Axes("dim", rank), c.Bool("keepdim")
	if rank == 0 && c.OutRank(0) == 1 { // with keepdim it gains a dimension
		x = e.Unsqueeze(x, 0)
	}
	if out == onnx.Bool {
		x = e.Cast(x, onnx.Int32)
	}
	c.Return(e.Cast(c.reduceDims("ReduceMin", x, axes, keep), out), e.Cast(c.reduceDims("ReduceMax", x, axes, keep), out))
}

// variance divides the sum of squared differences by the number of elements less
// the correction, but not by less than nothing. root takes the square root and withMean returns
// the mean as well. correction is 1 by default (Bessel's), and 0 for unbiased=False. The sum is
// of squared differences from the mean, the two-pass formula: E[x²] - E[x]² would lose all digits
// for a large mean. A divisor of 0 gives NaN or infinity, like PyTorch.
func variance(root, withMean bool) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		x, rank := c.first(), c.Rank("input")
		axes, keep := c.Axes("dim", rank), c.Bool("keepdim")
		correction := 1.0
		switch {
		case c.Has("correction"):
			correction = c.Float("correction")
		case c.Has("unbiased") && !c.Bool("unbiased"):
			correction = 0
		}
		mean := c.reduceDims("ReduceMean", x, axes, true)
		diff := e.Op("Sub", In(x, mean))
		sum := c.reduceDims("ReduceSum", e.mul(diff, diff), axes, keep)
		one := e.likeOf(x, 1)
		count := c.reduceDims("ReduceSum", one, axes, keep)
		free := e.Op("Max", In(e.Op("Sub", In(count, e.Scalar(x.DType, correction))), e.Scalar(x.DType, 0)))
		v := e.Op("Div", In(sum, free))
		if root {
			v = e.Op("Sqrt", In(v))
		}
		if !withMean {
			c.Return(v)
			return
		}
		c.Return(v, c.meanOf(x, axes, keep))
	}
}

// vectorNorm is the p-norm over axes.
func (c *Call) vectorNorm(x V, p float64, axes []int64, keep bool) V {
	return c.emit.normOf(x, p, func(op string, x V) V { return c.reduceDims(op, x, axes, keep) })
}

// normOf is (Σ|x|^p)^(1/p), with the limits for 0 and the infinities. p = 0 counts the elements
// that are not zero; ±∞ are the largest and the least absolute value. 1 and 2 have forms without
// powers. reduce is given the operator, so that callers decide over axes.
func (e *Emitter) normOf(x V, p float64, reduce func(op string, x V) V) V {
	abs := func() V { return e.Op("Abs", In(x)) }
	switch {
	case p == 0:
		return reduce("ReduceSum", e.Cast(e.Cast(x, onnx.Bool), x.DType))
	case math.IsInf(p, 1):
		return reduce("ReduceMax", abs())
	case math.IsInf(p, -1):
		return reduce("ReduceMin", abs())
	case p == 1:
		return reduce("ReduceSum", abs())
	case p == 2:
		return e.Op("Sqrt", In(reduce("ReduceSum", e.mul(x, x))))
	}
	sum := reduce("ReduceSum", e.Op("Pow", In(abs(), e.Scalar(x.DType, p))))
	return e.Op("Pow", In(sum, e.Scalar(x.DType, 1/p)))
}

// norm is the norm of the elements along dim, whatever their arrangement, but for
// the nuclear norm. It fails for the nuclear norm.
func norm(c *Call) {
	p := 2.0
	switch s, isStr := c.Arg("p").(graph.Str); {
	case isStr && s == "nuc":
		failf("the nuclear norm needs singular values")
	case !isStr && c.Has("p"):
		p = c.Float("p")
	}
	d := c.OutDType(0) // out= may be of integers
	if !isFloat(d) {
		d = c.DType("input")
	}
	x := c.emit.Cast(c.Tensor("input"), d)
	c.Return(c.emit.Cast(c.vectorNorm(x, p, c.Axes("dim", c.Rank("input")), c.Bool("keepdim")), c.OutDType(0)))
}

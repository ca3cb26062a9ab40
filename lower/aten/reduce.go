package aten

// This file lowers reductions.

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
		x := c.Cast(c.Cast(c.Tensor("input"), onnx.Bool), onnx.Int64)
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
		d := c.OutDType(0)
		diff := c.Op("Sub", In(c.Operand("input", d), c.Operand("other", d)))
		flat := c.Op("Reshape", In(diff, c.I64(-1)))
		c.Return(c.normOf(flat, c.Float("p"), func(op string, x V) V { return c.Reduce(op, x, false, 0) }))
	}},
}

// reduction lowers to one operator over dim, in the result's element type.
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
				c.Failf("a bool result of %s", op)
			}
		}
		c.Return(c.Cast(c.reduceDims(op, c.Cast(x, d), axes, c.Bool("keepdim")), out))
	}
}

func mean(c *Call) {
	c.Return(c.meanOf(c.first(), c.Axes("dim", c.Rank("input")), c.Bool("keepdim")))
}

// meanOf is the mean over axes: of no elements NaN, where runtimes have 0.
func (c *Call) meanOf(x V, axes []int64, keep bool) V {
	if !c.mayBeEmpty(axes) {
		return c.reduceDims("ReduceMean", x, axes, keep)
	}
	return c.over(c.reduceDims("ReduceSum", x, axes, keep), c.reduceDims("ReduceSum", c.likeOf(x, 1), axes, keep))
}

// mayBeEmpty reports whether the first argument has no elements along axes, or data
// decide how many.
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
// itself, as the reduction of one element.
func (c *Call) reduceDims(op string, x V, axes []int64, keep bool) V {
	rank := -1
	if v, ok := c.Node.Args[0].Value.(*graph.Value); ok {
		rank = v.Type.Rank()
	}
	if rank == 0 {
		return c.Op("Identity", In(x))
	}
	return c.Reduce(op, x, keep, axes...)
}

// notNaN puts zeros in the place of NaNs and says where numbers are.
func (c *Call) notNaN(x V) (clean, is V) {
	nan := c.Op("IsNaN", In(x))
	return c.Op("Where", In(nan, c.Scalar(x.DType, 0), x)), c.Cast(c.Op("Not", In(nan)), x.DType)
}

func nanSum(c *Call) {
	x := c.first()
	if !isFloat(x.DType) {
		reduction("ReduceSum")(c)
		return
	}
	clean, _ := c.notNaN(x)
	c.Return(c.reduceDims("ReduceSum", clean, c.Axes("dim", c.Rank("input")), c.Bool("keepdim")))
}

func nanMean(c *Call) {
	clean, is := c.notNaN(c.first())
	axes, keep := c.Axes("dim", c.Rank("input")), c.Bool("keepdim")
	c.Return(c.Op("Div", In(c.reduceDims("ReduceSum", clean, axes, keep), c.reduceDims("ReduceSum", is, axes, keep))))
}

// anyAll counts the elements that are true, or for all those that are not: of no
// elements the count is 0.
func anyAll(all bool) func(c *Call) {
	return func(c *Call) {
		not := func(v V) V {
			if all {
				return c.Op("Not", In(v))
			}
			return v
		}
		x := c.Cast(not(c.Cast(c.Tensor("input"), onnx.Bool)), onnx.Int32)
		count := c.reduceDims("ReduceSum", x, c.Axes("dim", c.Rank("input")), c.Bool("keepdim"))
		c.Return(c.Cast(not(c.Cast(count, onnx.Bool)), c.OutDType(0)))
	}
}

// arg gives the position of the first extreme; without dim in the flattened
// tensor.
func arg(op string) func(c *Call) {
	return func(c *Call) {
		x, rank := c.Tensor("input"), c.Rank("input")
		x = c.Cast(x, workType(x.DType))
		if x.DType == onnx.Bool {
			x = c.Cast(x, onnx.Int32)
		}
		if x.DType == onnx.Int64 { // some runtimes have no kernel for it
			x = c.Cast(x, onnx.Double)
		}
		keep := boolAttr("keepdims", c.Bool("keepdim"))
		switch {
		case rank == 0:
			c.Return(c.I64Scalar(0))
		case !c.Has("dim"):
			flat := c.Op("Reshape", In(x, c.I64(-1)))
			v := c.Op(op, In(flat), onnx.IntAttr("axis", 0), onnx.IntAttr("keepdims", 0))
			if c.Bool("keepdim") {
				v = c.Op("Reshape", In(v, c.I64(ones(rank)...)))
			}
			c.Return(v)
		default:
			c.Return(c.Op(op, In(x), onnx.IntAttr("axis", c.Axis("dim", rank)), keep))
		}
	}
}

func boolAttr(name string, b bool) *onnx.Attr {
	if b {
		return onnx.IntAttr(name, 1)
	}
	return onnx.IntAttr(name, 0)
}

// maxMin lowers the three forms of max and min: of all elements, of two tensors,
// and along a dimension with indices.
func maxMin(op string) func(c *Call) {
	return func(c *Call) {
		switch {
		case c.Has("other"):
			extreme(op)(c)
		case !c.Has("dim"):
			reduction("Reduce" + op)(c)
		default:
			out, rank := c.OutDType(0), c.Rank("input")
			x := c.Cast(c.Tensor("input"), workType(out))
			if out == onnx.Bool {
				x = c.Cast(x, onnx.Int32)
			}
			if rank == 0 {
				c.Return(c.Cast(x, out), c.I64Scalar(0))
				return
			}
			axis, keep := c.Axis("dim", rank), c.Bool("keepdim")
			y := x
			if y.DType == onnx.Int64 {
				y = c.Cast(y, onnx.Double)
			}
			index := c.Op("Arg"+op, In(y), onnx.IntAttr("axis", axis), boolAttr("keepdims", keep))
			c.Return(c.Cast(c.Reduce("Reduce"+op, x, keep, axis), out), index)
		}
	}
}

func aminmax(c *Call) {
	out := c.OutDType(0)
	rank := c.Rank("input")
	x, axes, keep := c.Cast(c.Tensor("input"), workType(out)), c.Axes("dim", rank), c.Bool("keepdim")
	if rank == 0 && c.OutRank(0) == 1 { // with keepdim it gains a dimension
		x = c.Unsqueeze(x, 0)
	}
	if out == onnx.Bool {
		x = c.Cast(x, onnx.Int32)
	}
	c.Return(c.Cast(c.reduceDims("ReduceMin", x, axes, keep), out), c.Cast(c.reduceDims("ReduceMax", x, axes, keep), out))
}

// variance divides the sum of squared differences by the number of elements less
// the correction, but not by less than nothing.
func variance(root, withMean bool) func(c *Call) {
	return func(c *Call) {
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
		diff := c.Op("Sub", In(x, mean))
		sum := c.reduceDims("ReduceSum", c.mul(diff, diff), axes, keep)
		one := c.likeOf(x, 1)
		count := c.reduceDims("ReduceSum", one, axes, keep)
		free := c.Op("Max", In(c.Op("Sub", In(count, c.Scalar(x.DType, correction))), c.Scalar(x.DType, 0)))
		v := c.Op("Div", In(sum, free))
		if root {
			v = c.Op("Sqrt", In(v))
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
	return c.normOf(x, p, func(op string, x V) V { return c.reduceDims(op, x, axes, keep) })
}

// normOf is (Σ|x|^p)^(1/p), with the limits for 0 and the infinities.
func (c *Call) normOf(x V, p float64, reduce func(op string, x V) V) V {
	abs := func() V { return c.Op("Abs", In(x)) }
	switch {
	case p == 0:
		return reduce("ReduceSum", c.Cast(c.Cast(x, onnx.Bool), x.DType))
	case math.IsInf(p, 1):
		return reduce("ReduceMax", abs())
	case math.IsInf(p, -1):
		return reduce("ReduceMin", abs())
	case p == 1:
		return reduce("ReduceSum", abs())
	case p == 2:
		return c.Op("Sqrt", In(reduce("ReduceSum", c.mul(x, x))))
	}
	sum := reduce("ReduceSum", c.Op("Pow", In(abs(), c.Scalar(x.DType, p))))
	return c.Op("Pow", In(sum, c.Scalar(x.DType, 1/p)))
}

// norm is the norm of the elements along dim, whatever their arrangement, but for
// the nuclear norm.
func norm(c *Call) {
	p := 2.0
	switch s, isStr := c.Arg("p").(graph.Str); {
	case isStr && s == "nuc":
		c.Failf("the nuclear norm needs singular values")
	case !isStr && c.Has("p"):
		p = c.Float("p")
	}
	d := c.OutDType(0) // out= may be of integers
	if !isFloat(d) {
		d = c.DType("input")
	}
	x := c.Cast(c.Tensor("input"), d)
	c.Return(c.Cast(c.vectorNorm(x, p, c.Axes("dim", c.Rank("input")), c.Bool("keepdim")), c.OutDType(0)))
}

package aten

// This file lowers the functions of torch.masked: where the mask is false the
// input is replaced with an element that changes nothing.

import (
	"math"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var maskedRecords = []Record{
	{Op: "torch.masked.sum", Lower: maskedReduction("ReduceSum", 0)},
	{Op: "torch.masked.prod", Lower: maskedReduction("ReduceProd", 1)},
	{Op: "torch.masked.amax", Lower: maskedExtreme("ReduceMax", (*Call).lowest)},
	{Op: "torch.masked.amin", Lower: maskedExtreme("ReduceMin", (*Call).highest)},
	{Op: "torch.masked.mean", Lower: func(c *Call) {
		sum, count := c.maskedSum(c.first(), false)
		c.Return(c.over(sum, count))
	}},
	{Op: "torch.masked.var", Lower: maskedVariance(false)},
	{Op: "torch.masked.std", Lower: maskedVariance(true)},
	{Op: "torch.masked.logsumexp", Lower: maskedReduction("ReduceLogSumExp", math.Inf(-1))},
	{Op: "torch.masked.norm", Lower: func(c *Call) {
		p := c.Float("ord")
		fill := 0.0
		if p < 0 {
			fill = math.Inf(1)
		}
		c.Return(c.vectorNorm(c.masked(c.first(), fill), p, c.maskedAxes(), c.Bool("keepdim")))
	}},
	{Op: "torch.masked.softmax", Lower: maskedSoftmax("Softmax", 1)},
	{Op: "torch.masked.softmin", Lower: maskedSoftmax("Softmax", -1)},
	{Op: "torch.masked.log_softmax", Lower: maskedSoftmax("LogSoftmax", 1)},
	{Op: "torch.masked.normalize", Lower: func(c *Call) {
		x := c.masked(c.first(), 0)
		norm := c.vectorNorm(x, c.Float("ord"), c.maskedAxes(), true)
		c.Return(c.over(x, c.atLeastOf(norm, c.Float("eps"))))
	}},
	{Op: "torch.masked.logaddexp", Lower: func(c *Call) {
		d := c.OutDType(0)
		c.refuseBool(d)
		side := func(name, mask string) V {
			x := c.Operand(name, d)
			if !c.Has(mask) {
				return x
			}
			return c.either(c.Cast(c.Tensor(mask), onnx.Bool), x, c.Scalar(d, math.Inf(-1)))
		}
		x, y := side("input", "input_mask"), side("other", "other_mask")
		none := c.Op("Equal", In(c.Op("Max", In(x, y)), c.Scalar(d, math.Inf(-1))))
		c.Return(c.either(none, c.Scalar(d, math.Inf(-1)), c.logAddExp(x, y, math.E)))
	}},
	{Op: "torch.masked.cumsum", Lower: func(c *Call) {
		rank := c.Rank("input")
		out := c.OutDType(0)
		x := c.masked(c.Cast(c.Tensor("input"), workType(out)), 0)
		c.Return(c.Cast(c.cumsum(x, rank, c.maskedAxis()), out))
	}},
	{Op: "torch.masked.cumprod", Lower: func(c *Call) {
		out := c.OutDType(0)
		x := c.masked(c.Cast(c.Tensor("input"), workType(out)), 1)
		v := c.scan(x, c.maskedAxis(), []V{c.Scalar(x.DType, 1)}, 1, func(s *Call, state []V, at V) []V {
			return In(s.mul(state[0], at))
		})
		c.Return(c.Cast(v[0], out))
	}},
	{Op: "torch._unsafe_masked_index torch._unsafe_masked_index_put_accumulate",
		None: "what PyTorch's compiler makes of interpolation: write x[i] and masked_fill"},
	{Op: "torch.masked.median", None: "it is nanmedian of the input with NaN where the mask is false: write that"},
	{Op: "torch.masked.argmax torch.masked.argmin", None: "it is argmax or argmin of the input filled with masked_fill: write that"},
}

// refuseBool is for formulas that have no meaning in truth values.
func (c *Call) refuseBool(d onnx.DType) {
	if d == onnx.Bool {
		c.Failf("it is not computed in truth values")
	}
}

// masked puts fill where the mask is false.
func (c *Call) masked(x V, fill float64) V {
	return c.maskedWith(x, func() V { return c.Scalar(x.DType, fill) })
}

func (c *Call) maskedWith(x V, fill func() V) V {
	if !c.Has("mask") {
		return x
	}
	return c.either(c.Cast(c.Tensor("mask"), onnx.Bool), x, fill())
}

// maskedAxes are the dimensions to reduce. Products run over one after the other, so
// that one may be named twice: where it is gone, the next one has its number.
func (c *Call) maskedAxes() []int64 {
	axes := c.Axes("dim", c.Rank("input"))
	once := slices.Compact(slices.Sorted(slices.Values(axes)))
	if len(once) == len(axes) {
		return axes
	}
	if c.Rank("input") > 1 && !c.Bool("keepdim") {
		c.Failf("a dimension is named twice")
	}
	return once
}

// maskedAxis is dim; None means the first dimension.
func (c *Call) maskedAxis() int64 {
	if !c.Has("dim") {
		return 0
	}
	return c.Axis("dim", c.Rank("input"))
}

func maskedReduction(op string, fill float64) func(c *Call) {
	return func(c *Call) {
		out := c.OutDType(0)
		d := workType(out)
		if out == onnx.Bool {
			c.Failf("a bool result of %s", op)
		}
		x := c.masked(c.Cast(c.Tensor("input"), d), fill)
		c.Return(c.Cast(c.reduceDims(op, x, c.maskedAxes(), c.Bool("keepdim")), out))
	}
}

func maskedExtreme(op string, fill func(c *Call, d onnx.DType) V) func(c *Call) {
	return func(c *Call) {
		out := c.OutDType(0)
		d := workType(out)
		if out == onnx.Bool {
			c.Failf("a bool result of %s", op)
		}
		x := c.Cast(c.Tensor("input"), d)
		x = c.maskedWith(x, func() V { return c.Cast(fill(c, out), d) })
		c.Return(c.Cast(c.reduceDims(op, x, c.maskedAxes(), c.Bool("keepdim")), out))
	}
}

// maskedSum is the sum over dim and the number of elements in it.
func (c *Call) maskedSum(x V, keep bool) (sum, count V) {
	keep = keep || c.Bool("keepdim")
	count = c.masked(c.likeOf(x, 1), 0)
	return c.reduceDims("ReduceSum", c.masked(x, 0), c.maskedAxes(), keep), c.reduceDims("ReduceSum", count, c.maskedAxes(), keep)
}

func maskedVariance(root bool) func(c *Call) {
	return func(c *Call) {
		x := c.first()
		if d, ok := c.Arg("dtype").(graph.DType); ok && !d.IsFloat() {
			c.Failf("it is not computed in %s", d.DType)
		}
		sum, count := c.maskedSum(x, true)
		diff := c.masked(c.sub(x, c.over(sum, count)), 0)
		squares := c.reduceDims("ReduceSum", c.mul(diff, diff), c.maskedAxes(), true)
		if !c.Has("unbiased") {
			c.Failf("without unbiased= it is the variance of all elements in PyTorch 1, and of a sample in PyTorch 2: say which")
		}
		if c.Bool("unbiased") {
			count = c.atLeastOf(c.plus(count, -1), 0)
		}
		v := c.over(squares, count)
		if root {
			v = c.sqrt(v)
		}
		if !c.Bool("keepdim") && c.Rank("input") > 0 {
			v = c.Squeeze(v, c.maskedAxes()...)
		}
		c.Return(v)
	}
}

func maskedSoftmax(op string, sign float64) func(c *Call) {
	return func(c *Call) {
		x, rank := c.first(), c.Rank("input")
		if sign < 0 {
			x = c.neg(x)
		}
		x = c.masked(x, math.Inf(-1))
		if rank == 0 {
			x = c.Unsqueeze(x, 0)
		}
		y := c.Op(op, In(x), onnx.IntAttr("axis", c.maskedAxis()))
		if rank == 0 {
			y = c.Squeeze(y, 0)
		}
		c.Return(y)
	}
}

package aten

// This file lowers the functions of torch.masked: where the mask is false the
// input is replaced with an element that changes nothing.
//
// A mask of another shape broadcasts. A lane whose elements are all masked gives what PyTorch's
// formula gives: the neutral element, NaN for a mean, as no case is made of it.

import (
	"math"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var maskedRecords = []Record{
	{Op: "torch.masked.sum", Lower: maskedReduction("ReduceSum", 0)},
	{Op: "torch.masked.prod", Lower: maskedReduction("ReduceProd", 1)},
	{Op: "torch.masked.amax", Lower: maskedExtreme("ReduceMax", (*Emitter).lowest)},
	{Op: "torch.masked.amin", Lower: maskedExtreme("ReduceMin", (*Emitter).highest)},
	{Op: "torch.masked.mean", Lower: func(c *Call) {
		sum, count := c.maskedSum(c.first(), false)
		c.Return(c.emit.over(sum, count))
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
		c.Return(c.emit.over(x, c.emit.atLeastOf(norm, c.Float("eps"))))
	}},
	{Op: "torch.masked.logaddexp", Lower: func(c *Call) {
		e := c.emit
		d := c.OutDType(0)
		refuseBool(d)
		side := func(name, mask string) V {
			x := c.Operand(name, d)
			if !c.Has(mask) {
				return x
			}
			return e.either(e.Cast(c.Tensor(mask), onnx.Bool), x, e.Scalar(d, math.Inf(-1)))
		}
		x, y := side("input", "input_mask"), side("other", "other_mask")
		none := e.Op("Equal", In(e.Op("Max", In(x, y)), e.Scalar(d, math.Inf(-1))))
		c.Return(e.either(none, e.Scalar(d, math.Inf(-1)), e.logAddExp(x, y, math.E)))
	}},
	{Op: "torch.masked.cumsum", Lower: func(c *Call) {
		e := c.emit
		rank := c.Rank("input")
		out := c.OutDType(0)
		x := c.masked(e.Cast(c.Tensor("input"), workType(out)), 0)
		c.Return(e.Cast(e.cumsum(x, rank, c.maskedAxis()), out))
	}},
	{Op: "torch.masked.cumprod", Lower: func(c *Call) {
		e := c.emit
		out := c.OutDType(0)
		x := c.masked(e.Cast(c.Tensor("input"), workType(out)), 1)
		v := c.scan(x, c.maskedAxis(), []V{e.Scalar(x.DType, 1)}, 1, func(s *Emitter, state []V, at V) []V {
			return In(s.mul(state[0], at))
		})
		c.Return(e.Cast(v[0], out))
	}},
	{Op: "torch._unsafe_masked_index torch._unsafe_masked_index_put_accumulate",
		None: "what PyTorch's compiler makes of interpolation: write x[i] and masked_fill"},
	{Op: "torch.masked.median", None: "it is nanmedian of the input with NaN where the mask is false: write that"},
	{Op: "torch.masked.argmax torch.masked.argmin", None: "it is argmax or argmin of the input filled with masked_fill: write that"},
}

// refuseBool is for formulas that have no meaning in truth values.
func refuseBool(d onnx.DType) {
	if d == onnx.Bool {
		failf("it is not computed in truth values")
	}
}

// masked puts fill where the mask is false. Without the argument mask x stays.
func (c *Call) masked(x V, fill float64) V {
	return c.maskedWith(x, func() V { return c.emit.Scalar(x.DType, fill) })
}

// maskedWith is masked with a filling that is made only if there is a mask.
func (c *Call) maskedWith(x V, fill func() V) V {
	if !c.Has("mask") {
		return x
	}
	return c.emit.either(c.emit.Cast(c.Tensor("mask"), onnx.Bool), x, fill())
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
		failf("a dimension is named twice")
	}
	return once
}

// maskedAxis is dim; None means the first dimension. It is for functions along one dimension.
func (c *Call) maskedAxis() int64 {
	if !c.Has("dim") {
		return 0
	}
	return c.Axis("dim", c.Rank("input"))
}

// maskedReduction reduces with a filling that is the operator's neutral element. It fails for a
// bool result.
func maskedReduction(op string, fill float64) func(c *Call) {
	return func(c *Call) {
		out := c.OutDType(0)
		d := workType(out)
		if out == onnx.Bool {
			failf("a bool result of %s", op)
		}
		x := c.masked(c.emit.Cast(c.Tensor("input"), d), fill)
		c.Return(c.emit.Cast(c.reduceDims(op, x, c.maskedAxes(), c.Bool("keepdim")), out))
	}
}

// maskedExtreme fills with the bound of the result's own type, not of the type that it is
// computed in.
func maskedExtreme(op string, fill func(e *Emitter, d onnx.DType) V) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		out := c.OutDType(0)
		d := workType(out)
		if out == onnx.Bool {
			failf("a bool result of %s", op)
		}
		x := e.Cast(c.Tensor("input"), d)
		x = c.maskedWith(x, func() V { return e.Cast(fill(e, out), d) })
		c.Return(e.Cast(c.reduceDims(op, x, c.maskedAxes(), c.Bool("keepdim")), out))
	}
}

// maskedSum is the sum over dim and the number of elements in it. count has x's element type, for
// the division.
func (c *Call) maskedSum(x V, keep bool) (sum, count V) {
	keep = keep || c.Bool("keepdim")
	count = c.masked(c.emit.likeOf(x, 1), 0)
	return c.reduceDims("ReduceSum", c.masked(x, 0), c.maskedAxes(), keep), c.reduceDims("ReduceSum", count, c.maskedAxes(), keep)
}

// maskedVariance is the mean squared difference from the mean of the elements that count; root
// takes the square root. It fails without unbiased=, whose default has changed.
func maskedVariance(root bool) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		x := c.first()
		if d, ok := c.Arg("dtype").(graph.DType); ok && !d.IsFloat() {
			failf("it is not computed in %s", d.DType)
		}
		sum, count := c.maskedSum(x, true)
		diff := c.masked(e.sub(x, e.over(sum, count)), 0)
		squares := c.reduceDims("ReduceSum", e.mul(diff, diff), c.maskedAxes(), true)
		if !c.Has("unbiased") {
			failf("without unbiased= it is the variance of all elements in PyTorch 1, and of a sample in PyTorch 2: say which")
		}
		if c.Bool("unbiased") {
			count = e.atLeastOf(e.plus(count, -1), 0)
		}
		v := e.over(squares, count)
		if root {
			v = e.sqrt(v)
		}
		if !c.Bool("keepdim") && c.Rank("input") > 0 {
			v = e.Squeeze(v, c.maskedAxes()...)
		}
		c.Return(v)
	}
}

// maskedSoftmax fills with -∞, so that masked elements get 0; sign -1 is softmin.
func maskedSoftmax(op string, sign float64) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		x, rank := c.first(), c.Rank("input")
		if sign < 0 {
			x = e.neg(x)
		}
		x = c.masked(x, math.Inf(-1))
		if rank == 0 {
			x = e.Unsqueeze(x, 0)
		}
		y := e.Op(op, In(x), onnx.IntAttr("axis", c.maskedAxis()))
		if rank == 0 {
			y = e.Squeeze(y, 0)
		}
		c.Return(y)
	}
}

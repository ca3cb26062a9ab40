package aten

// This file lowers random tensors. The numbers differ from PyTorch's, as they do
// between two of its runs; their distribution is the same.

import (
	"strings"

	"shapecheck/onnx"
)

const noDistribution = "ONNX has no random numbers of this distribution"

var randomRecords = []Record{
	{Op: "torch.rand", Lower: drawn("RandomUniformLike")},
	{Op: "torch.randn", Lower: drawn("RandomNormalLike")},
	{Op: "torch.rand_like", Lower: drawn("RandomUniformLike")},
	{Op: "torch.randn_like", Lower: drawn("RandomNormalLike")},
	{Op: "torch.normal", Lower: func(c *Call) {
		x := c.draw("RandomNormalLike")
		c.Return(c.add(c.Operand("mean", x.DType), c.mul(x, c.Operand("std", x.DType))))
	}},
	{Op: "torch.Tensor.normal_", Lower: func(c *Call) {
		x := c.draw("RandomNormalLike")
		c.Return(c.add(c.Number("mean", x.DType), c.mul(x, c.Number("std", x.DType))))
	}},
	{Op: "torch.Tensor.uniform_", Lower: func(c *Call) {
		x := c.draw("RandomUniformLike")
		from := c.Number("from", x.DType)
		c.Return(c.add(from, c.mul(x, c.sub(c.Number("to", x.DType), from))))
	}},
	{Op: "torch.randint torch.randint_like", Lower: func(c *Call) { // low + floor(u·(high - low))
		u := c.drawAs("RandomUniformLike", onnx.Float)
		high := c.Number("high", onnx.Float)
		low := c.Scalar(onnx.Float, 0)
		if c.Has("low") {
			low = c.Number("low", onnx.Float)
		}
		c.Return(c.Cast(c.add(low, c.Op("Floor", In(c.mul(u, c.sub(high, low))))), c.OutDType(0)))
	}},
	{Op: "torch.bernoulli", Lower: func(c *Call) {
		p := c.first()
		if c.Has("p") {
			p = c.Operand("p", onnx.Float)
		}
		if !isFloat(p.DType) {
			p = c.Cast(p, onnx.Float)
		}
		u := c.drawAs("RandomUniformLike", p.DType)
		c.Return(c.Cast(c.Op("Less", In(u, p)), c.OutDType(0)))
	}},
	{Op: "torch.Tensor.bernoulli_", Lower: func(c *Call) {
		p := c.Operand("p", onnx.Float)
		c.Return(c.Cast(c.Op("Less", In(c.drawAs("RandomUniformLike", onnx.Float), p)), c.OutDType(0)))
	}},
	{Op: "torch.randperm", Lower: func(c *Call) {
		n := c.ShapeTensor(c.OutType(0).Shape)
		c.Return(c.Cast(c.shuffled(n, n), c.OutDType(0)))
	}},
	{Op: "torch.multinomial", Lower: multinomial},
	{Op: "torch.poisson torch.binomial torch._standard_gamma torch._sample_dirichlet torch._dirichlet_grad torch.Tensor.cauchy_ torch.Tensor.exponential_ " +
		"torch.Tensor.geometric_ torch.Tensor.log_normal_ torch.Tensor.random_", None: noDistribution},
}

// Random lists the operations whose results are random.
func Random() map[string]bool {
	ops := map[string]bool{}
	for _, list := range [][]Record{randomRecords, numpyRandomRecords} {
		for _, r := range list {
			for _, op := range strings.Fields(r.Op) {
				ops[op] = true
			}
		}
	}
	return ops
}

// multinomial divides weights by random numbers of an exponential distribution: the class of
// the largest quotient is drawn by the weights, and the next ones without replacement.
func multinomial(c *Call) {
	p := c.Tensor("input")
	if p.DType != onnx.Double {
		p = c.Cast(p, onnx.Float)
	}
	rank := c.Rank("input")
	n := c.Number("num_samples", onnx.Int64)
	if c.Bool("replacement") { // a row for each sample
		p = c.Unsqueeze(p, int64(rank)-1)
		shape := c.Concat(0, c.Op("Shape", In(p), onnx.IntAttr("end", -2)), c.Unsqueeze(n, 0), c.Op("Shape", In(p), onnx.IntAttr("start", -1)))
		p = c.Op("Expand", In(p, shape))
	}
	wait := c.neg(c.Op("Log", In(c.Op("RandomUniformLike", In(p)))))
	score := c.over(p, wait)
	if c.Bool("replacement") {
		c.Return(c.Op("ArgMax", In(score), onnx.IntAttr("axis", -1), onnx.IntAttr("keepdims", 0)))
		return
	}
	c.Return(c.Ops("TopK", 2, In(score, c.Unsqueeze(n, 0)), onnx.IntAttr("axis", -1))[1])
}

func drawn(op string) func(c *Call) {
	return func(c *Call) { c.Return(c.draw(op)) }
}

// draw makes random numbers in the shape and type of the result.
func (c *Call) draw(op string) V { return c.drawAs(op, c.OutDType(0)) }

func (c *Call) drawAs(op string, d onnx.DType) V {
	if !isFloat(d) {
		c.Failf("random numbers of type %s", d)
	}
	c.OutRank(0)
	zeros := c.filled(c.ShapeTensor(c.OutType(0).Shape), d, 0)
	return c.Op(op, In(zeros))
}

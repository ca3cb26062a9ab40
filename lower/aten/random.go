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
		c.Return(c.emit.add(c.Operand("mean", x.DType), c.emit.mul(x, c.Operand("std", x.DType))))
	}},
	{Op: "torch.Tensor.normal_", Lower: func(c *Call) {
		x := c.draw("RandomNormalLike")
		c.Return(c.emit.add(c.Number("mean", x.DType), c.emit.mul(x, c.Number("std", x.DType))))
	}},
	{Op: "torch.Tensor.uniform_", Lower: func(c *Call) {
		e := c.emit
		x := c.draw("RandomUniformLike")
		from := c.Number("from", x.DType)
		c.Return(e.add(from, e.mul(x, e.sub(c.Number("to", x.DType), from))))
	}},
	{Op: "torch.randint torch.randint_like", Lower: func(c *Call) { // low + floor(u·(high - low))
		e := c.emit
		u := c.drawAs("RandomUniformLike", onnx.Float)
		high := c.Number("high", onnx.Float)
		low := e.Scalar(onnx.Float, 0)
		if c.Has("low") {
			low = c.Number("low", onnx.Float)
		}
		c.Return(e.Cast(e.add(low, e.Op("Floor", In(e.mul(u, e.sub(high, low))))), c.OutDType(0)))
	}},
	{Op: "torch.bernoulli", Lower: func(c *Call) {
		e := c.emit
		p := c.first()
		if c.Has("p") {
			p = c.Operand("p", onnx.Float)
		}
		if !isFloat(p.DType) {
			p = e.Cast(p, onnx.Float)
		}
		u := c.drawAs("RandomUniformLike", p.DType)
		c.Return(e.Cast(e.Op("Less", In(u, p)), c.OutDType(0)))
	}},
	{Op: "torch.Tensor.bernoulli_", Lower: func(c *Call) {
		p := c.Operand("p", onnx.Float)
		c.Return(c.emit.Cast(c.emit.Op("Less", In(c.drawAs("RandomUniformLike", onnx.Float), p)), c.OutDType(0)))
	}},
	{Op: "torch.randperm", Lower: func(c *Call) {
		n := c.ShapeTensor(c.OutType(0).Shape)
		c.Return(c.emit.Cast(c.emit.shuffled(n, n), c.OutDType(0)))
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
	e := c.emit
	p := c.Tensor("input")
	if p.DType != onnx.Double {
		p = e.Cast(p, onnx.Float)
	}
	rank := c.Rank("input")
	n := c.Number("num_samples", onnx.Int64)
	if c.Bool("replacement") { // a row for each sample
		p = e.Unsqueeze(p, int64(rank)-1)
		shape := e.Concat(0, e.Op("Shape", In(p), onnx.IntAttr("end", -2)), e.Unsqueeze(n, 0), e.Op("Shape", In(p), onnx.IntAttr("start", -1)))
		p = e.Op("Expand", In(p, shape))
	}
	wait := e.neg(e.Op("Log", In(e.Op("RandomUniformLike", In(p)))))
	score := e.over(p, wait)
	if c.Bool("replacement") {
		c.Return(e.Op("ArgMax", In(score), onnx.IntAttr("axis", -1), onnx.IntAttr("keepdims", 0)))
		return
	}
	c.Return(e.Ops("TopK", 2, In(score, e.Unsqueeze(n, 0)), onnx.IntAttr("axis", -1))[1])
}

func drawn(op string) func(c *Call) {
	return func(c *Call) { c.Return(c.draw(op)) }
}

// draw makes random numbers in the shape and type of the result.
func (c *Call) draw(op string) V { return c.drawAs(op, c.OutDType(0)) }

func (c *Call) drawAs(op string, d onnx.DType) V {
	if !isFloat(d) {
		failf("random numbers of type %s", d)
	}
	c.OutRank(0)
	zeros := c.emit.filled(c.ShapeTensor(c.OutType(0).Shape), d, 0)
	return c.emit.Op(op, In(zeros))
}

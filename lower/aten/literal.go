package aten

// This file lowers tensors made from data, and grids of vectors.
//
// Data that the model's code writes becomes constants, as far as it is numbers; sizes and values
// among it make the tensor one that is computed.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var literalRecords = []Record{
	{Op: "torch.tensor torch.as_tensor torch.asarray torch.Tensor.new_tensor torch.from_numpy", Lower: func(c *Call) {
		c.Return(c.data(c.Arg("data"), c.OutDType(0)))
	}},
	{Op: "torch.Tensor.__new__ torch.Tensor.new", Lower: legacy},
	{Op: "torch.meshgrid", Lower: func(c *Call) {
		list := c.vectors("tensors")
		xy := c.Str("indexing") == "xy" && len(list) >= 2
		if xy { // the first two dimensions are the other way round
			list[0], list[1] = list[1], list[0]
		}
		outs := c.emit.grid(list)
		if xy {
			outs[0], outs[1] = outs[1], outs[0]
		}
		c.Return(outs...)
	}},
	{Op: "torch.cartesian_prod", Lower: func(c *Call) {
		e := c.emit
		list := c.vectors("tensors")
		if len(list) == 1 {
			c.Return(list[0])
			return
		}
		parts := e.grid(list)
		for i := range parts {
			parts[i] = e.Unsqueeze(e.flat(parts[i]), 1)
		}
		c.Return(e.Concat(1, parts...))
	}},
	{Op: "torch.combinations", Lower: combinations},
	{Op: "torch.vander torch.linalg.vander", Lower: vander},
}

// data makes a tensor of a number, a tensor or a nested list of both. The number and the nesting
// of lists are fixed when the model is exported. A list of numbers becomes one constant; one with
// tensors is stacked level by level. It fails for a list whose length only the run knows.
func (c *Call) data(o graph.Operand, d onnx.DType) V {
	if v, ok := o.(*graph.Value); ok {
		if v.Kind == graph.SequenceKind || v.Kind == graph.OptionalKind {
			failf("the data is a list of unknown length")
		}
		return c.emit.Cast(c.Value("data", v), d)
	}
	switch o.(type) {
	case graph.List, graph.Tuple:
		leaves, shape := flatten(o)
		for _, l := range leaves {
			if v, ok := l.(*graph.Value); ok && v.Kind == graph.TensorKind && v.Type.Rank() != 0 {
				return c.stackData(o, d)
			}
		}
		if len(leaves) == 0 {
			return c.emit.Const(&onnx.Tensor{DType: d, Dims: shape, HasRaw: true})
		}
		return c.literal(leaves, shape, d)
	}
	return c.number("data", o, d)
}

// stackData stacks the parts of a list that holds tensors with elements. The parts have the same
// shapes, which the inference has checked.
func (c *Call) stackData(o graph.Operand, d onnx.DType) V {
	var items []graph.Operand
	switch l := o.(type) {
	case graph.List:
		items = l
	case graph.Tuple:
		items = l
	}
	parts := make([]V, len(items))
	for i, e := range items {
		parts[i] = c.emit.Unsqueeze(c.data(e, d), 0)
	}
	return c.emit.Concat(0, parts...)
}

// legacy lowers the constructors by type: of data, or of sizes. torch.Tensor(2, 3) has sizes and
// torch.Tensor([2, 3]) data: it is data if its rank is that of the result. Memory that is not set
// is zero.
func legacy(c *Call) {
	d := c.OutDType(0)
	args := c.Items("args")
	if len(args) == 1 {
		switch o := args[0].(type) {
		case graph.List, graph.Tuple:
			if _, shape := flatten(o); len(shape) == c.OutRank(0) {
				c.Return(c.data(o, d))
				return
			}
		case *graph.Value:
			if o.Kind == graph.TensorKind && o.Type.Rank() == c.OutRank(0) {
				c.Return(c.data(o, d))
				return
			}
		}
	}
	c.Return(c.emit.filled(c.ShapeTensor(c.OutType(0).Shape), d, 0))
}

// vectors are the tensors of a list, or of a list in it, with one dimension each. A number counts
// as a vector of one element.
func (c *Call) vectors(name string) []V {
	items := c.Spread(name)
	out := make([]V, len(items))
	for i, o := range items {
		v, ok := o.(*graph.Value)
		if !ok {
			failf("an argument is not a tensor")
		}
		out[i] = c.emit.flat(c.Value("tensor", v))
	}
	return out
}

// grid expands vectors so that each is one dimension of a grid. Grid i varies along axis i alone.
func (e *Emitter) grid(list []V) []V {
	n := len(list)
	sizes := make([]V, n)
	for i, v := range list {
		sizes[i] = e.Shape(v)
	}
	shape := sizes[0]
	if n > 1 {
		shape = e.Concat(0, sizes...)
	}
	outs := make([]V, n)
	for i, v := range list {
		var axes []int64
		for j := range n {
			if i != j {
				axes = append(axes, int64(j))
			}
		}
		if len(axes) > 0 {
			v = e.Unsqueeze(v, axes...)
		}
		outs[i] = e.Op("Expand", In(v, shape))
	}
	return outs
}

// combinations lists the choices of r of n places, in order. All n^r tuples of places are
// compared and the ascending ones are taken, which is wasteful and needs no loop; models use it
// for pairs.
func combinations(c *Call) {
	e := c.emit
	x, r := c.Tensor("self"), int(c.Int("r"))
	if r == 0 {
		c.Return(e.Const(&onnx.Tensor{DType: x.DType, Dims: []int64{0}, HasRaw: true}))
		return
	}
	n := e.rangeTo(e.Op("Size", In(x)))
	places := e.grid(slices.Repeat([]V{n}, r))
	op := "Less"
	if c.Bool("with_replacement") {
		op = "LessOrEqual"
	}
	mask := e.Op("Equal", In(places[0], places[0]))
	for i := 1; i < r; i++ {
		mask = e.Op("And", In(mask, e.Op(op, In(places[i-1], places[i]))))
	}
	c.Return(e.Op("Gather", In(x, e.Transpose(e.Op("NonZero", In(mask)), 1, 0)), onnx.IntAttr("axis", 0)))
}

// vander is the matrix of the powers of a vector: x⁰ first, or last. torch.vander has the highest
// power first, unless increasing is set; torch.linalg.vander the lowest.
func vander(c *Call) {
	e := c.emit
	x, rank := c.first(), c.Rank("x")
	if rank == 0 {
		x, rank = e.flat(x), 1
	}
	n := e.dimSize(x, int64(rank-1))
	if c.Has("N") {
		n = c.number("N", c.Arg("N"), onnx.Int64)
	}
	exp := e.rangeTo(n)
	if c.Node.Op == "torch.vander" && !c.Bool("increasing") {
		exp = e.Op("Sub", In(e.Op("Sub", In(n, e.I64Scalar(1))), exp))
	}
	d := x.DType
	w := workType(d)
	c.Return(e.Cast(e.Op("Pow", In(e.Cast(e.Unsqueeze(x, int64(rank)), w), e.Cast(exp, w))), d))
}

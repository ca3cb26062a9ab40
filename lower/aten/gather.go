package aten

// This file lowers reads and writes at positions that a tensor holds.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var gatherRecords = []Record{
	{Op: "torch.gather", Lower: func(c *Call) {
		x, index, axis := c.indexed()
		c.returnLike(c.Op("GatherElements", In(x, index), onnx.IntAttr("axis", axis)))
	}},
	{Op: "torch.scatter", Lower: scatter},
	{Op: "torch.scatter_add", Lower: func(c *Call) {
		x, index, axis := c.indexed()
		c.returnLike(c.scatterElements(x, index, c.updates("src", x.DType, index), axis, "add"))
	}},
	{Op: "torch.scatter_reduce", Lower: func(c *Call) {
		x, index, axis := c.indexed()
		c.returnLike(c.scatterReduce(x, index, c.updates("src", x.DType, index), axis, c.Str("reduce"), c.Bool("include_self")))
	}},
	{Op: "torch.index_select", Lower: func(c *Call) {
		x, index := c.Tensor("self"), c.Tensor("index")
		rank := c.Rank("self")
		switch {
		case rank == 0:
			c.Return(x)
			return
		case c.Rank("index") == 0:
			index = c.Unsqueeze(index, 0)
		}
		c.Return(c.Op("Gather", In(x, index), onnx.IntAttr("axis", c.Axis("dim", rank))))
	}},
	{Op: "torch.index_add", Lower: func(c *Call) {
		x, index, src, axis := c.slicesAt("source")
		if !isOne(c.Arg("alpha")) {
			w := workType(x.DType)
			if w == onnx.Bool {
				w = onnx.Int32
			}
			src = c.Cast(c.mul(c.Cast(src, w), c.Number("alpha", w)), x.DType)
		}
		c.returnLike(c.scatterElements(x, index, src, axis, "add"))
	}},
	{Op: "torch.index_copy", Lower: func(c *Call) {
		x, index, src, axis := c.slicesAt("source")
		c.returnLike(c.scatterElements(x, index, src, axis, ""))
	}},
	{Op: "torch.index_reduce", Lower: func(c *Call) {
		x, index, src, axis := c.slicesAt("source")
		c.returnLike(c.scatterReduce(x, index, src, axis, c.Str("reduce"), c.Bool("include_self")))
	}},
	{Op: "torch.index_fill", Lower: indexFill},
	{Op: "torch.take", Lower: func(c *Call) {
		c.Return(c.Op("Gather", In(c.flat(c.Tensor("self")), c.Tensor("index")), onnx.IntAttr("axis", 0)))
	}},
	{Op: "torch.put", Lower: func(c *Call) {
		x := c.Tensor("self")
		reduction := ""
		if c.Bool("accumulate") {
			reduction = "add"
		}
		v := c.scatterElements(c.flat(x), c.flat(c.Tensor("index")), c.flat(c.Tensor("source")), 0, reduction)
		c.Return(c.ReshapeTo(v, c.Shape(x)))
	}},
	{Op: "torch.take_along_dim", Lower: takeAlong},
}

// indexed returns the tensor, the index and the axis; tensors without dimensions
// get one.
func (c *Call) indexed() (x, index V, axis int64) {
	rank := c.Rank("self")
	x, index = c.Tensor("self"), c.Tensor("index")
	if c.Rank("index") != rank { // an empty index may have other dimensions, or a vector stand for a number
		switch {
		case rank == 0 || rank == 1 && c.Rank("index") == 0:
			index = c.flat(index)
		case emptyShape(c.Type("index")):
			index = c.filled(c.Op("Expand", In(c.I64(0), c.I64(int64(rank)))), onnx.Int64, 0)
		default:
			c.Failf("the index has another number of dimensions")
		}
	} else if rank == 0 {
		index = c.flat(index)
	}
	if rank == 0 {
		x = c.flat(x)
	}
	if x.DType != c.OutDType(0) {
		x = c.Cast(x, c.OutDType(0))
	}
	return x, c.Cast(index, onnx.Int64), c.Axis("dim", rank)
}

func emptyShape(t *graph.TensorType) bool {
	for _, d := range t.Shape {
		if n, ok := d.Const(); ok && n == 0 {
			return true
		}
	}
	return false
}

// returnLike returns v with as many dimensions as the result has: tensors without
// dimensions were given one.
func (c *Call) returnLike(v V) {
	self, out := c.Rank("self"), c.OutRank(0)
	switch {
	case self == 0 && out == 0:
		v = c.scalar0(v)
	case self == 1 && out == 0:
		v = c.scalar0(v)
	case self > 1 && out != self:
		v = c.Reshape(v, nil, c.OutType(0).Shape)
	}
	c.Return(v)
}

// updates is what is written: of the index's shape, where the tensor may be larger.
func (c *Call) updates(name string, d onnx.DType, index V) V {
	v, ok := c.Arg(name).(*graph.Value)
	if !ok || v.Kind != graph.TensorKind {
		return c.Op("Expand", In(c.Operand(name, d), c.Shape(index)))
	}
	src, rank := c.Operand(name, d), c.rankOf(v)
	if rank == 0 {
		return c.flat(src)
	}
	if a, b := v.Type.Shape.String(), c.Type("index").Shape.String(); a == b {
		return src
	}
	if emptyShape(c.Type("index")) {
		return c.Op("Expand", In(c.Scalar(d, 0), c.Shape(index)))
	}
	return c.Op("Slice", In(src, c.I64(slices.Repeat([]int64{0}, rank)...), c.Shape(index)))
}

// scatter writes, adds or multiplies at the index.
func scatter(c *Call) {
	x, index, axis := c.indexed()
	name := "src"
	if !c.Has("src") {
		name = "value"
	}
	v := c.updates(name, x.DType, index)
	reduction := map[string]string{"": "", "add": "add", "multiply": "mul"}[c.Str("reduce")]
	c.returnLike(c.scatterElements(x, index, v, axis, reduction))
}

// scatterReductions are ONNX's names, with what changes nothing.
var scatterReductions = map[string]string{"sum": "add", "mean": "add", "prod": "mul", "amax": "max", "amin": "min"}

// scatterReduce combines what is written to one place. Without self the places that
// are written to start as neutral.
func (c *Call) scatterReduce(x, index, src V, axis int64, how string, self bool) V {
	reduction, ok := scatterReductions[how]
	if !ok {
		c.Failf("there is no reduction %q", how)
	}
	d := x.DType
	if d == onnx.Bool {
		x, src = c.Cast(x, onnx.Int32), c.Cast(src, onnx.Int32)
	}
	before := x
	if !self {
		var neutral V
		switch how {
		case "prod":
			neutral = c.Scalar(x.DType, 1)
		case "amax":
			neutral = c.lowest(x.DType)
		case "amin":
			neutral = c.highest(x.DType)
		default:
			neutral = c.Scalar(x.DType, 0)
		}
		x = c.scatterElements(x, index, c.Op("Expand", In(neutral, c.Shape(index))), axis, "")
	}
	v := c.scatterElements(x, index, src, axis, reduction)
	if how == "mean" {
		w := workType(x.DType)
		start := 0.0
		if self {
			start = 1
		}
		n := c.scatterElements(c.filled(c.Shape(before), w, start), index, c.filled(c.Shape(index), w, 1), axis, "add")
		v = c.Cast(v, w)
		n = c.Op("Max", In(n, c.Scalar(w, 1)))
		if isFloat(w) {
			v = c.Op("Div", In(v, n))
		} else {
			v = c.floorDiv(v, n)
		}
		v = c.Cast(v, x.DType)
	}
	return c.Cast(v, d)
}

// slicesAt expands the index of index_add and its relatives to the shape of what is
// written.
func (c *Call) slicesAt(name string) (x, index, src V, axis int64) {
	rank := c.Rank("self")
	x, index, axis = c.Cast(c.Tensor("self"), c.OutDType(0)), c.flat(c.Cast(c.Tensor("index"), onnx.Int64)), c.Axis("dim", rank)
	src = c.Operand(name, x.DType)
	if rank == 0 {
		return c.flat(x), index, c.flat(src), 0
	}
	if c.Rank(name) == 0 {
		src = c.flat(src)
	}
	if lastName(c.Node.Op) == "index_reduce" && c.Type(name).Shape.String() != c.Type("self").Shape.String() { // it is broadcast
		sizes := make([]V, rank)
		for i := range sizes {
			if sizes[i] = c.SizeOf("self", int64(i)); int64(i) == axis {
				sizes[i] = c.I64(1)
			}
		}
		src = c.Op("Expand", In(src, c.joined(sizes)))
	}
	for i := range rank {
		if int64(i) > axis {
			index = c.Unsqueeze(index, int64(i-int(axis)))
		}
	}
	return x, c.Op("Expand", In(index, c.Shape(src))), src, axis
}

// indexFill marks the indices of the dimension, and writes where the mark is.
func indexFill(c *Call) {
	rank := c.Rank("self")
	x, axis := c.Tensor("self"), c.Axis("dim", rank)
	if rank == 0 {
		x = c.flat(x)
	}
	size := c.Op("Shape", In(x), onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1))
	index := c.flat(c.Cast(c.Tensor("index"), onnx.Int64))
	mark := c.scatterElements(c.filled(size, onnx.Int32, 0), index, c.filled(c.Shape(index), onnx.Int32, 1), 0, "")
	if after := rank - 1 - int(axis); after > 0 {
		axes := make([]int64, after)
		for i := range axes {
			axes[i] = int64(i + 1)
		}
		mark = c.Unsqueeze(mark, axes...)
	}
	c.returnLike(c.where(c.Cast(mark, onnx.Bool), c.Operand("value", x.DType), x))
}

// takeAlong broadcasts tensor and indices but for the dimension.
func takeAlong(c *Call) {
	x, index := c.Tensor("self"), c.Cast(c.Tensor("indices"), onnx.Int64)
	if !c.Has("dim") {
		c.Return(c.Op("GatherElements", In(c.flat(x), c.flat(index)), onnx.IntAttr("axis", 0)))
		return
	}
	rank := c.Rank("self")
	axis := c.Axis("dim", rank)
	one := func(shape V) V { // the size of the dimension is 1, which broadcasts
		mask := make([]int64, rank)
		for i := range mask {
			if int64(i) != axis {
				mask[i] = 1
			}
		}
		keep := c.I64(mask...)
		return c.Op("Add", In(c.mul(shape, keep), c.Op("Sub", In(c.I64(1), keep))))
	}
	sx, si := c.Shape(x), c.Shape(index)
	x, index = c.Op("Expand", In(x, one(si))), c.Op("Expand", In(index, one(sx)))
	c.Return(c.Op("GatherElements", In(x, index), onnx.IntAttr("axis", axis)))
}

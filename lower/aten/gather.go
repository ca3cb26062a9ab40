package aten

// This file lowers reads and writes at positions that a tensor holds.
//
// Indices are not checked here: ONNX's operators take negative ones and fail at run time for
// those out of range. Scatters with equal indices and no reduction have no defined order in
// either.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var gatherRecords = []Record{
	{Op: "torch.gather", Lower: func(c *Call) {
		x, index, axis := c.indexed()
		c.returnLike(c.emit.Op("GatherElements", In(x, index), onnx.IntAttr("axis", axis)))
	}},
	{Op: "torch.scatter", Lower: scatter},
	{Op: "torch.scatter_add", Lower: func(c *Call) {
		x, index, axis := c.indexed()
		c.returnLike(c.emit.scatterElements(x, index, c.updates("src", x.DType, index), axis, "add"))
	}},
	{Op: "torch.scatter_reduce", Lower: func(c *Call) {
		x, index, axis := c.indexed()
		c.returnLike(c.emit.scatterReduce(x, index, c.updates("src", x.DType, index), axis, c.Str("reduce"), c.Bool("include_self")))
	}},
	{Op: "torch.index_select", Lower: func(c *Call) {
		x, index := c.Tensor("self"), c.Tensor("index")
		rank := c.Rank("self")
		switch {
		case rank == 0:
			c.Return(x)
			return
		case c.Rank("index") == 0:
			index = c.emit.Unsqueeze(index, 0)
		}
		c.Return(c.emit.Op("Gather", In(x, index), onnx.IntAttr("axis", c.Axis("dim", rank))))
	}},
	{Op: "torch.index_add", Lower: func(c *Call) {
		e := c.emit
		x, index, src, axis := c.slicesAt("source")
		if !isOne(c.Arg("alpha")) {
			w := workType(x.DType)
			if w == onnx.Bool {
				w = onnx.Int32
			}
			src = e.Cast(e.mul(e.Cast(src, w), c.Number("alpha", w)), x.DType)
		}
		c.returnLike(e.scatterElements(x, index, src, axis, "add"))
	}},
	{Op: "torch.index_copy", Lower: func(c *Call) {
		x, index, src, axis := c.slicesAt("source")
		c.returnLike(c.emit.scatterElements(x, index, src, axis, ""))
	}},
	{Op: "torch.index_reduce", Lower: func(c *Call) {
		x, index, src, axis := c.slicesAt("source")
		c.returnLike(c.emit.scatterReduce(x, index, src, axis, c.Str("reduce"), c.Bool("include_self")))
	}},
	{Op: "torch.index_fill", Lower: indexFill},
	{Op: "torch.take", Lower: func(c *Call) {
		c.Return(c.emit.Op("Gather", In(c.emit.flat(c.Tensor("self")), c.Tensor("index")), onnx.IntAttr("axis", 0)))
	}},
	{Op: "torch.put", Lower: func(c *Call) {
		e := c.emit
		x := c.Tensor("self")
		reduction := ""
		if c.Bool("accumulate") {
			reduction = "add"
		}
		v := e.scatterElements(e.flat(x), e.flat(c.Tensor("index")), e.flat(c.Tensor("source")), 0, reduction)
		c.Return(e.ReshapeTo(v, e.Shape(x)))
	}},
	{Op: "torch.take_along_dim", Lower: takeAlong},
}

// indexed returns the tensor, the index and the axis; tensors without dimensions
// get one. The tensor has the result's type and the index int64. It fails if their ranks differ,
// but for the cases below.
func (c *Call) indexed() (x, index V, axis int64) {
	e := c.emit
	rank := c.Rank("self")
	x, index = c.Tensor("self"), c.Tensor("index")
	if c.Rank("index") != rank { // an empty index may have other dimensions, or a vector stand for a number
		switch {
		case rank == 0 || rank == 1 && c.Rank("index") == 0:
			index = e.flat(index)
		case emptyShape(c.Type("index")):
			index = e.filled(e.Op("Expand", In(e.I64(0), e.I64(int64(rank)))), onnx.Int64, 0)
		default:
			failf("the index has another number of dimensions")
		}
	} else if rank == 0 {
		index = e.flat(index)
	}
	if rank == 0 {
		x = e.flat(x)
	}
	if x.DType != c.OutDType(0) {
		x = e.Cast(x, c.OutDType(0))
	}
	return x, e.Cast(index, onnx.Int64), c.Axis("dim", rank)
}

// emptyShape reports whether a size is known to be 0.
func emptyShape(t *graph.TensorType) bool {
	for _, d := range t.Shape {
		if n, ok := d.Const(); ok && n == 0 {
			return true
		}
	}
	return false
}

// returnLike returns v with as many dimensions as the result has: tensors without
// dimensions were given one. The result of a call with a vector that stands for a number has no
// dimension either.
func (c *Call) returnLike(v V) {
	self, out := c.Rank("self"), c.OutRank(0)
	switch {
	case self == 0 && out == 0:
		v = c.emit.scalar0(v)
	case self == 1 && out == 0:
		v = c.emit.scalar0(v)
	case self > 1 && out != self:
		v = c.Reshape(v, nil, c.OutType(0).Shape)
	}
	c.Return(v)
}

// updates is what is written: of the index's shape, where the tensor may be larger. A number is
// expanded to the index's shape; a larger tensor is cut to it, as PyTorch reads only that part,
// where ONNX wants equal shapes.
func (c *Call) updates(name string, d onnx.DType, index V) V {
	e := c.emit
	v, ok := c.Arg(name).(*graph.Value)
	if !ok || v.Kind != graph.TensorKind {
		return e.Op("Expand", In(c.Operand(name, d), e.Shape(index)))
	}
	src, rank := c.Operand(name, d), rankOf(v)
	if rank == 0 {
		return e.flat(src)
	}
	if a, b := v.Type.Shape.String(), c.Type("index").Shape.String(); a == b {
		return src
	}
	if emptyShape(c.Type("index")) {
		return e.Op("Expand", In(e.Scalar(d, 0), e.Shape(index)))
	}
	return e.Op("Slice", In(src, e.I64(slices.Repeat([]int64{0}, rank)...), e.Shape(index)))
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
	c.returnLike(c.emit.scatterElements(x, index, v, axis, reduction))
}

// scatterReductions are ONNX's names, with what changes nothing.
var scatterReductions = map[string]string{"sum": "add", "mean": "add", "prod": "mul", "amax": "max", "amin": "min"}

// scatterReduce combines what is written to one place. Without self the places that
// are written to start as neutral. how is PyTorch's name. A mean is the sum divided by the number
// of contributions, with the element itself as one of them if self is set; integers are divided
// with rounding down. Bools are reduced as int32.
func (e *Emitter) scatterReduce(x, index, src V, axis int64, how string, self bool) V {
	reduction, ok := scatterReductions[how]
	if !ok {
		failf("there is no reduction %q", how)
	}
	d := x.DType
	if d == onnx.Bool {
		x, src = e.Cast(x, onnx.Int32), e.Cast(src, onnx.Int32)
	}
	before := x
	// The neutral element is written at all places of the index first; places that the index does
	// not name keep their elements.
	if !self {
		var neutral V
		switch how {
		case "prod":
			neutral = e.Scalar(x.DType, 1)
		case "amax":
			neutral = e.lowest(x.DType)
		case "amin":
			neutral = e.highest(x.DType)
		default:
			neutral = e.Scalar(x.DType, 0)
		}
		x = e.scatterElements(x, index, e.Op("Expand", In(neutral, e.Shape(index))), axis, "")
	}
	v := e.scatterElements(x, index, src, axis, reduction)
	if how == "mean" {
		w := workType(x.DType)
		start := 0.0
		if self {
			start = 1
		}
		n := e.scatterElements(e.filled(e.Shape(before), w, start), index, e.filled(e.Shape(index), w, 1), axis, "add")
		v = e.Cast(v, w)
		n = e.Op("Max", In(n, e.Scalar(w, 1)))
		if isFloat(w) {
			v = e.Op("Div", In(v, n))
		} else {
			v = e.floorDiv(v, n)
		}
		v = e.Cast(v, x.DType)
	}
	return e.Cast(v, d)
}

// slicesAt expands the index of index_add and its relatives to the shape of what is
// written. For PyTorch the index names slices along the dimension, while ONNX's ScatterElements
// needs an index for each element.
func (c *Call) slicesAt(name string) (x, index, src V, axis int64) {
	e := c.emit
	rank := c.Rank("self")
	x, index, axis = e.Cast(c.Tensor("self"), c.OutDType(0)), e.flat(e.Cast(c.Tensor("index"), onnx.Int64)), c.Axis("dim", rank)
	src = c.Operand(name, x.DType)
	if rank == 0 {
		return e.flat(x), index, e.flat(src), 0
	}
	if c.Rank(name) == 0 {
		src = e.flat(src)
	}
	if lastName(c.Node.Op) == "index_reduce" && c.Type(name).Shape.String() != c.Type("self").Shape.String() { // it is broadcast
		sizes := make([]V, rank)
		for i := range sizes {
			if sizes[i] = c.SizeOf("self", int64(i)); int64(i) == axis {
				sizes[i] = e.I64(1)
			}
		}
		src = e.Op("Expand", In(src, e.joined(sizes)))
	}
	for i := range rank {
		if int64(i) > axis {
			index = e.Unsqueeze(index, int64(i-int(axis)))
		}
	}
	return x, e.Op("Expand", In(index, e.Shape(src))), src, axis
}

// indexFill marks the indices of the dimension, and writes where the mark is. A mask is cheaper
// than a scatter of whole slices, and the value may be a tensor without dimensions.
func indexFill(c *Call) {
	e := c.emit
	rank := c.Rank("self")
	x, axis := c.Tensor("self"), c.Axis("dim", rank)
	if rank == 0 {
		x = e.flat(x)
	}
	size := e.Op("Shape", In(x), onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1))
	index := e.flat(e.Cast(c.Tensor("index"), onnx.Int64))
	mark := e.scatterElements(e.filled(size, onnx.Int32, 0), index, e.filled(e.Shape(index), onnx.Int32, 1), 0, "")
	if after := rank - 1 - int(axis); after > 0 {
		axes := make([]int64, after)
		for i := range axes {
			axes[i] = int64(i + 1)
		}
		mark = e.Unsqueeze(mark, axes...)
	}
	c.returnLike(e.where(e.Cast(mark, onnx.Bool), c.Operand("value", x.DType), x))
}

// takeAlong broadcasts tensor and indices but for the dimension. Without dim both are taken as
// flat.
func takeAlong(c *Call) {
	e := c.emit
	x, index := c.Tensor("self"), e.Cast(c.Tensor("indices"), onnx.Int64)
	if !c.Has("dim") {
		c.Return(e.Op("GatherElements", In(e.flat(x), e.flat(index)), onnx.IntAttr("axis", 0)))
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
		keep := e.I64(mask...)
		return e.Op("Add", In(e.mul(shape, keep), e.Op("Sub", In(e.I64(1), keep))))
	}
	sx, si := e.Shape(x), e.Shape(index)
	x, index = e.Op("Expand", In(x, one(si))), e.Op("Expand", In(index, one(sx)))
	c.Return(e.Op("GatherElements", In(x, index), onnx.IntAttr("axis", axis)))
}

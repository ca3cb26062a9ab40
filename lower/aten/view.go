package aten

// This file lowers changes of shape. Memory layout does not exist in ONNX: all
// forms of reshaping are one.

import (
	"fmt"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var viewRecords = []Record{
	{Op: "torch.reshape torch.Tensor.reshape torch.Tensor.reshape_as torch.Tensor.view torch.Tensor.view_as torch.flatten torch.unflatten " +
		"torch.ravel torch.squeeze torch.unsqueeze", Lower: reshape},
	{Op: "torch.atleast_1d torch.atleast_2d torch.atleast_3d", Lower: atLeast},
	{Op: "torch.permute torch.Tensor.permute", Lower: func(c *Call) {
		rank := c.Rank("self")
		perm := c.Ints("dims", -1)
		for i := range perm {
			perm[i] = wrap(perm[i], rank)
		}
		c.Return(c.emit.permute(c.Tensor("self"), perm))
	}},
	{Op: "torch.transpose", Lower: swap("dim0", "dim1")},
	{Op: "torch.swapaxes", Lower: swap("axis0", "axis1")},
	{Op: "torch.t torch.adjoint", Lower: func(c *Call) { c.Return(c.emit.swapLast(c.Tensor("self"), c.Rank("self"))) }},
	{Op: "torch.Tensor.T.get", Lower: transposed},
	{Op: "torch.Tensor.H.get", Lower: transposed},
	{Op: "torch.Tensor.mT.get", Lower: transposed},
	{Op: "torch.movedim", Lower: movedim},
	{Op: "torch.Tensor.expand torch.broadcast_to torch.Tensor.broadcast_to torch.Tensor.expand_as", Lower: func(c *Call) {
		c.OutRank(0)
		c.Return(c.expand(c.Tensor("self"), c.Type("self"), c.OutType(0)))
	}},
	{Op: "torch.broadcast_tensors", Lower: func(c *Call) {
		var outs []V
		for i, v := range c.List("tensors") {
			outs = append(outs, c.expand(v, &c.Items("tensors")[i].(*graph.Value).Type, c.OutType(i)))
		}
		c.Return(outs...)
	}},
	{Op: "torch.Tensor.contiguous torch.clone torch.detach torch.alias_copy torch.Tensor.detach_ torch.Tensor.share_memory_ torch.Tensor.requires_grad_ torch.positive", Lower: func(c *Call) { c.Return(c.first()) }},
	{Op: "torch.Tensor.to torch.Tensor.float torch.Tensor.double torch.Tensor.half torch.Tensor.bfloat16 torch.Tensor.long torch.Tensor.int torch.Tensor.short " +
		"torch.Tensor.char torch.Tensor.byte torch.Tensor.bool torch.Tensor.type torch.Tensor.type_as torch.Tensor.cpu torch.Tensor.cuda " +
		"torch.Tensor.xpu torch.Tensor.ipu torch.Tensor.numpy torch.Tensor.__array__", Lower: func(c *Call) { c.Return(c.first()) }},
	{Op: "torch.narrow torch.narrow_copy", Lower: narrow},
	{Op: "torch.select", Lower: func(c *Call) {
		rank := c.Rank("self")
		x, at := c.Tensor("self"), c.number("index", c.Arg("index"), onnx.Int64)
		c.Return(c.emit.Op("Gather", In(x, at), onnx.IntAttr("axis", c.Axis("dim", rank))))
	}},
	{Op: "torch.Tensor.repeat torch.tile torch.Tensor.tile", Lower: repeat},
	{Op: "torch.flip torch.Tensor.flip torch.fliplr torch.flipud", Lower: flip},
	{Op: "torch.rot90", Lower: rot90},
	{Op: "torch.roll", Lower: roll},
	{Op: "torch.slice_copy", Lower: func(c *Call) {
		e := c.emit
		axis := c.Axis("dim", c.Rank("self"))
		from, to := e.I64(0), e.I64(1<<62)
		if c.Has("start") {
			from = c.Sizes("start", []graph.Operand{c.Arg("start")})
		}
		if c.Has("end") {
			to = c.Sizes("end", []graph.Operand{c.Arg("end")})
		}
		c.Return(e.Op("Slice", In(c.Tensor("self"), from, to, e.I64(axis), e.I64(c.Int("step")))))
	}},
	{Op: "torch.Tensor.sum_to_size", Lower: sumToSize},
	{Op: "torch.Tensor.resize_ torch.Tensor.resize_as_", None: "it shows what memory holds beside the elements"},
	{Op: "torch.Tensor.apply_", None: "it calls a Python function for each element"},
}

// reshape gives the input the result's shape. view to another element type has no
// form. All forms of reshaping have found their result's shape in the interpreter; here only
// Reshape's second operand is made of it.
func reshape(c *Call) {
	c.OutRank(0)
	x := c.Tensor(c.Node.Args[0].Name)
	if x.DType != c.OutDType(0) {
		failf("the bits of a tensor cannot be read as another type")
	}
	c.Return(c.Reshape(x, c.Type(c.Node.Args[0].Name).Shape, c.OutType(0).Shape))
}

// atLeast takes tensors, or one list of them. New axes stand where NumPy puts them, which the
// result's shape already says.
func atLeast(c *Call) {
	items := c.Spread("tensors")
	outs := make([]V, len(items))
	for i, o := range items {
		v, ok := o.(*graph.Value)
		if !ok {
			failf("an argument is not a tensor")
		}
		outs[i] = c.Reshape(c.Value(fmt.Sprintf("tensors_%d", i), v), v.Type.Shape, c.OutType(i).Shape)
	}
	c.Return(outs...)
}

// permute reorders dimensions; the identity is no node.
func (e *Emitter) permute(x V, perm []int64) V {
	for i, p := range perm {
		if int64(i) != p {
			return e.Transpose(x, perm...)
		}
	}
	return x
}

// identity is the order 0, 1, … rank-1.
func identity(rank int) []int64 {
	perm := make([]int64, rank)
	for i := range perm {
		perm[i] = int64(i)
	}
	return perm
}

// a and b are the names of the two arguments; a tensor without axes is left as it is.
func swap(a, b string) func(c *Call) {
	return func(c *Call) {
		rank := c.Rank("self")
		perm := identity(rank)
		if rank > 0 {
			i, j := c.Axis(a, rank), c.Axis(b, rank)
			perm[i], perm[j] = perm[j], perm[i]
		}
		c.Return(c.emit.permute(c.Tensor("self"), perm))
	}
}

// swapLast swaps the last two dimensions.
func (e *Emitter) swapLast(x V, rank int) V {
	perm := identity(rank)
	if rank >= 2 {
		perm[rank-1], perm[rank-2] = perm[rank-2], perm[rank-1]
	}
	return e.permute(x, perm)
}

// transposed: T reverses all dimensions; H, mT and mH swap the last two.
func transposed(c *Call) {
	rank := c.Rank("self")
	if c.Node.Op == "torch.Tensor.T.get" {
		perm := identity(rank)
		slices.Reverse(perm)
		c.Return(c.emit.permute(c.Tensor("self"), perm))
		return
	}
	c.Return(c.emit.swapLast(c.Tensor("self"), rank))
}

// movedim puts each source dimension at its destination; the others keep their
// order.
func movedim(c *Call) {
	rank := c.Rank("self")
	from, to := c.Ints("source", -1), c.Ints("destination", -1)
	perm := slices.Repeat([]int64{-1}, rank)
	moved := map[int64]bool{}
	for i := range from {
		perm[wrap(to[i], rank)] = wrap(from[i], rank)
		moved[wrap(from[i], rank)] = true
	}
	next := int64(0)
	for i := range perm {
		if perm[i] >= 0 {
			continue
		}
		for moved[next] {
			next++
		}
		perm[i] = next
		next++
	}
	c.Return(c.emit.permute(c.Tensor("self"), perm))
}

// expand broadcasts x to the shape of out. A size that only the input knows is
// written as 1, which broadcasts to it. It is no node where the shapes are equal by their
// expressions.
func (c *Call) expand(x V, in, out *graph.TensorType) V {
	shape := make([]graph.Operand, len(out.Shape))
	same := len(in.Shape) == len(out.Shape)
	for i, d := range out.Shape {
		shape[i] = graph.Dim{Dim: d}
		j := i - len(out.Shape) + len(in.Shape)
		if j < 0 || in.Shape[j].Expr == nil || in.Shape[j].Expr != d.Expr {
			same = false
			continue
		}
		if n, ok := d.Const(); !ok || n != 0 { // the size stays
			shape[i] = graph.Int(1)
		}
	}
	if same {
		return x
	}
	return c.emit.Op("Expand", In(x, c.Sizes("shape", shape)))
}

// narrow takes length elements from start, which may count from the end. A negative start with a
// length up to the end must not end at 0, which would be the beginning. A start that only the run
// knows is made positive there.
func narrow(c *Call) {
	e := c.emit
	rank := c.Rank("self")
	axis := c.Axis("dim", rank)
	start, length := c.scalarI64("start"), c.scalarI64("length")
	end := e.Op("Add", In(start, length))
	if s, ok := ConstInt(c.Arg("start")); ok {
		if n, ok := ConstInt(c.Arg("length")); ok {
			stop := s + n
			if s < 0 && stop == 0 {
				stop = 1<<63 - 1
			}
			end = e.I64(stop)
		}
	} else {
		start = e.either(e.negative(start), e.add(start, c.SizeOf("self", axis)), start)
		end = e.add(start, length)
	}
	c.Return(e.Op("Slice", In(c.Tensor("self"), start, end, e.I64(axis))))
}

// scalarI64 is an integer argument as an i64 tensor with one element.
func (c *Call) scalarI64(name string) V {
	e := c.emit
	if n, ok := ConstInt(c.Arg(name)); ok {
		return e.I64(n)
	}
	v := c.number(name, c.Arg(name), onnx.Int64)
	return e.Op("Reshape", In(v, e.I64(1)))
}

// repeat repeats along each dimension; there may be more repeats than dimensions,
// or, for tile, fewer. Missing repeats are 1 in front (tile); more repeats than axes make new
// axes in front.
func repeat(c *Call) {
	x, rank := c.Tensor("self"), c.Rank("self")
	name := "dims"
	if c.Node.Op == "torch.Tensor.repeat" {
		name = "repeats"
	}
	items := slices.Clone(c.Items(name))
	for len(items) < rank {
		items = slices.Insert(items, 0, graph.Operand(graph.Int(1)))
	}
	if extra := len(items) - rank; extra > 0 {
		x = c.emit.Unsqueeze(x, identity(extra)...)
	}
	if len(items) == 0 {
		c.Return(x)
		return
	}
	c.Return(c.emit.Op("Tile", In(x, c.Sizes(name, items))))
}

// flip reverses dimensions.
func flip(c *Call) {
	rank := c.Rank("self")
	var axes []int64
	switch c.Node.Op {
	case "torch.fliplr":
		axes = []int64{1}
	case "torch.flipud":
		axes = []int64{0}
	default:
		if len(c.Items("dims")) > 0 {
			axes = c.Axes("dims", rank)
		}
	}
	x := c.Tensor("self")
	if len(axes) == 0 || rank == 0 {
		c.Return(x)
		return
	}
	c.Return(c.emit.backwards(x, axes...))
}

// backwards reverses dimensions. The slice goes from -1 with the step -1 to a place before every
// beginning.
func (e *Emitter) backwards(x V, axes ...int64) V {
	all := func(n int64) V { return e.I64(slices.Repeat([]int64{n}, len(axes))...) }
	return e.Op("Slice", In(x, all(-1), all(-1<<62), e.I64(axes...), all(-1)))
}

// rot90 turns the plane of two dimensions k times from the first to the second. k counts quarter
// turns, of which only k mod 4 matters: one is a reversal and a transposition, two are two
// reversals.
func rot90(c *Call) {
	e := c.emit
	rank := c.Rank("self")
	x, dims := c.Tensor("self"), c.Axes("dims", rank)
	perm := identity(rank)
	perm[dims[0]], perm[dims[1]] = perm[dims[1]], perm[dims[0]]
	switch c.Int("k") & 3 {
	case 1:
		x = e.Transpose(e.backwards(x, dims[1]), perm...)
	case 2:
		x = e.backwards(x, dims...)
	case 3:
		x = e.Transpose(e.backwards(x, dims[0]), perm...)
	}
	c.Return(x)
}

// sumToSize sums over the dimensions in front, and those that become 1. It fails on bools, as
// ReduceSum takes none.
func sumToSize(c *Call) {
	e := c.emit
	in, out := c.Type("self").Shape, c.OutType(0).Shape
	var axes []int64
	lead := c.Rank("self") - c.OutRank(0)
	for i := range in {
		if i < lead {
			axes = append(axes, int64(i))
			continue
		}
		if n, ok := out[i-lead].Const(); ok && n == 1 && !in[i].Expr.IsConst(1) {
			axes = append(axes, int64(i))
		}
	}
	d := c.OutDType(0)
	x := e.Cast(c.Tensor("self"), d)
	if len(axes) > 0 {
		if d == boolType {
			failf("a bool result of ReduceSum")
		}
		x = e.Cast(e.Reduce("ReduceSum", e.Cast(x, workType(d)), true, axes...), d)
	}
	c.Return(c.Reshape(x, nil, out))
}

// roll moves elements around the end: the last ones come first. Without dims the tensor is
// flattened, rolled and brought back.
func roll(c *Call) {
	e := c.emit
	x, rank := c.Tensor("self"), c.Rank("self")
	if rank == 0 {
		c.Return(x)
		return
	}
	shape := V{}
	axes := []int64{0}
	if !c.Has("dims") || len(c.Items("dims")) == 0 { // of the flattened tensor
		shape = e.Shape(x)
		x = e.Op("Reshape", In(x, e.I64(-1)))
	} else {
		axes = c.Axes("dims", rank)
	}
	for i, s := range c.Items("shifts") {
		axis := axes[i]
		if n, ok := ConstInt(s); ok && n == 0 {
			continue
		}
		x = e.rollBy(x, axis, c.bound(s, 0))
	}
	if shape.Name != "" {
		x = e.ReshapeTo(x, shape)
	}
	c.Return(x)
}

// rollBy rolls by n, which may be larger than the size: the cut is at -n mod size. The tail from
// the cut on comes first. An empty axis would make a remainder by zero, hence the maximum with 1.
func (e *Emitter) rollBy(x V, axis int64, n V) V {
	size := e.Op("Shape", In(x), onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1))
	cut := e.Op("Mod", In(e.Op("Neg", In(n)), e.Op("Max", In(size, e.I64(1)))))
	tail := e.Op("Slice", In(x, cut, e.I64(1<<62), e.I64(axis)))
	head := e.Op("Slice", In(x, e.I64(0), cut, e.I64(axis)))
	return e.Concat(axis, tail, head)
}

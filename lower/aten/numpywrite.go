package aten

// This file lowers what NumPy's functions take besides operands (out, where, initial), and its functions that write into arrays.

import (
	"cmp"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var numpyWriteRecords = []Record{
	{Op: "numpy.ndarray.fill", Lower: func(c *Call) {
		c.Return(c.Op("Expand", In(c.Number("value", c.OutDType(0)), c.Shape(c.Tensor("a")))))
	}},
	{Op: "numpy.ndarray.sort", Lower: numpySort},
	{Op: "numpy.add.at", Lower: writtenAt("add")},
	{Op: "numpy.subtract.at", Lower: writtenAt("sub")},
	{Op: "numpy.multiply.at", Lower: writtenAt("mul")},
	{Op: "numpy.maximum.at", Lower: writtenAt("max")},
	{Op: "numpy.minimum.at", Lower: writtenAt("min")},
	{Op: "numpy.copyto", Lower: func(c *Call) {
		old := c.Tensor("dst")
		y := c.data(c.Arg("src"), old.DType)
		if w := c.Arg("where"); w != nil && w != graph.Bool(true) {
			c.Return(c.either(c.data(w, onnx.Bool), y, old))
			return
		}
		c.Return(c.Op("Expand", In(y, c.Shape(old))))
	}},
	{Op: "numpy.putmask numpy.place", None: "which of the values is written depends on the mask: write a[mask] = number, or where"},
	{Op: "numpy.put", Lower: func(c *Call) {
		if c.Str("mode") != "raise" {
			c.Failf("modes of indices that are out of bounds are not written")
		}
		switch v := c.Arg("v").(type) {
		case graph.Int, graph.Float, graph.Bool:
		case *graph.Value:
			if v.Type.Rank() != 0 {
				c.Failf("only one number for all places is written")
			}
		default:
			c.Failf("only one number for all places is written")
		}
		old := c.Tensor("a")
		at := c.flat(c.data(c.Arg("ind"), onnx.Int64))
		v := c.Op("Expand", In(c.Number("v", old.DType), c.Shape(at)))
		c.Return(c.ReshapeTo(c.scatterElements(c.flat(old), at, v, 0, ""), c.Shape(old)))
	}},
}

// writtenAt is the method at of a universal function: elements that indices name several times change as often.
func writtenAt(how string) func(c *Call) {
	return func(c *Call) {
		x, rank := c.Tensor("a"), c.operandRank("b")
		v := c.data(c.Arg("b"), x.DType)
		reduction := how
		if how == "sub" {
			if !isFloat(x.DType) && x.DType != onnx.Int32 && x.DType != onnx.Int64 {
				c.Failf("of small integers it is not written")
			}
			reduction, v = "add", c.neg(v)
		}
		c.Return(c.write(x, c.key(c.Arg("indices"), c.Rank("a")), v, rank, reduction))
	}
}

// dropArguments leaves arguments out of the call.
func (c *Call) dropArguments(names ...string) {
	n := *c.Node
	n.Args = nil
	for _, a := range c.Node.Args {
		keep := true
		for _, name := range names {
			keep = keep && a.Name != name
		}
		if keep {
			n.Args = append(n.Args, a)
		}
	}
	c.Node = &n
}

// whereMask is the argument where, an array or numbers of bool; absent where it is True.
func (c *Call) whereMask() (mask V, given bool) {
	w := c.Arg("where")
	if w == nil || w == graph.Bool(true) {
		return V{}, false
	}
	return c.data(w, onnx.Bool), true
}

// withWhere lowers a function of NumPy by a rule that knows nothing of out and where. What is
// computed is stretched to the array out, of which elements stay where the mask is false.
func withWhere(rule func(c *Call)) func(c *Call) {
	return func(c *Call) {
		mask, given := c.whereMask()
		out, into := c.Arg("out").(*graph.Value)
		if c.Arg("out") != nil && !into {
			c.Failf("several arrays in out= are not written")
		}
		if given && !into {
			c.Failf("where where= is false, NumPy's result is what was in memory: give out=")
		}
		var old V
		if into {
			old = c.Value("out", out)
		}
		c.dropArguments("out", "where")
		if rule(c); !into || len(c.outs) != 1 {
			return
		}
		y := c.Cast(c.outs[0], old.DType)
		switch {
		case given:
			y = c.either(mask, y, old)
		default:
			y = c.Op("Expand", In(y, c.Shape(old)))
		}
		c.outs[0] = c.Cast(y, c.OutDType(0))
	}
}

// A partFold says how a reduction leaves elements out.
type partFold struct {
	op      string  // ONNX's reduction
	neutral float64 // what changes nothing; max and min have none
	choice  bool
}

var partFolds = map[string]partFold{
	"sum": {op: "ReduceSum"}, "prod": {op: "ReduceProd", neutral: 1}, "max": {op: "ReduceMax", choice: true},
	"min": {op: "ReduceMin", choice: true},
	"any": {op: "ReduceMax"}, "all": {op: "ReduceMin", neutral: 1}, "mean": {op: "ReduceSum"},
}

// partly lowers a reduction with where or initial; it is false where it has neither.
func (c *Call) partly(name string) bool {
	mask, given := c.whereMask()
	initial := c.Has("initial")
	if !given && !initial {
		return false
	}
	f, ok := partFolds[name]
	if !ok {
		c.Failf("where= and initial= are not written")
	}
	d := c.OutDType(0)
	w := workType(d)
	x := c.Cast(c.Tensor(c.Node.Args[0].Name), w)
	if name == "any" || name == "all" {
		w = onnx.Int32
		x = c.Cast(c.Cast(c.Tensor(c.Node.Args[0].Name), onnx.Bool), w)
	}
	if w == onnx.Bool {
		c.Failf("where= and initial= of bools are not written")
	}
	var first V
	if initial {
		first = c.Number("initial", w)
	}
	axes, keep := c.numpyAxes(), c.Bool("keepdims")
	if given {
		neutral := c.Scalar(w, f.neutral)
		if f.choice {
			neutral = first
		}
		x = c.either(mask, x, neutral)
	}
	y := c.reduceDims(f.op, x, axes, keep)
	switch {
	case name == "mean":
		n := c.either(mask, c.Op("Expand", In(c.Scalar(w, 1), c.Shape(x))), c.Scalar(w, 0))
		y = c.Op("Div", In(y, c.reduceDims("ReduceSum", n, axes, keep)))
	case !initial:
	case name == "sum":
		y = c.add(y, first)
	case name == "prod":
		y = c.mul(y, first)
	case f.op == "ReduceMax":
		y = c.Op("Max", In(y, first))
	default:
		y = c.Op("Min", In(y, first))
	}
	c.Return(c.Cast(y, d))
	return true
}

// numpySort sorts: equal elements are the same in any order.
func numpySort(c *Call) {
	if !c.Has("axis") { // of all elements
		c.rename("torch.sort", "input=a")
		x, restore := c.sortable("input", c.OutDType(0))
		v, _ := c.sortAxis(c.flat(x), 0, false)
		c.Return(restore(v))
		return
	}
	c.rename("torch.sort", "input=a dim=axis")
	v, _ := c.sorted("input", c.OutDType(0), c.Axis("dim", c.Rank("input")), false)
	c.Return(v)
}

// numpyUnique gives the sorted different elements, and where they are first, which of them each
// element is, and how many there are, as far as it is asked.
func numpyUnique(c *Call) {
	x := c.Tensor("ar")
	d := x.DType
	switch {
	case d == onnx.Float16:
		x = c.Cast(x, onnx.Float)
	case !isFloat(d):
		x = c.Cast(x, onnx.Int64)
	}
	attrs := []*onnx.Attr{onnx.IntAttr("sorted", 1)}
	if c.Has("axis") {
		attrs = append(attrs, onnx.IntAttr("axis", c.Axis("axis", c.Rank("ar"))))
	}
	found := c.Ops("Unique", 4, In(x), attrs...)
	outs := []V{c.Cast(found[0], d)}
	for i, name := range [...]string{"return_index", "return_inverse", "return_counts"} {
		if !c.Bool(name) {
			continue
		}
		y := found[i+1]
		if k := len(outs); name == "return_inverse" && k < len(c.Node.Outputs) && c.OutRank(k) != 1 {
			y = c.ReshapeTo(y, c.Shape(x)) // since NumPy 2
		}
		outs = append(outs, y)
	}
	c.Return(outs...)
}

// numpyRepeat repeats each element along an axis, all alike or by a list of numbers.
func numpyRepeat(c *Call) {
	if v, ok := c.Arg("repeats").(*graph.Value); ok && v.Kind == graph.TensorKind {
		c.Failf("numbers of repeats that data decide are not written")
	}
	if !isList(c.Arg("repeats")) {
		adaptRecord("torch.repeat_interleave", "self=a repeats=repeats dim=axis")(c)
		return
	}
	leaves, dims := c.flatten(c.Arg("repeats"))
	if len(dims) != 1 || len(leaves) < 2 {
		c.Failf("another number of repeats for each element is written for a list of them")
	}
	var at []int64
	for i, l := range leaves {
		n, ok := ConstInt(l)
		if !ok || n < 0 || int64(len(at))+n > 1<<16 {
			c.Failf("the numbers of repeats must be known")
		}
		for range n {
			at = append(at, int64(i))
		}
	}
	x, axis := c.first(), int64(0)
	if c.Has("axis") {
		axis = c.Axis("axis", c.Rank("a"))
	} else {
		x = c.flat(x)
	}
	c.Return(c.Op("Gather", In(x, c.Const(onnx.NewInts([]int64{int64(len(at))}, at...))), onnx.IntAttr("axis", axis)))
}

// piecesOf is the array of insert and delete, flat without an axis, and the axis.
func (c *Call) piecesOf() (x V, rank int, axis int64) {
	x, rank = c.Tensor("arr"), c.Rank("arr")
	switch {
	case c.Has("axis"):
		return x, rank, c.Axis("axis", rank)
	case rank == 1:
		return x, 1, 0
	}
	return c.flat(x), 1, 0
}

// placesOf are the known places of an axis that the argument obj names, and the axis' size. Known places of the front
// and the back of an axis of unknown size are told apart by their sign, so size is -1 there, and only one number is
// taken.
func (c *Call) placesOf(axis int64, masks bool) (at []int64, size int64, single bool) {
	size = -1
	if s := c.Type("arr").Shape; c.Has("axis") || len(s) == 1 {
		if n, ok := s[axis].Const(); ok {
			size = n
		}
	} else if n, ok := c.Pool.Numel(s).Const(); ok {
		size = n
	}
	if n, ok := ConstInt(c.Arg("obj")); ok {
		return []int64{n}, size, true
	}
	if size < 0 {
		c.Failf("several places in an axis whose size is not known are not written")
	}
	if s, ok := c.Arg("obj").(graph.Slice); ok {
		return sliced(c, s, size), size, false
	}
	leaves, dims := c.flatten(c.Arg("obj"))
	if len(dims) != 1 {
		c.Failf("the places must be a number, a slice or a list of numbers")
	}
	for i, l := range leaves {
		if b, ok := l.(graph.Bool); ok && masks {
			if b {
				at = append(at, int64(i))
			}
			continue
		}
		n, ok := ConstInt(l)
		if !ok {
			c.Failf("the places must be known")
		}
		at = append(at, n)
	}
	for i, n := range at {
		if n < 0 {
			at[i] = n + size
		}
	}
	return at, size, false
}

// sliced are the places of a slice of an axis.
func sliced(c *Call, s graph.Slice, size int64) []int64 {
	part := func(o graph.Operand, otherwise int64) int64 {
		if o == nil {
			return otherwise
		}
		n, ok := ConstInt(o)
		if !ok {
			c.Failf("the slice must be known")
		}
		return n
	}
	step := part(s.Step, 1)
	start, stop, low, high := int64(0), size, int64(0), size
	if step < 0 {
		start, stop, low, high = size-1, -1, -1, size-1
	}
	bound := func(o graph.Operand, otherwise int64) int64 {
		if o == nil {
			return otherwise
		}
		n := part(o, 0)
		if n < 0 {
			n += size
		}
		return min(max(n, low), high)
	}
	start, stop = bound(s.Start, start), bound(s.Stop, stop)
	var at []int64
	for i := start; step > 0 && i < stop || step < 0 && i > stop; i += step {
		at = append(at, i)
	}
	return at
}

// numpyDelete keeps the other places of an axis.
func numpyDelete(c *Call) {
	x, _, axis := c.piecesOf()
	at, size, single := c.placesOf(axis, true)
	if single {
		n, after := at[0], at[0]+1
		if after == 0 {
			after = 1 << 62
		}
		c.Return(c.Concat(axis, c.Slice(x, axis, 0, n, 1), c.Slice(x, axis, after, 1<<62, 1)))
		return
	}
	var rest []int64
	for i := range size {
		if !contains(at, i) {
			rest = append(rest, i)
		}
	}
	c.Return(c.Op("Gather", In(x, c.I64(rest...)), onnx.IntAttr("axis", axis)))
}

// numpyInsert puts values in front of places of an axis. Beside a single number, the values' first axis is that axis; a list of
// places takes values as an assignment to them does.
func numpyInsert(c *Call) {
	x, rank, axis := c.piecesOf()
	at, size, single := c.placesOf(axis, false)
	v, n := c.data(c.Arg("values"), x.DType), c.operandRank("values")
	if n > rank {
		c.Failf("values of more dimensions than the array are not written")
	}
	if n < rank {
		v = c.Op("Unsqueeze", In(v, c.I64(identity(rank-n)...)))
	}
	if single {
		perm := slices.Insert(identity(rank)[1:], int(axis), 0)
		v = c.permute(v, perm)
	}
	sizes := c.Shape(x)
	many := c.I64(1) // as many as the values have, in one place
	if len(at) != 1 {
		many = c.I64(int64(len(at)))
	}
	parts := []V{many}
	if axis > 0 {
		parts = append([]V{c.Slice(sizes, 0, 0, axis, 1)}, parts...)
	}
	if int(axis) < rank-1 {
		parts = append(parts, c.Slice(sizes, 0, axis+1, 1<<62, 1))
	}
	v = c.Op("Expand", In(v, c.Concat(0, parts...)))
	if len(at) == 1 {
		c.Return(c.Concat(axis, c.Slice(x, axis, 0, at[0], 1), v, c.Slice(x, axis, at[0], 1<<62, 1)))
		return
	}
	// Of the array with the values behind it, the places in their new order.
	order := identity(len(at))
	slices.SortStableFunc(order, func(a, b int64) int { return cmp.Compare(at[a], at[b]) })
	var list []int64
	for i, k := int64(0), 0; i <= size; i++ {
		for ; k < len(order) && at[order[k]] == i; k++ {
			list = append(list, size+order[k])
		}
		if i < size {
			list = append(list, i)
		}
	}
	c.Return(c.Op("Gather", In(c.Concat(axis, x, v), c.I64(list...)), onnx.IntAttr("axis", axis)))
}

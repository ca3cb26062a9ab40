package aten

// This file lowers what NumPy's functions take besides operands (out, where, initial), and its functions that write into arrays.
//
// Values are immutable in ONNX, so a function that writes into an array becomes one whose result
// is the array as it is afterwards; the graph has already replaced later uses of the array by it.
// where= selects with a Where between what was computed and what was there, and out= fixes the
// shape and the type of the result.

import (
	"cmp"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var numpyWriteRecords = []Record{
	{Op: "numpy.ndarray.fill", Lower: func(c *Call) {
		c.Return(c.emit.Op("Expand", In(c.Number("value", c.OutDType(0)), c.emit.Shape(c.Tensor("a")))))
	}},
	{Op: "numpy.ndarray.sort", Lower: numpySort},
	{Op: "numpy.add.at", Lower: writtenAt("add")},
	{Op: "numpy.subtract.at", Lower: writtenAt("sub")},
	{Op: "numpy.multiply.at", Lower: writtenAt("mul")},
	{Op: "numpy.maximum.at", Lower: writtenAt("max")},
	{Op: "numpy.minimum.at", Lower: writtenAt("min")},
	{Op: "numpy.copyto", Lower: func(c *Call) {
		e := c.emit
		old := c.Tensor("dst")
		y := c.data(c.Arg("src"), old.DType)
		if w := c.Arg("where"); w != nil && w != graph.Bool(true) {
			c.Return(e.either(c.data(w, onnx.Bool), y, old))
			return
		}
		c.Return(e.Op("Expand", In(y, e.Shape(old))))
	}},
	{Op: "numpy.putmask numpy.place", None: "which of the values is written depends on the mask: write a[mask] = number, or where"},
	{Op: "numpy.put", Lower: func(c *Call) {
		e := c.emit
		if c.Str("mode") != "raise" {
			failf("modes of indices that are out of bounds are not written")
		}
		switch v := c.Arg("v").(type) {
		case graph.Int, graph.Float, graph.Bool:
		case *graph.Value:
			if v.Type.Rank() != 0 {
				failf("only one number for all places is written")
			}
		default:
			failf("only one number for all places is written")
		}
		old := c.Tensor("a")
		at := e.flat(c.data(c.Arg("ind"), onnx.Int64))
		v := e.Op("Expand", In(c.Number("v", old.DType), e.Shape(at)))
		c.Return(e.ReshapeTo(e.scatterElements(e.flat(old), at, v, 0, ""), e.Shape(old)))
	}},
}

// writtenAt is the method at of a universal function: elements that indices name several times
// change as often. A subtraction is the addition of the negative, as ScatterND has no
// subtraction; unsigned and small integers would wrap in another type, so they are refused.
func writtenAt(how string) func(c *Call) {
	return func(c *Call) {
		x, rank := c.Tensor("a"), c.operandRank("b")
		v := c.data(c.Arg("b"), x.DType)
		reduction := how
		if how == "sub" {
			if !isFloat(x.DType) && x.DType != onnx.Int32 && x.DType != onnx.Int64 {
				failf("of small integers it is not written")
			}
			reduction, v = "add", c.emit.neg(v)
		}
		c.Return(c.write(x, c.key(c.Arg("indices"), c.Rank("a")), v, rank, reduction))
	}
}

// dropArguments leaves arguments out of the call. The node is copied, since other rules still see
// it as it was.
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
// computed is stretched to the array out, of which elements stay where the mask is false. Without
// out= elements that the mask leaves out would be whatever was in memory, and no model means
// that. The result is converted to out's type, which is what NumPy's casting into it does.
func withWhere(rule func(c *Call)) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		mask, given := c.whereMask()
		out, into := c.Arg("out").(*graph.Value)
		if c.Arg("out") != nil && !into {
			failf("several arrays in out= are not written")
		}
		if given && !into {
			failf("where where= is false, NumPy's result is what was in memory: give out=")
		}
		var old V
		if into {
			old = c.Value("out", out)
		}
		c.dropArguments("out", "where")
		if rule(c); !into || len(c.outs) != 1 {
			return
		}
		y := e.Cast(c.outs[0], old.DType)
		switch {
		case given:
			y = e.either(mask, y, old)
		default:
			y = e.Op("Expand", In(y, e.Shape(old)))
		}
		c.outs[0] = e.Cast(y, c.OutDType(0))
	}
}

// A partFold says how a reduction leaves elements out. choice says that the reduction chooses an
// element: without a neutral one it needs initial, which NumPy demands as well.
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

// partly lowers a reduction with where or initial; it is false where it has neither. Elements
// that where leaves out become the neutral one, initial is joined to the result, and a mean
// divides by the number of elements that are left. any and all are extremes of 0 and 1.
func (c *Call) partly(name string) bool {
	e := c.emit
	mask, given := c.whereMask()
	initial := c.Has("initial")
	if !given && !initial {
		return false
	}
	f, ok := partFolds[name]
	if !ok {
		failf("where= and initial= are not written")
	}
	d := c.OutDType(0)
	w := workType(d)
	x := e.Cast(c.Tensor(c.Node.Args[0].Name), w)
	if name == "any" || name == "all" {
		w = onnx.Int32
		x = e.Cast(e.Cast(c.Tensor(c.Node.Args[0].Name), onnx.Bool), w)
	}
	if w == onnx.Bool {
		failf("where= and initial= of bools are not written")
	}
	var first V
	if initial {
		first = c.Number("initial", w)
	}
	axes, keep := c.numpyAxes(), c.Bool("keepdims")
	if given {
		neutral := e.Scalar(w, f.neutral)
		if f.choice {
			neutral = first
		}
		x = e.either(mask, x, neutral)
	}
	y := c.reduceDims(f.op, x, axes, keep)
	switch {
	case name == "mean":
		n := e.either(mask, e.Op("Expand", In(e.Scalar(w, 1), e.Shape(x))), e.Scalar(w, 0))
		y = e.Op("Div", In(y, c.reduceDims("ReduceSum", n, axes, keep)))
	case !initial:
	case name == "sum":
		y = e.add(y, first)
	case name == "prod":
		y = e.mul(y, first)
	case f.op == "ReduceMax":
		y = e.Op("Max", In(y, first))
	default:
		y = e.Op("Min", In(y, first))
	}
	c.Return(e.Cast(y, d))
	return true
}

// numpySort sorts: equal elements are the same in any order. Without axis (axis=None) the array
// is flattened first.
func numpySort(c *Call) {
	if !c.Has("axis") { // of all elements
		c.rename("torch.sort", "input=a")
		x, restore := c.sortable("input", c.OutDType(0))
		v, _ := c.sortAxis(c.emit.flat(x), 0, false)
		c.Return(restore(v))
		return
	}
	c.rename("torch.sort", "input=a dim=axis")
	v, _ := c.sorted("input", c.OutDType(0), c.Axis("dim", c.Rank("input")), false)
	c.Return(v)
}

// numpyUnique gives the sorted different elements, and where they are first, which of them each
// element is, and how many there are, as far as it is asked. Small integers and bools are found
// as int64, half floats as float32, because runtimes have Unique for few types. The inverse has
// the operand's shape since NumPy 2, which the interpreter's shape tells.
func numpyUnique(c *Call) {
	e := c.emit
	x := c.Tensor("ar")
	d := x.DType
	switch {
	case d == onnx.Float16:
		x = e.Cast(x, onnx.Float)
	case !isFloat(d):
		x = e.Cast(x, onnx.Int64)
	}
	attrs := []*onnx.Attr{onnx.IntAttr("sorted", 1)}
	if c.Has("axis") {
		attrs = append(attrs, onnx.IntAttr("axis", c.Axis("axis", c.Rank("ar"))))
	}
	found := e.Ops("Unique", 4, In(x), attrs...)
	outs := []V{e.Cast(found[0], d)}
	for i, name := range [...]string{"return_index", "return_inverse", "return_counts"} {
		if !c.Bool(name) {
			continue
		}
		y := found[i+1]
		if k := len(outs); name == "return_inverse" && k < len(c.Node.Outputs) && c.OutRank(k) != 1 {
			y = e.ReshapeTo(y, e.Shape(x)) // since NumPy 2
		}
		outs = append(outs, y)
	}
	c.Return(outs...)
}

// numpyRepeat repeats each element along an axis, all alike or by a list of numbers. A list of
// numbers becomes a Gather of the repeated places, of which there are at most 2^16.
func numpyRepeat(c *Call) {
	e := c.emit
	if v, ok := c.Arg("repeats").(*graph.Value); ok && v.Kind == graph.TensorKind {
		failf("numbers of repeats that data decide are not written")
	}
	if !isList(c.Arg("repeats")) {
		adaptRecord("torch.repeat_interleave", "self=a repeats=repeats dim=axis")(c)
		return
	}
	leaves, dims := flatten(c.Arg("repeats"))
	if len(dims) != 1 || len(leaves) < 2 {
		failf("another number of repeats for each element is written for a list of them")
	}
	var at []int64
	for i, l := range leaves {
		n, ok := ConstInt(l)
		if !ok || n < 0 || int64(len(at))+n > 1<<16 {
			failf("the numbers of repeats must be known")
		}
		for range n {
			at = append(at, int64(i))
		}
	}
	x, axis := c.first(), int64(0)
	if c.Has("axis") {
		axis = c.Axis("axis", c.Rank("a"))
	} else {
		x = e.flat(x)
	}
	c.Return(e.Op("Gather", In(x, e.Const(onnx.NewInts([]int64{int64(len(at))}, at...))), onnx.IntAttr("axis", axis)))
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
	return c.emit.flat(x), 1, 0
}

// placesOf are the known places of an axis that the argument obj names, and the axis' size. Known places of the front
// and the back of an axis of unknown size are told apart by their sign, so size is -1 there, and only one number is
// taken. Negative places are made positive where the size is known. masks says that bools select
// places.
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
		failf("several places in an axis whose size is not known are not written")
	}
	if s, ok := c.Arg("obj").(graph.Slice); ok {
		return sliced(s, size), size, false
	}
	leaves, dims := flatten(c.Arg("obj"))
	if len(dims) != 1 {
		failf("the places must be a number, a slice or a list of numbers")
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
			failf("the places must be known")
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

// sliced are the places of a slice of an axis. These are the rules of Python's slice.indices.
func sliced(s graph.Slice, size int64) []int64 {
	part := func(o graph.Operand, otherwise int64) int64 {
		if o == nil {
			return otherwise
		}
		n, ok := ConstInt(o)
		if !ok {
			failf("the slice must be known")
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

// numpyDelete keeps the other places of an axis. With one place it is the join of what is before
// and what is behind it, so the size need not be known.
func numpyDelete(c *Call) {
	e := c.emit
	x, _, axis := c.piecesOf()
	at, size, single := c.placesOf(axis, true)
	if single {
		n, after := at[0], at[0]+1
		if after == 0 {
			after = 1 << 62
		}
		c.Return(e.Concat(axis, e.Slice(x, axis, 0, n, 1), e.Slice(x, axis, after, 1<<62, 1)))
		return
	}
	var rest []int64
	for i := range size {
		if !contains(at, i) {
			rest = append(rest, i)
		}
	}
	c.Return(e.Op("Gather", In(x, e.I64(rest...)), onnx.IntAttr("axis", axis)))
}

// numpyInsert puts values in front of places of an axis. Beside a single number, the values' first axis is that axis; a list of
// places takes values as an assignment to them does. With several places the values are joined
// behind the array and a Gather puts all in order: places count in the array as it was, and equal
// ones keep the order of the values, hence the stable sort.
func numpyInsert(c *Call) {
	e := c.emit
	x, rank, axis := c.piecesOf()
	at, size, single := c.placesOf(axis, false)
	v, n := c.data(c.Arg("values"), x.DType), c.operandRank("values")
	if n > rank {
		failf("values of more dimensions than the array are not written")
	}
	if n < rank {
		v = e.Op("Unsqueeze", In(v, e.I64(identity(rank-n)...)))
	}
	if single {
		perm := slices.Insert(identity(rank)[1:], int(axis), 0)
		v = e.permute(v, perm)
	}
	sizes := e.Shape(x)
	many := e.I64(1) // as many as the values have, in one place
	if len(at) != 1 {
		many = e.I64(int64(len(at)))
	}
	parts := []V{many}
	if axis > 0 {
		parts = append([]V{e.Slice(sizes, 0, 0, axis, 1)}, parts...)
	}
	if int(axis) < rank-1 {
		parts = append(parts, e.Slice(sizes, 0, axis+1, 1<<62, 1))
	}
	v = e.Op("Expand", In(v, e.Concat(0, parts...)))
	if len(at) == 1 {
		c.Return(e.Concat(axis, e.Slice(x, axis, 0, at[0], 1), v, e.Slice(x, axis, at[0], 1<<62, 1)))
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
	c.Return(e.Op("Gather", In(e.Concat(axis, x, v), e.I64(list...)), onnx.IntAttr("axis", axis)))
}

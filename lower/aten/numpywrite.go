package aten

// This file lowers what NumPy's functions take besides operands (out, where, initial), and its functions that write into arrays.

import (
	"shapecheck/infer/graph"
	"shapecheck/internal/onnx"
)

var numpyWriteRecords = []Record{
	{Op: "numpy.ndarray.fill", Lower: func(c *Call) {
		c.Return(c.Op("Expand", In(c.Number("value", c.OutDType(0)), c.Shape(c.Tensor("a")))))
	}},
	{Op: "numpy.ndarray.sort", Lower: numpySort},
	{Op: "numpy.copyto", Lower: func(c *Call) {
		old := c.Tensor("dst")
		y := c.data(c.Arg("src"), old.DType)
		if w := c.Arg("where"); w != nil && w != graph.Bool(true) {
			c.Return(c.either(c.data(w, onnx.Bool), y, old))
			return
		}
		c.Return(c.Op("Expand", In(y, c.Shape(old))))
	}},
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

// without leaves arguments out of the call.
func (c *Call) without(names ...string) {
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
		c.without("out", "where")
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
	"sum": {op: "ReduceSum"}, "prod": {op: "ReduceProd", neutral: 1}, "max": {op: "ReduceMax", choice: true}, "min": {op: "ReduceMin", choice: true},
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
	if !c.Has("axis") {
		c.Failf("without an axis it is not written")
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

// numpySearch is searchsorted of operands of one element type.
func numpySearch(c *Call) {
	c.rename("torch.searchsorted", "sorted_sequence=a input=v side=side sorter=sorter")
	if c.Has("sorter") {
		c.Failf("sorter= is not written")
	}
	v, isTensor := c.Arg("input").(*graph.Value)
	if isTensor && v.Type.DType != c.Type("sorted_sequence").DType {
		c.Failf("of operands of two types it is not written")
	}
	d := workType(c.dtype(c.Type("sorted_sequence").DType))
	if _, isFloat64 := c.Arg("input").(graph.Float); isFloat64 && d != onnx.Double {
		d = onnx.Double
	}
	c.search(c.Operand("sorted_sequence", d), 1, "input", d)
}

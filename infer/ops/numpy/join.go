package numpy

// This file holds what joins, splits and pads arrays, and coordinates. Joins convert their
// arguments to arrays of one dtype (OneDType) and hand over to torch.cat and torch.stack by
// Delegate, which check the sizes. The differences from PyTorch are made up before: NumPy's
// promotion, casting=, lists of numbers, arrays without dimensions, and results that are lists.
// Splits go to torch.tensor_split in the same way.

import (
	"math"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// arrayJoinOps lists joining, splitting and padding. Joined arrays have one dtype, the promoted one unless
// dtype= says otherwise, and equal sizes but along the axis.
func arrayJoinOps() []ops.Op {
	return []ops.Op{
		array("concatenate concat", "(any arrays, any axis=0, any out=None, *, any dtype=None, any casting='same_kind')", concatenate,
			"arrays joined along an axis").With(ops.Op{Is: graph.NewIfRows}),
		array("stack", "(any arrays, any axis=0, any out=None, *, any dtype=None, any casting='same_kind')", stackArrays,
			"arrays joined along a new axis").With(ops.Op{Is: graph.NewIfRows}),
		array("vstack row_stack", "(any tup, *, any dtype=None, any casting='same_kind')",
			stackedRule("torch.atleast_2d", func(int) int { return 0 }), "arrays joined by rows").With(ops.Op{Is: graph.NewIfRows}),
		array("hstack", "(any tup, *, any dtype=None, any casting='same_kind')",
			stackedRule("torch.atleast_1d", func(rank int) int { return min(rank-1, 1) }), "arrays joined by columns").
			With(ops.Op{Is: graph.NewIfRows}),
		array("dstack", "(any tup)", stackedRule("torch.atleast_3d", func(int) int { return 2 }), "arrays joined along the third axis"),
		array("column_stack", "(any tup)", stackedRule("column", func(int) int { return 1 }), "vectors and matrices as columns"),
		array("append", "(any arr, any values, any axis=None)", appendArray, "a copy with values at the end"),
		array("split", "(any ary, any indices_or_sections, any axis=0)", splitArray(0, true),
			"a list of equal parts, or of parts between indices"),
		array("array_split", "(any ary, any indices_or_sections, any axis=0)", splitArray(0, false), "a list of parts"),
		array("vsplit", "(any ary, any indices_or_sections)", splitArray(0, true),
			"a list of equal parts along axis 0").With(ops.Op{Variant: ofMatrices}),
		array("hsplit", "(any ary, any indices_or_sections)", splitArray(1, true), "a list of equal parts along axis 1"),
		array("dsplit", "(any ary, any indices_or_sections)", splitArray(2, true), "a list of equal parts along axis 2"),
		array("meshgrid", "(*xi, any copy=True, any sparse=False, any indexing='xy')", meshgridArrays,
			"coordinates; the first two axes exchanged unless indexing is 'ij'"),
		array("pad", "(any array, any pad_width, any mode='constant', **kwargs)", padArray, "borders added").
			With(ops.Op{Is: graph.KeepsAxes | graph.NewIfRows,
				Trace: ops.TakesSizes}),
	}
}

// OneDType reads a sequence of arrays and converts them to one dtype. A sequence may also be an
// array, whose rows are the parts. The result is nil where the number of parts, a dtype or a value
// is not known (the result is lost), and after a fault: none at all is a ValueError, and a
// conversion that casting forbids a TypeError.
func OneDType(c *ops.Call, v value.Value) []value.Value {
	var elems []value.Value
	if t, ok := v.(*value.Tensor); ok && ops.IsArray(t) {
		// The parts of an array are arrays, though torch.unbind gives tensors.
		parts, _ := c.Delegate("torch.unbind", []value.Value{t}).(*value.Tuple)
		if parts == nil {
			return nil
		}
		elems = parts.Elems
		for _, e := range elems {
			if x, ok := e.(*value.Tensor); ok {
				x.Class = c.NDArray()
			}
		}
	} else {
		var isList bool
		var open *value.Open
		// A list of which the end is not known has an unknown number of arrays.
		elems, isList, open = c.Sequence(v)
		if !isList || open != nil {
			c.Lose("the arrays are not known")
			return nil
		}
	}
	if len(elems) == 0 {
		c.Errorf("ValueError", diag.BadCall, "%s() needs at least one array", c.Short())
		return nil
	}
	ts := ToArrays(c, elems)
	if ts == nil {
		return nil
	}
	// Promotion goes from left to right, as numpy.result_type does for arrays; the value of scalars
	// plays no part, since all became arrays.
	d := dtype.Unknown
	for i, t := range ts {
		e := t.(*value.Tensor).Type().DType
		switch {
		case e == dtype.Unknown:
			c.Lose("the dtype of an array is not known")
			return nil
		case i == 0:
			d = e
		default:
			d = dtype.Numpy(d, e)
		}
	}
	// dtype= asks for another dtype than the common one.
	if asked := arrayDType(c, d); asked != d {
		for _, t := range ts {
			if from := t.(*value.Tensor).Type().DType; !canCast(from, asked, casting(c)) {
				c.Errorf("TypeError", diag.DTypeMismatch, "%s(): %s cannot be converted to %s with casting '%s'", c.Short(), t, asked.Numpy(),
					casting(c))
				return nil
			}
		}
		d = asked
	}
	for i, t := range ts {
		x := astype(c, t.(*value.Tensor), d)
		if x == nil {
			return nil
		}
		ts[i] = x
	}
	return ts
}

// cat joins arrays of one dtype. NumPy compares the numbers of dimensions first, and names the first two that
// differ. The sizes off the axis are compared by torch.cat, which reports or makes conditions.
func cat(c *ops.Call, ts []value.Value, axis int) value.Value {
	rank := -1
	for i, t := range ts {
		n := len(c.Shape(t.(*value.Tensor)))
		if !c.OK() {
			return nil
		}
		if rank >= 0 && n != rank {
			return c.Errorf("ValueError", diag.RankMismatch,
				"%s(): all arrays must have the same number of dimensions, but array 0 is %s and array %d is %s", c.Short(), ts[0], i, t)
		}
		rank = n
	}
	return c.Delegate("torch.cat", []value.Value{value.NewTuple(ts...), value.Int(axis)})
}

// concatenate: with axis=None all arrays are flattened first. Arrays without dimensions cannot be joined,
// unlike by hstack. In NumPy 1 scalars among flattened arrays count by their values for the dtype,
// which flattened does before.
func concatenate(c *ops.Call) value.Value {
	if c.Value("axis") == value.None && c.Numpy1() && !c.Has("dtype") {
		if v := flattened(c); v != nil || !c.OK() {
			// The dtype comes from a rule of its own, so OneDType must not convert before.
			return v
		}
	}
	ts := OneDType(c, c.Value("arrays"))
	if ts == nil {
		return nil
	}
	axis := 0
	if c.Value("axis") == value.None {
		for i, t := range ts {
			ts[i] = c.DelegateTensor("torch.flatten", []value.Value{t})
		}
	} else {
		axis = c.Int("axis")
		for i, t := range ts {
			if len(c.Shape(t.(*value.Tensor))) == 0 && c.OK() {
				return c.Errorf("ValueError", diag.RankMismatch, "concatenate(): array %d has no dimensions", i)
			}
		}
	}
	if !c.OK() {
		return nil
	}
	return writeJoined(c, cat(c, ts, axis))
}

// flattened joins all elements of arrays in numpy 1, where the dtype of what has no
// dimensions counts by its value; it is nil where none is like that. It is nil where no argument
// lacks dimensions, or one has an unknown rank; then the general way is right.
func flattened(c *ops.Call) value.Value {
	elems, isList, open := c.Sequence(c.Value("arrays"))
	if !isList || open != nil || len(elems) == 0 {
		return nil
	}
	ts := ToArrays(c, elems)
	if ts == nil {
		return nil
	}
	weak := false
	for _, t := range ts {
		ty := t.(*value.Tensor).Type()
		if !ty.Ranked {
			return nil
		}
		weak = weak || len(ty.Shape) == 0
	}
	if !weak {
		return nil
	}
	d := c.Lib.Promote(c, ts...)
	for i, t := range ts {
		if ts[i] = c.DelegateTensor("torch.flatten", []value.Value{astype(c, t.(*value.Tensor), d)}); !c.OK() {
			return nil
		}
	}
	return writeJoined(c, cat(c, ts, 0))
}

// writeJoined writes what was joined to out, which must have its shape. out may have another dtype
// if casting allows the conversion.
func writeJoined(c *ops.Call, v value.Value) value.Value {
	if t, ok := v.(*value.Tensor); ok && c.OK() && c.Has("out") {
		return writeShaped(c, c.Value("out"), t, casting(c))
	}
	return v
}

// All shapes must be equal, and the axis may be from -(rank+1) to rank, as torch.stack checks.
func stackArrays(c *ops.Call) value.Value {
	ts := OneDType(c, c.Value("arrays"))
	if ts == nil {
		return nil
	}
	return writeJoined(c, c.Delegate("torch.stack", []value.Value{value.NewTuple(ts...), value.Plain(c.Value("axis"))}))
}

// stackedRule makes the rule of vstack, hstack, dstack and column_stack: how arrays get enough axes, and along
// which they are joined, which for hstack depends on the rank. atleast is the function of PyTorch
// that raises the rank, with the same rule as NumPy's: atleast_1d, atleast_2d (a row) and
// atleast_3d ([n] becomes [1, n, 1]). column_stack makes columns of vectors, for which there is
// none, so "column" stands for it.
func stackedRule(atleast string, axis func(rank int) int) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		ts := OneDType(c, c.Value("tup"))
		if ts == nil {
			return nil
		}
		for i, t := range ts {
			if atleast == "column" {
				x := t.(*value.Tensor)
				switch s := c.Shape(x); len(s) {
				case 0:
					ts[i] = viewWith(c, x, symshape.Shape{c.Const(1), c.Const(1)})
				case 1:
					ts[i] = viewWith(c, x, symshape.Shape{s[0], c.Const(1)})
				}
			} else {
				ts[i] = c.Delegate(atleast, []value.Value{t})
			}
			if !c.OK() {
				return nil
			}
		}
		return cat(c, ts, axis(len(c.Shape(ts[0].(*value.Tensor)))))
	}
}

// appendArray is concatenate of two, flattened by default. Without an axis both are flattened, in C
// order.
func appendArray(c *ops.Call) value.Value {
	ts := OneDType(c, value.NewTuple(c.Value("arr"), c.Value("values")))
	if ts == nil {
		return nil
	}
	axis := 0
	if c.Value("axis") == value.None {
		for i, t := range ts {
			ts[i] = c.DelegateTensor("torch.flatten", []value.Value{t})
		}
	} else {
		axis = c.Int("axis")
	}
	if !c.OK() {
		return nil
	}
	return cat(c, ts, axis)
}

// ofMatrices: vectors are refused. vsplit needs at least two dimensions.
const ofMatrices ops.Variant = "matrices"

// splitArray makes the rule of a function that splits along an axis, where a number of
// parts may ask for equal ones. A whole number n asks for n parts: equal ones, so that the size
// must be a multiple of n, or for array_split n parts of which the first size%n have one element
// more. A sequence gives the places at which the axis is cut, beyond the end as well. The result is
// a list of views.
func splitArray(axis int, equal bool) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := arrayArg(c, "ary")
		if t == nil {
			return nil
		}
		s := c.Shape(t)
		at := axis
		if c.HasParam("axis") {
			at = c.Axis("axis", len(s))
		} else if len(s) == 1 && at == 1 {
			at = 0
		}
		if !c.OK() {
			return nil
		}
		if at >= len(s) || len(s) < 2 && c.Is(ofMatrices) {
			return c.Errorf("ValueError", diag.RankMismatch, "%s() needs an array with more dimensions than %s", c.Short(), t)
		}
		parts := plainArgs(c.Value("indices_or_sections"))
		// An array of places whose elements are known is as good as a tuple.
		if x, ok := parts.(*value.Tensor); ok && x.Contents() != nil && len(x.Type().Shape) == 1 {
			parts = value.NewTuple(x.Contents()...)
		}
		parts = partsOf(parts)
		if places, ok := parts.(*value.Tuple); ok && slices.Contains(places.Elems, value.Value(value.None)) {
			return slicedParts(c, t, places.Elems, at)
		}
		if n, isInt := value.AsDim(c.P, parts); isInt && equal {
			// NumPy asks the list for its shape when parts are to be equal, and fails with an
			// AttributeError.
			if l, isList := c.Value("ary").(*value.List); isList {
				return c.Errorf("AttributeError", diag.TypeMismatch, "%s(): equal parts are made of an array, not of a list of %d", c.Short(),
					len(l.Elems))
			}
			// A size that is not known gets the condition to be a multiple of n.
			if !c.MultipleOf(s[at], n) {
				c.Blame(ops.Ref{Tensor: t, Axis: at})
				return c.Errorf("ValueError", diag.ShapeMismatch, "%s(): axis %d of size %s cannot be divided into %s equal parts: %s", c.Short(), at,
					s[at], n, t)
			}
		}
		// The remaining forms are those of torch.tensor_split.
		out, ok := c.Delegate("torch.tensor_split", []value.Value{t, parts, value.Int(at)}).(*value.Tuple)
		if !ok {
			return c.Lose("the number of parts is not known")
		}
		return c.Th.Heap().NewList(out.Elems)
	}
}

// partsOf is a number of parts with a float that is whole as an int. NumPy computes Nsections =
// int(indices_or_sections) for what has no length, so 2.0 means 2. A float that is not whole stays,
// and is refused later.
func partsOf(parts value.Value) value.Value {
	if f, ok := parts.(value.Float); ok && float64(f) == math.Trunc(float64(f)) {
		return wholeOf(f)
	}
	return parts
}

// slicedParts splits between places of which some are None, which as the ends of slices
// stand for the beginning and the end. None among the places makes NumPy slice with None, which
// torch.tensor_split does not know. The slices are made one by one.
func slicedParts(c *ops.Call, t *value.Tensor, places []value.Value, axis int) value.Value {
	ends := append(append([]value.Value{value.Int(0)}, places...), value.None)
	outs := make([]value.Value, len(ends)-1)
	for i := range outs {
		key := make([]value.Value, axis+1)
		for k := range key {
			key[k] = &value.Slice{Start: value.None, Stop: value.None, Step: value.None}
		}
		key[axis] = &value.Slice{Start: ends[i], Stop: ends[i+1], Step: value.None}
		if outs[i] = c.Delegate("numpy.ndarray.__getitem__", []value.Value{t, value.NewTuple(key...)}); !c.OK() {
			return nil
		}
	}
	return c.Th.Heap().NewList(outs)
}

// meshgridArrays takes any number of arrays, each flattened to a coordinate vector. Each result has one
// axis for every argument, the first two exchanged with indexing "xy", and its argument's dtype; with
// sparse all axes but its own have size 1. Since numpy 2 the results are a tuple, before that a list.
func meshgridArrays(c *ops.Call) value.Value {
	ts := ToArrays(c, c.Rest())
	if ts == nil && len(c.Rest()) > 0 {
		return nil
	}
	mode, ok := value.AsStr(c.Value("indexing"))
	sparse, ok2 := c.Value("sparse").(value.Bool)
	if !ok || !ok2 {
		return c.Lose("an argument is not known")
	}
	if mode != "xy" && mode != "ij" {
		return c.Errorf("ValueError", diag.BadValue, "meshgrid(): indexing must be 'xy' or 'ij', not '%s'", mode)
	}
	// at is the axis along which coordinate i runs.
	shape := make(symshape.Shape, len(ts))
	at := func(i int) int {
		if mode == "xy" && len(ts) > 1 && i < 2 {
			return 1 - i
		}
		return i
	}
	for i, v := range ts {
		shape[at(i)] = c.Numel(c.Shape(v.(*value.Tensor)))
	}
	if !c.OK() {
		return nil
	}
	along := func(i int) symshape.Shape { // of coordinate i before it is broadcast
		one := make(symshape.Shape, len(ts))
		for k := range one {
			one[k] = c.Const(1)
		}
		one[at(i)] = shape[at(i)]
		return one
	}
	outs := make([]value.Value, len(ts))
	for i, v := range ts {
		t := v.(*value.Tensor)
		if sparse {
			out := c.Out(t.Type().DType, along(i))
			out.SetContents(t.Contents())
			outs[i] = out
			continue
		}
		out := c.Out(t.Type().DType, shape)
		// Elements are filled in only where the result is small enough to keep them.
		if e := t.Contents(); e != nil {
			if to, ok := ops.ConstShape(shape); ok && ops.Product(to) <= value.MaxElems {
				from, _ := ops.ConstShape(along(i))
				out.SetContents(ops.ExpandElems(e, from, to))
			}
		}
		outs[i] = out
	}
	return listOrTuple(c, value.NewTuple(outs...))
}

// padOptions are the parameters of the modes of padding, plainPads the modes without any. A mode
// takes only its own option, see numpy.pad; another one is a ValueError.
var padOptions = map[string][]string{
	"constant": {"constant_values"}, "linear_ramp": {"end_values"}, "maximum": {"stat_length"}, "mean": {"stat_length"},
	"median": {"stat_length"}, "minimum": {"stat_length"},
	"reflect": {"reflect_type"}, "symmetric": {"reflect_type"},
}

var plainPads = []string{"empty", "edge", "wrap"}

// padArray adds elements before and after each axis. The widths are signed integers >= 0 that broadcast to
// (rank, 2); an axis of size 0 can only be widened by the modes "constant" and "empty", and each mode
// takes its own options. The dtype stays; without known widths no size is known.
func padArray(c *ops.Call) value.Value {
	t := arrayArg(c, "array")
	if t == nil {
		return nil
	}
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	w := c.Value("pad_width")
	mode, known := value.AsStr(c.Value("mode"))
	if kw, ok := c.Value("kwargs").(*value.Dict); ok && known {
		for _, k := range kw.Keys() {
			name, _ := value.AsStr(k)
			// An unknown mode is reported below instead.
			if !slices.Contains(padOptions[mode], name) && (len(padOptions[mode]) > 0 || slices.Contains(plainPads, mode)) {
				return c.Errorf("ValueError", diag.BadCall, "pad(): mode '%s' has no parameter '%s'", mode, name)
			}
		}
	}
	if m := c.Value("mode"); known || ops.NumberKind(m) != dtype.KindInvalid {
		if _, takes := padOptions[mode]; !takes && !slices.Contains(plainPads, mode) {
			return c.Errorf("ValueError", diag.BadValue, "pad(): there is no mode '%s'", m)
		}
	}
	// notNumber names what cannot be a width.
	if k := notNumber(w); k != "" {
		return c.Errorf("TypeError", diag.TypeMismatch, "pad(): widths must be ints, not %s", k)
	}
	// Newer versions of NumPy take a dict from axes to widths, which is not modelled.
	if _, isDict := w.(*value.Dict); isDict {
		return c.Lose("a dict of widths")
	}
	width := ToArray(c, w)
	if width == nil {
		return nil
	}
	if d := width.Type().DType; d != dtype.Unknown && !d.IsIntegral() || d.IsIntegral() && !d.IsSigned() {
		return c.Errorf("TypeError", diag.DTypeMismatch, "pad(): widths must be signed ints, not %s", d.Numpy())
	}
	e, ws := width.Contents(), width.Type().Shape
	// The widths are not known, so the sizes are not either, but the rank and the dtype are.
	if e == nil {
		return c.Out(t.Type().DType, make(symshape.Shape, len(s)))
	}
	full := []int{len(s), 2}
	from, ok := ops.ConstShape(ws)
	if !ok || len(from) > 2 || !fitsInts(from, full) {
		return c.Errorf("ValueError", diag.ShapeMismatch, "pad(): widths of shape %s do not fit an array of %s", ws,
			ops.CountWord(len(s), "dimension"))
	}
	// One pair, one number for all, a pair for every axis or a column of numbers: all broadcast to
	// (rank, 2).
	e = ops.ExpandElems(e, from, full)
	out := make(symshape.Shape, len(s))
	for i, d := range s {
		for _, x := range e[2*i : 2*i+2] {
			n, ok := value.AsDim(c.P, x)
			if !ok {
				return c.Errorf("TypeError", diag.TypeMismatch, "pad(): widths must be ints")
			}
			if !c.AtLeast(n, 0) {
				return c.Errorf("ValueError", diag.BadValue, "pad(): the width %s is negative", n)
			}
			// Nothing can be repeated or reflected from an axis without elements.
			if known && mode != "constant" && mode != "empty" && ops.IsConst(s[i], 0) && !ops.IsConst(n, 0) {
				return c.Errorf("ValueError", diag.InvalidSize, "pad(): axis %d has size 0, from which mode '%s' makes nothing", i, mode)
			}
			d = c.P.DimAdd(d, n)
		}
		out[i] = d
	}
	if len(s) == 0 {
		return KeepArray(c, c.Out(t.Type().DType, out))
	}
	return c.Out(t.Type().DType, out)
}

// fitsInts reports whether one list of sizes broadcasts to another, compared from the end. Sizes of
// 1 are repeated.
func fitsInts(from, to []int) bool {
	for i := range from {
		if n := from[len(from)-1-i]; n != 1 && n != to[len(to)-1-i] {
			return false
		}
	}
	return true
}

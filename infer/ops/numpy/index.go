package numpy

// This file holds indexing of arrays, element access by functions, and
// assignment. The rules are PyTorch's; slices with negative steps, which it
// refuses, are numpy's own. A key is made one of PyTorch's first (arrayKey): NumPy's scalars become
// numbers, lists become index arrays, and slices with a negative step become such with a positive
// one that selects as many elements. Which elements those are is corrected afterwards (turnedBack)
// or forgotten.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// arrayIndexOps lists reading and writing of elements. What is read by slices and ints is a view, as in torch;
// index arrays give copies. Writes check that the array may be written to, and make a new value of the graph,
// the array's from then on.
func arrayIndexOps() []ops.Op {
	return []ops.Op{
		array("__getitem__", "(any a, any key)", getArrayItem,
			"indexing with ints, slices, None, Ellipsis, masks and index arrays").With(ops.Op{Is: graph.View, Quirks: ops.TakesIndices,
			Torch: "torch.Tensor.__getitem__ self=a key=key",
			Trace: ops.AsksMasks | ops.TakesSizes}),
		array("__setitem__", "(any a, any key, any value)", setArrayItem,
			"writes a value, broadcast and converted, into what the index selects").With(ops.Op{Is: graph.Writes, Quirks: ops.TakesIndices,
			Torch: "torch.Tensor.__setitem__ self=a key=key value=value",
			Trace: ops.AsksMasks | ops.TakesSizes}),
		array("+take", "(any a, any indices, any axis=None, any out=None, any mode='raise')", takeArray,
			"elements along an axis by their indices").With(ops.Op{Quirks: ops.CallsMethod}),
		array("__contains__", "(any a, any key)", containsArray, "whether any element is equal"),
		array("take_along_axis", "(any arr, any indices, any axis) | (any arr, any indices)", takeAlong,
			"elements by indices of the same number of dimensions"),
		array("delete", "(any arr, any obj, any axis=None)", deleteArray, "a copy without some elements"),
		array("insert", "(any arr, any obj, any values, any axis=None)", insertArray, "a copy with more elements"),
		array(".fill", "(any a, any value)", func(c *ops.Call) value.Value {
			t, ok := c.Value("a").(*value.Tensor)
			if !ok {
				return c.Lose("the array is not known")
			}
			if _, several, _ := c.Sequence(c.Value("value")); several && !c.OK() {
				return nil
			} else if several {
				return c.Errorf("ValueError", diag.TypeMismatch, "fill(): one number is written everywhere, not %s", ops.TypeName(c.Value("value")))
			}
			x := parsed(c, c.Value("value"), t.Type().DType)
			if fits(c, x, t.Type().DType); !c.OK() || x == nil {
				return nil
			}
			if !writable(c, t) {
				return nil
			}
			out := c.Filled(c.OutType(*t.Type()), value.Plain(x))
			becomes(c, t, out, out.Contents())
			return value.None
		}, "writes one number everywhere").With(ops.Op{Is: graph.Writes}),
		array(".itemset", "(any a, *args)", setItemOfArray, "writes one element as a Python number").With(ops.Op{Is: graph.Writes}),
		array("+put", "(any a, any ind, any v, any mode='raise')", putArray, "writes elements by indices into the flattened array").
			With(ops.Op{Is: graph.Writes}),
		array("putmask", "(any a, any mask, any values)", maskedWrite, "writes elements where a mask is true").With(ops.Op{Is: graph.Writes}),
		array("place", "(any arr, any mask, any vals)", maskedWrite, "writes elements where a mask is true, one after the other").
			With(ops.Op{Is: graph.Writes}),
		array("copyto", "(any dst, any src, any casting='same_kind', any where=True)", copyTo, "writes one array to another").
			With(ops.Op{Is: graph.Writes}),
	}
}

// setItemOfArray is the rule of ndarray.itemset: the last argument is the number, those before are
// the index: one for each axis, a single one that counts in the flattened array, or none for an
// array of one element. It gives None. (NumPy 2 has no itemset.)
func setItemOfArray(c *ops.Call) value.Value {
	t, ok := c.Value("a").(*value.Tensor)
	args := c.Rest()
	if !ok || len(args) == 0 {
		return c.Errorf("ValueError", diag.BadCall, "itemset() needs an array and a number")
	}
	v, at := args[len(args)-1], args[:len(args)-1]
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if len(at) == 1 {
		if index, isTuple := at[0].(*value.Tuple); isTuple {
			at = index.Elems
		}
	}
	switch {
	// Without an index the array has one element.
	case len(at) == 0:
		if n, known := c.Numel(s).Const(); known && n != 1 {
			return c.Errorf("ValueError", diag.ShapeMismatch, "itemset(): without an index the array must have one element, not %s", t)
		} else if !known || len(s) > 0 {
			changed(c, t)
			return value.None
		}
	// Which element it is, is not followed: elements are not known afterwards.
	case len(at) == 1 && len(s) > 1: // in the order of the elements
		if writable(c, t) {
			changed(c, t)
		}
		return value.None
	case len(at) != len(s):
		return c.Errorf("ValueError", diag.RankMismatch, "itemset(): %d indices for %s", len(at), t)
	}
	c.Delegate("numpy.ndarray.__setitem__", []value.Value{t, value.NewTuple(at...), v})
	return value.None
}

// arrayKey makes a key for PyTorch's rule: scalars become numbers, slices with negative steps
// become slices of the same size, and the second result tells whether there is such a one. It gives
// nil after a fault or a loss. The key itself stays as it was. Faults are IndexErrors, as NumPy
// raises for keys.
func arrayKey(c *ops.Call, t *value.Tensor, key value.Value) (value.Value, bool) {
	tuple, isTuple := key.(*value.Tuple)
	items := []value.Value{key}
	if isTuple {
		items = tuple.Elems
	}
	// A structured array has no dtype here, and its fields no types.
	if t.Type().DType == dtype.Unknown && names(key) {
		c.Lose("a field of an array whose dtype is not known")
		return nil, false
	}
	out := make([]value.Value, len(items))
	// The number of axes that the key names decides how many an ellipsis stands for.
	backwards := false
	used, dots := 0, 0
	// None and an ellipsis name no axis; a mask names as many as it has dimensions.
	for _, it := range items {
		switch it.(type) {
		case value.NoneType, value.EllipsisType:
		default:
			used += max(ops.SpecifiedAxes(it), 1)
		}
	}
	// axis is the axis of the array that the next item is about.
	axis := 0
	for i, it := range items {
		switch x := it.(type) {
		case *value.Instance:
			if ops.IsNumpyScalar(x) {
				it = x.Payload
				switch it.(type) {
				case value.Float, *value.SymFloat:
					c.Errorf("IndexError", diag.TypeMismatch,
						"arrays are indexed with ints, slices, None, Ellipsis, and int or bool arrays, not with %s", x.Class.Name)
					return nil, false
				}
			}
			axis++
		case value.Float, *value.SymFloat, value.Str:
			c.Errorf("IndexError", diag.TypeMismatch, "arrays are indexed with ints, slices, None, Ellipsis, and int or bool arrays, not with %s",
				ops.TypeName(it))
			return nil, false
		case *value.Slice:
			// A negative step.
			if n, ok := value.AsInt(value.Plain(x.Step)); ok && n < 0 && x.Step != value.None {
				s := t.Type().Shape
				if axis >= len(s) {
					c.Errorf("IndexError", diag.RankMismatch, "too many indices for %s", t)
					return nil, false
				}
				it, backwards = turn(c, s[axis], x, -n), true
				if !c.OK() {
					return nil, false
				}
			} else {
				it = &value.Slice{Start: value.Plain(x.Start), Stop: value.Plain(x.Stop), Step: value.Plain(x.Step)}
			}
			axis++
		// A new axis is about no axis of the array.
		case value.NoneType:
		case value.EllipsisType:
			if dots++; dots > 1 {
				c.Errorf("IndexError", diag.BadIndex, "an index can only have a single ellipsis ('...')")
				return nil, false
			}
			axis += max(0, len(t.Type().Shape)-used)
		case *value.Tensor:
			if d := x.Type().DType; d != dtype.Unknown && !d.IsIntegralOrBool() {
				c.Errorf("IndexError", diag.DTypeMismatch, "arrays used as indices must be of an int or bool type, not %s", x)
				return nil, false
			}
			// PyTorch takes u8 for a mask and has no other small integers as indices.
			switch x.Type().DType { // what PyTorch takes for a mask, or refuses
			case dtype.U8, dtype.I8, dtype.I16, dtype.I32, dtype.U16, dtype.U32, dtype.U64:
				if it = astype(c, x, dtype.I64); !c.OK() {
					return nil, false
				}
			}
			axis += ops.SpecifiedAxes(it)
		case *value.Tuple: // within a key it is a list
			if it = listIndex(c, c.Th.Heap().NewList(x.Elems)); !c.OK() {
				return nil, false
			}
			axis += ops.SpecifiedAxes(it)
		case *value.List:
			if it = listIndex(c, x); !c.OK() {
				return nil, false
			}
			axis += ops.SpecifiedAxes(it)
		default:
			axis += ops.SpecifiedAxes(it)
		}
		out[i] = it
	}
	if isTuple {
		return value.NewTuple(out...), backwards
	}
	return out[0], backwards
}

// names reports whether a key is one or several names of fields. A list of names selects several
// fields.
func names(key value.Value) bool {
	if l, ok := key.(*value.List); ok && l.Open == nil && len(l.Elems) > 0 {
		key = l.Elems[0]
	}
	_, is := key.(value.Str)
	return is
}

// isRecord reports whether v is a record of fields, or several. A list of tuples is several
// records.
func isRecord(v value.Value) bool {
	if l, ok := v.(*value.List); ok && l.Open == nil && len(l.Elems) > 0 {
		v = l.Elems[0]
	}
	_, is := v.(*value.Tuple)
	return is
}

// listIndex makes the index array of a list, which must hold ints or bools (IndexError). An empty
// list stays one: it selects nothing. What is no number in it is named in the fault. An open list
// is an index of unknown length.
func listIndex(c *ops.Call, l *value.List) value.Value {
	if len(l.Elems) == 0 && l.Open == nil {
		return l
	}
	bad := diag.TypeName(notNumber(l))
	for _, e := range l.Elems {
		switch e.(type) {
		case *value.Slice, value.EllipsisType:
			bad = ops.TypeName(e)
		}
	}
	if bad != "" {
		c.Errorf("IndexError", diag.TypeMismatch, "lists used as indices must hold ints or bools, not %s", bad)
		return nil
	}
	t := ToArray(c, l)
	if t == nil {
		return nil
	}
	if d := t.Type().DType; d != dtype.Unknown && !d.IsIntegralOrBool() {
		c.Errorf("IndexError", diag.DTypeMismatch, "lists used as indices must hold ints or bools, not %s", d.Numpy())
		return nil
	}
	return t
}

// turn gives a slice with a positive step that selects as many elements of an axis as x does with
// the step -step. It keeps what was written, which says which elements they are. With bounds the
// size must be a number, else the result is lost. The written slice (Slice.Written) is kept for those who need the elements.
func turn(c *ops.Call, size symshape.Dim, x *value.Slice, step int64) value.Value {
	written := &value.Slice{Start: value.Plain(x.Start), Stop: value.Plain(x.Stop), Step: value.Plain(x.Step)}
	// The whole axis in the other direction, of any size.
	if x.Start == value.None && x.Stop == value.None {
		return &value.Slice{Start: value.None, Stop: value.None, Step: value.Int(step), Written: written}
	}
	n, ok := size.Const()
	lo, hi := int64(-1), n-1 // x selects hi, hi-step, … > lo
	// bound counts a bound from the front; -1 is the place before the first element. A bound beyond
	// the end is the last element.
	bound := func(v value.Value, def int64) int64 {
		if v == value.None {
			return def
		}
		i, known := value.AsInt(value.Plain(v))
		if !known {
			ok = false
		}
		if i < 0 {
			if i += n; i < 0 {
				return -1
			}
		}
		return min(i, n-1)
	}
	hi, lo = bound(x.Start, hi), bound(x.Stop, lo)
	if !ok {
		c.Lose("the size of a slice with a negative step")
		return nil
	}
	// Nothing is selected.
	if hi <= lo {
		return &value.Slice{Start: value.Int(0), Stop: value.Int(0), Step: value.None}
	}
	return &value.Slice{Start: value.Int(lo + 1), Stop: value.Int(hi + 1), Step: value.Int(step), Written: written}
}

// getArrayItem indexes as torch does, but for what NumPy alone has: negative steps, fields of structured
// dtypes, and scalars as results where no Ellipsis is in the key. The result is a view, or a copy
// with index arrays, as in NumPy.
func getArrayItem(c *ops.Call) value.Value {
	a := c.Value("a")
	t := ToArray(c, a)
	if t == nil {
		return nil
	}
	if _, isField := c.Value("key").(value.Str); isField && t.Type().DType != dtype.Unknown {
		return c.Errorf("IndexError", diag.TypeMismatch, "an array of %s has no fields", t.Type().DType)
	}
	key, backwards := arrayKey(c, t, c.Value("key"))
	if !c.OK() {
		return nil
	}
	// Otherwise ints between index arrays would drop their axes at another place.
	key = intsAsArrays(c, key)
	out := c.DelegateTensor("torch.Tensor.__getitem__", []value.Value{t, key})
	if out == nil {
		return nil
	}
	if backwards {
		turnedBack(c, t, out, c.Value("key"))
	}
	for _, k := range ops.IndexItems(key) { // with an Ellipsis the result is a view, and so an array
		if k == value.Ellipsis {
			return KeepArray(c, out)
		}
	}
	return out
}

// intsAsArrays makes index arrays of the ints of a key that holds index arrays:
// numpy lets them take part in advanced indexing, where PyTorch selects first. An int between index
// arrays broadcasts with them.
func intsAsArrays(c *ops.Call, key value.Value) value.Value {
	tuple, ok := key.(*value.Tuple)
	if !ok {
		return key
	}
	advanced := false
	for _, it := range tuple.Elems {
		if t, ok := it.(*value.Tensor); ok && len(t.Type().Shape) > 0 {
			advanced = true
		}
	}
	if !advanced {
		return key
	}
	out := make([]value.Value, len(tuple.Elems))
	for i, it := range tuple.Elems {
		if _, isInt := value.AsDim(c.P, it); isInt && ops.NumberKind(it) == dtype.KindInt {
			it = c.Th.Heap().NewList([]value.Value{it})
		}
		out[i] = it
	}
	return value.NewTuple(out...)
}

// turnedBack corrects the contents of a selection with negative steps: a whole vector reversed
// keeps its elements, others are forgotten. key is the one that the program wrote.
func turnedBack(c *ops.Call, t, out *value.Tensor, key value.Value) {
	elems := t.Contents()
	if s, ok := key.(*value.Slice); ok && len(t.Type().Shape) == 1 && s.Start == value.None && s.Stop == value.None && elems != nil {
		if n, _ := value.AsInt(value.Plain(s.Step)); n == -1 {
			elems = slices.Clone(elems)
			slices.Reverse(elems)
			out.SetContents(elems)
			return
		}
	}
	out.SetContents(nil)
}

// setArrayItem writes a value to the elements that a key selects, converted to the array's dtype. The
// array must be writable, the value must broadcast to the selection (one element takes no sequence, except
// in a bool array, which takes its truth), and complex numbers fit complex arrays only. The write itself
// follows torch.Tensor.__setitem__. The result is None; a fault is a TypeError or ValueError as
// NumPy raises it.
func setArrayItem(c *ops.Call) value.Value {
	t, ok := c.Value("a").(*value.Tensor)
	if !ok {
		return c.Errorf("TypeError", diag.TypeMismatch, "%s does not support item assignment", ops.TypeName(c.Value("a")))
	}
	key, backwards := arrayKey(c, t, c.Value("key"))
	v := c.Value("value")
	if c.OK() && t.Type().DType == dtype.Unknown && isRecord(v) {
		return c.Lose("a record of an array whose dtype is not known")
	}
	// Texts are numbers for NumPy: a[0] = "1.5".
	if notNumber(v) != "" { // None and texts are read as float() does, of a list one by one
		if v = parsed(c, v, t.Type().DType); v == nil {
			return nil
		}
	}
	if t.Type().Ranked && t.Type().DType != dtype.Unknown && namesElement(c.Value("key"), len(t.Type().Shape)) && severalElements(c, v) {
		if t.Type().DType != dtype.Bool {
			return c.Errorf("ValueError", diag.ShapeMismatch, "setting an array element with a sequence: %s", ops.TypeName(v))
		}
		truth, err := c.Th.Truth(v) // that of anything is a bool
		if c.SetErr(err); err != nil {
			return nil
		}
		v = truth
	}
	// A Python number that does not fit the dtype is an OverflowError in NumPy 2.
	if _, isArray := v.(*value.Tensor); !isArray {
		fits(c, v, t.Type().DType)
	}
	switch x := v.(type) {
	case *value.Tensor, *value.List, *value.Tuple, *value.Range, *value.Instance:
		v = ToArray(c, x)
	}
	if !c.OK() || !writable(c, t) {
		return nil
	}
	if x, ok := v.(*value.Tensor); ok {
		if v = astype(c, x, t.Type().DType); v.(*value.Tensor) == nil {
			return nil
		}
	} else if n, ok := v.(value.Int); ok && t.Type().DType.IsIntegral() { // numpy wraps what does not fit, or refuses it
		if fits(c, n, t.Type().DType); !c.OK() {
			return nil
		}
		// Where the number wraps, the written element is left unknown.
		if w := c.CastElem(t.Type().DType, n); w != value.Value(n) {
			v = &value.SymInt{}
		}
	} else if _, ok := v.(value.Complex); ok && !t.Type().DType.IsComplex() {
		return c.Errorf("TypeError", diag.DTypeMismatch, "a complex number cannot be written into an array of %s", t.Type().DType)
	}
	c.Delegate("torch.Tensor.__setitem__", []value.Value{t, intsAsArrays(c, key), v})
	if !c.OK() {
		return nil
	}
	if backwards {
		t.SetContents(nil)
	}
	return value.None
}

// namesElement reports whether a key has an integer for each dimension and nothing else, and so
// names one element. An array without dimensions and NumPy's integers count as ints.
func namesElement(key value.Value, rank int) bool {
	items := []value.Value{key}
	if t, ok := key.(*value.Tuple); ok {
		items = t.Elems
	}
	if len(items) != rank || rank == 0 {
		return false
	}
	return !slices.ContainsFunc(items, func(v value.Value) bool {
		switch v := v.(type) {
		case value.Int, *value.SymInt:
			return false
		case *value.Tensor:
			return !v.Type().Ranked || len(v.Type().Shape) > 0 || !v.Type().DType.IsIntegral()
		case *value.Instance:
			return !ops.IsNumpyScalar(v) || !ops.ScalarDType(v).IsIntegral()
		}
		return true
	})
}

// severalElements reports whether a value cannot become one element: a list never does, and an
// array with dimensions up to numpy 2.3 if it has one. From NumPy 2.4 on an array of one element is
// refused too.
func severalElements(c *ops.Call, v value.Value) bool {
	version := c.Th.Option("numpy-version")
	switch v := v.(type) {
	case *value.List, *value.Tuple, *value.Range:
		return true
	case *value.Tensor:
		return ops.IsArray(v) && v.Type().Ranked && len(v.Type().Shape) > 0 && version != "" && !before(version, "2.4")
	}
	return false
}

// inRange checks indices that are known (IndexError); modes other than "raise" bring them into the
// range. Of an empty axis nothing can be taken. It notes the fault and returns false. Sizes that
// are symbols pass.
func inRange(c *ops.Call, idx *value.Tensor, size symshape.Dim, axis int, mode string) bool {
	n, known := size.Const()
	if !known {
		return true
	}
	if m, ok := ops.ConstShape(idx.Type().Shape); n == 0 && ok && ops.Product(m) > 0 {
		c.Errorf("IndexError", diag.DimOutOfRange, "%s(): axis %d has size 0, so there is nothing to take", c.Short(), axis)
		return false
	}
	if mode != "raise" {
		return true
	}
	for _, e := range idx.Contents() {
		if k, ok := value.AsInt(e); ok && (k >= n || k < -n) {
			c.Errorf("IndexError", diag.BadValue, "%s(): index %d is out of range for axis %d of size %d", c.Short(), k, axis, n)
			return false
		}
	}
	return true
}

// indicesArg reads an argument of indices; class is the exception for what are no integers. It is
// the same for all functions that take indices.
func indicesArg(c *ops.Call, name, class string) *value.Tensor {
	return wholes(c, name, class)
}

// emptyLiteral reports whether a value is a list or tuple without elements.
func emptyLiteral(v value.Value) bool {
	switch x := v.(type) {
	case *value.List:
		return len(x.Elems) == 0 && x.Open == nil
	case *value.Tuple:
		return len(x.Elems) == 0
	}
	return false
}

// takeArray picks elements by integer indices: in the flattened array without an axis, whose result has
// the shape of the indices; otherwise their shape replaces the axis. Indices must be in range with mode
// "raise"; a scalar has one axis of size 1. The dtype is the array's. out= must be an array that
// holds the dtype.
func takeArray(c *ops.Call) value.Value {
	t := arrayArg(c, "a")
	idx := indicesArg(c, "indices", "TypeError")
	if t == nil || idx == nil {
		return nil
	}
	s, is := c.Shape(t), c.Shape(idx)
	if !c.OK() {
		return nil
	}
	d := t.Type().DType
	mode := oneOf(c, "mode", "raise", "wrap", "clip")
	if !c.OK() {
		return nil
	}
	var out *value.Tensor
	if c.Value("axis") == value.None {
		if !inRange(c, idx, c.Numel(s), 0, mode) {
			return nil
		}
		out = c.Out(d, is)
		out.SetContents(taken(t.Contents(), idx.Contents()))
	} else {
		needInt(c, "axis")
		if !c.OK() {
			return nil
		}
		a := anAxis(c, c.Value("axis"), max(len(s), 1))
		if !c.OK() {
			return nil
		}
		if len(s) == 0 {
			s = symshape.Shape{c.Const(1)}
		}
		if !inRange(c, idx, s[a], a, mode) {
			return nil
		}
		out = c.Out(d, slices.Concat(s[:a], is, s[a+1:]))
		if len(s) == 1 {
			out.SetContents(taken(t.Contents(), idx.Contents()))
		}
	}
	if c.Has("out") {
		return writePicked(c, c.Value("out"), out)
	}
	return out
}

// taken picks elements by known indices, or gives nil. It gives nil also where an index is out of
// range, which modes other than "raise" allow.
func taken(e, idx []value.Value) []value.Value {
	if e == nil || idx == nil {
		return nil
	}
	out := make([]value.Value, len(idx))
	for i, x := range idx {
		k, ok := value.AsInt(x)
		if !ok || k >= int64(len(e)) || k < -int64(len(e)) {
			return nil
		}
		if k < 0 {
			k += int64(len(e))
		}
		out[i] = e[k]
	}
	return out
}

// takeAlong follows numpy/lib/shape_base.py: indices broadcast with all axes but one. The result
// has the array's dtype, and the shape of the indices after broadcasting.
func takeAlong(c *ops.Call) value.Value {
	for _, name := range [...]string{"arr", "indices"} {
		if v := c.Value(name); isSequence(c, v) {
			return c.Errorf("AttributeError", diag.TypeMismatch, "take_along_axis(): %s must be an array, not a %s", name, ops.TypeName(v))
		}
	}
	if c.Numpy1() && !c.HasParam("axis") {
		return c.Errorf("TypeError", diag.BadCall, "take_along_axis() needs an axis")
	}
	t := arrayArg(c, "arr")
	idx := indicesArg(c, "indices", "IndexError")
	if t == nil || idx == nil {
		return nil
	}
	if idx.Type().DType == dtype.Bool {
		return c.Errorf("IndexError", diag.DTypeMismatch, "take_along_axis(): indices must be ints, not %s", idx)
	}
	shape := alongShape(c, t, idx)
	if !c.OK() {
		return nil
	}
	return KeepArray(c, c.Out(t.Type().DType, shape))
}

// alongShape is the result of take_along_axis and put_along_axis: indices and array have the same number of
// dimensions and broadcast to each other, except along the axis. Without an axis the array is
// flattened, so the indices must be a vector. It notes faults and returns nil then.
func alongShape(c *ops.Call, t, idx *value.Tensor) symshape.Shape {
	s, is := c.Shape(t), c.Shape(idx)
	if !c.OK() {
		return nil
	}
	a := len(s) - 1
	if !c.HasParam("axis") { // the last one
		if a < 0 {
			c.Errorf("IndexError", diag.DimOutOfRange, "%s(): an array without dimensions has no axis", c.Short())
		}
	} else if c.Value("axis") == value.None {
		a, s = 0, symshape.Shape{c.Numel(s)}
	} else if needInt(c, "axis"); c.OK() {
		a = anAxis(c, c.Value("axis"), len(s))
	}
	if !c.OK() {
		return nil
	}
	if len(s) != len(is) {
		c.Errorf("ValueError", diag.RankMismatch, "%s(): indices %s and array %s must have the same number of dimensions", c.Short(), idx, t)
		return nil
	}
	// Along the axis the indices may have any size.
	out := slices.Clone(is)
	for i := range s {
		if i == a {
			if !inRange(c, idx, s[i], i, "raise") {
				return nil
			}
			continue
		}
		d, _, ok := c.Broadcast(symshape.Shape{s[i]}, symshape.Shape{is[i]})
		if !ok {
			c.Errorf("IndexError", diag.ShapeMismatch, "%s(): sizes %s and %s of axis %d do not fit: %s and %s", c.Short(), s[i], is[i], i, t, idx)
			return nil
		}
		out[i] = d[0]
	}
	return out
}

// containsArray reports whether any element equals the key: False for texts, None and empty comparisons.
// Before numpy 1.25 a key that cannot be broadcast to the array is in none; since then it fails as ==
// does. Where elements are not known the result depends on the data. The comparison itself makes no
// node of the graph.
func containsArray(c *ops.Call) value.Value {
	key := c.Value("key")
	t := arrayArg(c, "a")
	if t == nil {
		return nil
	}
	if notNumber(key) != "" {
		switch key.(type) {
		case value.Str, value.NoneType: // no number is equal to it
			return value.Bool(false)
		}
		return c.Th.DataBool(nil)
	}
	if ops.NumpyBefore(c.Th, 25) { // what cannot be broadcast was unequal as a whole
		x := ToArray(c, key)
		if x == nil {
			return nil
		}
		s, ok1 := ops.ConstShape(t.Type().Shape)
		r, ok2 := ops.ConstShape(x.Type().Shape)
		if ok1 && ok2 && t.Type().Ranked && x.Type().Ranked && !compatible(s, r) {
			return value.Bool(false)
		}
	}
	v, _ := ufEq.apply(c, t, key).(*value.Tensor)
	c.Outs = nil
	if v == nil {
		return nil
	}
	e := v.Contents()
	if s, ok := ops.ConstShape(v.Type().Shape); ok && ops.Product(s) == 0 {
		return value.Bool(false)
	}
	// One element that is known to be equal decides, whatever the others are.
	known := e != nil
	for _, x := range e {
		b, ok := x.(value.Bool)
		if ok && bool(b) {
			return b
		}
		known = known && ok
	}
	if known {
		return value.Bool(false)
	}
	// In the graph it is numpy.any of numpy.equal, so that an export can keep it.
	if equal := c.Delegate("numpy.equal", []value.Value{t, key}); equal != nil {
		if found, ok := value.Plain(c.Delegate("numpy.any", []value.Value{equal})).(*value.SymBool); ok {
			return found
		}
	}
	return c.Th.DataBool(nil)
}

package numpy

// This file holds functions that write to arrays, and those that insert and delete pieces. Writing
// keeps shape and dtype of the array, so the rules check what NumPy refuses and forget the elements
// (changed). insert and delete make a new array whose axis is longer or shorter by the number of
// places.

import (
	"slices"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// written reads the array that a function writes to. NumPy writes to arrays only: a list would be
// converted to an array that nobody sees. nil after a report.
func written(c *ops.Call, name string) *value.Tensor {
	t, ok := c.Value(name).(*value.Tensor)
	if !ok || !ops.IsArray(t) {
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): argument '%s' must be an array, not %s", c.Short(), name, ops.TypeName(c.Value(name)))
		return nil
	}
	return t
}

// putArray writes by indices into the flattened array; mode says what indices out of range are. a
// is flattened for the indices. mode is raise, wrap or clip, and only raise makes an index out of
// range an error.
func putArray(c *ops.Call) value.Value {
	t := written(c, "a")
	if t == nil {
		return nil
	}
	idx := indicesArg(c, "ind", "TypeError")
	if idx == nil {
		return nil
	}
	if k := notNumber(c.Value("v")); k == "None" && t.Type().DType.IsIntegral() {
		return c.Errorf("TypeError", diag.TypeMismatch, "put(): None is no number")
	}
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if mode := oneOf(c, "mode", "raise", "wrap", "clip"); !c.OK() || !inRange(c, idx, c.Numel(s), 0, mode) {
		return nil
	}
	changed(c, t)
	return value.None
}

// maskedWrite is the rule of functions that write values where a mask is true: mask and array must have as
// many elements. putmask needs values that cast safely to the array's dtype; place needs at least one
// value where the mask selects anything. They return None. putmask names its operands a, mask,
// values, and place names them arr, mask, vals.
func maskedWrite(c *ops.Call) value.Value {
	to := "a"
	if !c.HasParam(to) {
		to = "arr"
	}
	t, m := written(c, to), arrayArg(c, "mask")
	if t == nil || m == nil {
		return nil
	}
	name := "values"
	if !c.HasParam(name) {
		name = "vals"
	}
	if k := notNumber(c.Value(name)); k == "None" && t.Type().DType.IsIntegral() {
		return c.Errorf("TypeError", diag.TypeMismatch, "%s(): None is no number", c.Short())
	}
	// A scalar or a list is cast by its value instead.
	if x, ok := c.Value(name).(*value.Tensor); ok && name == "values" && !canCast(x.Type().DType, t.Type().DType, "safe") {
		return c.Errorf("TypeError", diag.DTypeMismatch, "putmask(): %s cannot be written to an array of %s", x, t.Type().DType.Numpy())
	}
	s, ms := c.Shape(t), c.Shape(m)
	if !c.OK() {
		return nil
	}
	// A mask that is a single bool is not compared in size.
	if _, isFalse := c.Value("mask").(value.Bool); !isFalse {
		if _, ok := c.Same(c.Numel(s), c.Numel(ms)); !ok {
			return c.Errorf("ValueError", diag.ShapeMismatch, "%s(): mask %s and array %s must have the same size", c.Short(), m, t)
		}
	}
	if name == "vals" && notNumber(c.Value(name)) == "" {
		v := ToArray(c, c.Value(name))
		if v == nil {
			return nil
		}
		// Whether anything is selected is decided for known elements only.
		some := len(m.Contents()) > 0
		for _, e := range m.Contents() {
			b, ok := c.ElemTruth(e).(value.Bool)
			if some = !ok || bool(b); some {
				break
			}
		}
		if some && v.Type().Ranked && len(v.Type().Shape) > 0 && ops.IsConst(c.Numel(v.Type().Shape), 0) {
			return c.Errorf("ValueError", diag.InvalidSize, "place(): there is nothing to write")
		}
	}
	if !c.OK() {
		return nil
	}
	changed(c, t)
	return value.None
}

// copyTo writes src, broadcast, where the mask is true. By default it converts within a kind only (same_kind),
// not from floats to ints. TypeError where casting forbids the conversion, ValueError for shapes
// that do not broadcast. A number converts by its value, as in NumPy.
func copyTo(c *ops.Call) value.Value {
	t := written(c, "dst")
	if t == nil {
		return nil
	}
	v := c.Value("src")
	if k := notNumber(v); k != "" {
		if k == "None" {
			return c.Errorf("TypeError", diag.TypeMismatch, "copyto(): None cannot be written to %s", t)
		}
		if rule := casting(c); rule != "unsafe" && rule != "" {
			return c.Errorf("TypeError", diag.TypeMismatch, "copyto(): texts are written to %s with casting='unsafe'", t)
		}
		return c.Lose("texts written to an array")
	}
	src := ToArray(c, v)
	m := mask(c)
	if src == nil || !c.OK() {
		return nil
	}
	from, to := src.Type().DType, t.Type().DType
	// The least dtype that holds the number.
	if n := ops.NumberKind(v); n != dtype.KindInvalid && !ops.IsNumpyScalar(v) {
		from, _ = leastDType(from, v)
	}
	if !canCast(from, to, casting(c)) {
		return c.Errorf("TypeError", diag.DTypeMismatch, "copyto(): %s cannot be written to %s", src, t)
	}
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	// The mask broadcasts as the values do.
	for _, x := range [...]*value.Tensor{src, m} {
		if x != nil && x.Type().Ranked && !c.BroadcastsTo(x.Type().Shape, s) {
			return c.Errorf("ValueError", diag.ShapeMismatch, "copyto(): %s cannot be broadcast to %s", x, t)
		}
	}
	changed(c, t)
	return value.None
}

// pieceAxis reads the axis of insert and delete: None for the flattened array. The shape is that of
// the flattened array where axis is None. Both results are zero after a report.
func pieceAxis(c *ops.Call, t *value.Tensor) (symshape.Shape, int) {
	s := c.Shape(t)
	if !c.OK() {
		return nil, 0
	}
	if c.Value("axis") == value.None {
		return symshape.Shape{c.Numel(s)}, 0
	}
	needInt(c, "axis")
	if !c.OK() {
		return nil, 0
	}
	return s, anAxis(c, c.Value("axis"), len(s))
}

// selected is how many places of a size the argument obj names: an int, a slice, or an
// array of ints or bools; single says that it is one int. distinct counts places once and takes a
// mask of the full length, as delete does; upTo is 1 where a place behind the last one is allowed,
// as for insert. A number that depends on data is a fresh size.
func selected(c *ops.Call, size symshape.Dim, distinct bool, upTo int64) (n symshape.Dim, single, ok bool) {
	v := c.Value("obj")
	total, known := size.Const()
	// An index may be negative down to -size.
	check := func(k int64) bool {
		if known && (k >= total+upTo || k < -total) {
			c.Errorf("IndexError", diag.BadValue, "%s(): index %d is out of range for size %d", c.Short(), k, total)
			return false
		}
		return true
	}
	if k := notNumber(v); k != "" {
		class := "IndexError"
		if k == "None" || upTo > 0 {
			class = "TypeError"
		}
		c.Errorf(class, diag.TypeMismatch, "%s(): places must be ints, not %s", c.Short(), k)
		return n, false, false
	}
	// A slice is applied to the indices of the axis, whose number is then the size.
	if sl, isSlice := v.(*value.Slice); isSlice {
		idx := c.DelegateTensor("numpy.arange", []value.Value{value.FromDim(size)})
		if idx == nil {
			return n, false, false
		}
		idx.Class = c.NDArray()
		out, _ := c.Delegate("numpy.ndarray.__getitem__", []value.Value{idx, sl}).(*value.Tensor)
		if out == nil {
			return n, false, false
		}
		return out.Type().Shape[0], false, true
	}
	t := ToArray(c, v)
	if t == nil {
		return n, false, false
	}
	d := t.Type().DType
	s := c.Shape(t)
	if !c.OK() {
		return n, false, false
	}
	if !emptyLiteral(v) && d != dtype.Unknown && !d.IsIntegralOrBool() {
		c.Errorf("IndexError", diag.DTypeMismatch, "%s(): places must be ints, not %s", c.Short(), t)
		return n, false, false
	}
	// delete demands a mask of the full length.
	if d == dtype.Bool && len(s) > 0 {
		if distinct {
			if _, same := c.Same(s[0], size); len(s) != 1 || !same {
				c.Errorf("ValueError", diag.ShapeMismatch, "%s(): a mask of shape %s for size %s", c.Short(), s, size)
				return n, false, false
			}
		}
		// True elements are counted if all are known.
		count := int64(0)
		for _, e := range t.Contents() {
			b, ok := e.(value.Bool)
			if !ok {
				return dataSize(c, t, 0), false, true
			}
			if b {
				count++
			}
		}
		if t.Contents() == nil {
			return dataSize(c, t, 0), false, true
		}
		return c.Const(count), false, true
	}
	if len(s) > 1 && !distinct {
		c.Errorf("ValueError", diag.RankMismatch, "%s(): places must be an int, a slice or a vector, not %s", c.Short(), t)
		return n, false, false
	}
	seen := map[int64]bool{}
	all := t.Contents() != nil
	for _, e := range t.Contents() {
		k, ok := value.AsInt(e)
		if all = all && ok; ok {
			if !check(k) {
				return n, false, false
			}
			// Negative and positive places that are the same count once.
			if k < 0 && known {
				k += total
			}
			seen[k] = true
		}
	}
	// One place.
	if len(s) == 0 {
		if distinct && known && total == 0 {
			check(0)
		}
		return c.Const(1), true, c.OK()
	}
	if !distinct {
		return c.Numel(s), false, true
	}
	if all && known {
		return c.Const(int64(len(seen))), false, true
	}
	if ops.IsConst(c.Numel(s), 1) {
		return c.Const(1), false, true
	}
	return dataSize(c, t, 0), false, true
}

// insertArray inserts values before the indices on an axis, of the flattened array without one. The values
// are converted to the array's dtype and broadcast to the new elements; a single index takes as many as
// the values have along the axis. The axis grows by their number. Values of as many dimensions as
// the array lie along the axis with their first one, if there is a single place, as
// np.moveaxis(values, 0, axis) in NumPy's code.
func insertArray(c *ops.Call) value.Value {
	t := arrayArg(c, "arr")
	if t == nil {
		return nil
	}
	s, a := pieceAxis(c, t)
	if !c.OK() {
		return nil
	}
	n, single, ok := selected(c, s[a], false, 1)
	if !ok {
		return nil
	}
	if notNumber(c.Value("values")) == "None" && t.Type().DType.IsIntegral() {
		return c.Errorf("TypeError", diag.TypeMismatch, "insert(): None is no number")
	}
	v := ToArray(c, parsed(c, c.Value("values"), t.Type().DType))
	if v == nil {
		return nil
	}
	vs := c.Shape(v)
	if !c.OK() {
		return nil
	}
	moved := vs
	if single && len(vs) <= len(s) && len(s) > 0 { // the first axis of values of as many dimensions lies along the axis
		whole := make(symshape.Shape, len(s)-len(vs), len(s))
		for i := range whole {
			whole[i] = c.Const(1)
		}
		whole = append(whole, vs...)
		n = whole[0]
		moved = slices.Insert(slices.Clone(whole[1:]), a, n)
	}
	// A list with one place broadcasts the values without moving their axes.
	if k := len(s) - len(vs); !single && ops.IsConst(n, 1) && k >= 0 { // in one place, as many as the values have along the axis
		if a >= k {
			n = vs[a-k]
		}
	}
	if want := ops.With(s, a, n); !c.BroadcastsTo(moved, want) {
		return c.Errorf("ValueError", diag.ShapeMismatch, "insert(): values of shape %s do not fit the %s new elements", vs, n)
	}
	return c.Out(t.Type().DType, ops.With(s, a, c.P.DimAdd(s[a], n)))
}

// deleteArray: the axis is as much shorter as there are different indices, which must be known; a slice counts
// its elements.
func deleteArray(c *ops.Call) value.Value {
	t := arrayArg(c, "arr")
	if t == nil {
		return nil
	}
	s, a := pieceAxis(c, t)
	if !c.OK() {
		return nil
	}
	n, _, ok := selected(c, s[a], true, 0)
	if !ok {
		return nil
	}
	return c.Out(t.Type().DType, ops.With(s, a, c.P.DimSub(s[a], n)))
}

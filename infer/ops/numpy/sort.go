package numpy

// This file holds sorting, unique elements, and whether arrays are equal. Sorting keeps the shape,
// or flattens with axis=None. Elements of vectors are sorted where they are known; how many
// different elements there are is otherwise a size that depends on data.

import (
	"cmp"
	"math"
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// sortArray makes the rule of a function that sorts along an axis, or gives the
// indices that do. Function elems gives the elements of vectors; nil: not tracked.
func sortArray(indices bool, elems func(*ops.Call, []value.Value) []value.Value) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := arrayArg(c, "a")
		if t == nil {
			return nil
		}
		s := c.Shape(t)
		if !c.OK() {
			return nil
		}
		d := t.Type().DType
		if indices {
			d = dtype.I64
		}
		if checkSort(c, s); !c.OK() {
			return nil
		}
		if c.Value("axis") == value.None {
			return c.Out(d, symshape.Shape{c.Numel(s)})
		}
		anAxis(c, c.Value("axis"), max(len(s), 1))
		if !c.OK() {
			return nil
		}
		// np.sort fails for an array without dimensions, while np.argsort gives one index.
		if len(s) == 0 {
			if !indices {
				return c.Errorf("IndexError", diag.DimOutOfRange, "%s(): an array without dimensions has no axis", c.Short())
			}
			return c.Out(d, symshape.Shape{c.Const(1)})
		}
		out := c.Like(t, d)
		if elems != nil && len(s) == 1 {
			out.SetContents(elems(c, t.Contents()))
		}
		return out
	}
}

// realOf reads an element as a number, also a bool. False for complex numbers and for what is not
// known.
func realOf(v value.Value) (float64, bool) {
	if b, ok := v.(value.Bool); ok {
		if b {
			return 1, true
		}
		return 0, true
	}
	return value.AsFloat(v)
}

// sortedElems sorts numbers; it gives nil when one is not known. NaNs are last, as in NumPy.
func sortedElems(elems []value.Value) []value.Value {
	for _, x := range elems {
		if _, ok := realOf(x); !ok || symbolicElem(x) {
			return nil
		}
	}
	sorted := slices.Clone(elems)
	slices.SortStableFunc(sorted, func(a, b value.Value) int {
		x, _ := realOf(a)
		y, _ := realOf(b)
		switch {
		case math.IsNaN(x) || math.IsNaN(y): // these are the last
			return cmp.Compare(y, x)
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return sorted
}

// sortedVector is the contents of a sorted vector. It has the signature that sortArray takes.
func sortedVector(_ *ops.Call, elems []value.Value) []value.Value { return sortedElems(elems) }

// inserted is up to how many elements numpy 1 sorts by insertion, which keeps the order of equal ones.
const inserted = 16

// sortedIndices gives the indices that sort a vector; nil where they are not known, as those of equal elements.
func sortedIndices(c *ops.Call, elems []value.Value) []value.Value {
	if sortedElems(elems) == nil {
		return nil
	}
	order := make([]int, len(elems))
	for i := range order {
		order[i] = i
	}
	at := func(i int) float64 {
		x, _ := realOf(elems[i])
		return x
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(at(i), at(j)) })
	kind, _ := value.AsStr(c.Value("kind"))
	// Of equal elements only a stable sort tells the order.
	stable := kind == "stable" || kind == "mergesort" || c.HasParam("stable") && c.Bool("stable") || c.Numpy1() && len(elems) <= inserted
	out := make([]value.Value, len(order))
	for i, k := range order {
		if math.IsNaN(at(k)) || !stable && i > 0 && at(order[i-1]) == at(k) {
			return nil
		}
		out[i] = value.Int(k)
	}
	return out
}

// sortInPlace is the rule of ndarray.sort. The array is written to and must be writable.
func sortInPlace(c *ops.Call) value.Value {
	t, ok := c.Value("a").(*value.Tensor)
	if !ok {
		return value.None
	}
	if checkSort(c, c.Shape(t)); c.OK() {
		anAxis(c, c.Value("axis"), len(t.Type().Shape))
	}
	if !c.OK() || !writable(c, t) {
		return nil
	}
	var elems []value.Value
	if s := t.Type().Shape; t.Type().Ranked && len(s) == 1 && !c.Has("order") {
		elems = sortedElems(t.Contents())
	}
	becomes(c, t, c.OutType(*t.Type()), elems)
	return value.None
}

// changed makes the contents of an array unknown. Shape and dtype stay.
func changed(c *ops.Call, t *value.Tensor) {
	becomes(c, t, c.OutType(*t.Type()), nil)
}

// becomes records the call, which gives out, and makes that the new contents of the array t. The
// array keeps its identity; out is only the value.
func becomes(c *ops.Call, t, out *value.Tensor, elems []value.Value) {
	c.Record(false)
	c.Outs = nil
	t.Mutate(c.Th.Heap(), out.V, elems)
}

// dataSize is a size that the contents of t decide. lo is its least value.
func dataSize(c *ops.Call, t *value.Tensor, lo int64) symshape.Dim {
	return c.Th.DataInt("u", lo, t.V).D
}

// uniqueElems sorts known elements and leaves each once; first are the places where they
// are first, inverse the place of each in the result. All are nil where one is not known. counts
// has how often each occurs.
func uniqueElems(e []value.Value) (elems, first, inverse, counts []value.Value) {
	sorted := sortedElems(e)
	if e == nil || sorted == nil && len(e) > 0 {
		return nil, nil, nil, nil
	}
	elems, first, inverse, counts = []value.Value{}, []value.Value{}, make([]value.Value, len(e)), []value.Value{}
	place := map[float64]int{}
	for _, x := range sorted {
		f, _ := realOf(x)
		if math.IsNaN(f) {
			return nil, nil, nil, nil
		}
		if i, seen := place[f]; seen {
			counts[i] = counts[i].(value.Int) + 1
			continue
		}
		place[f] = len(elems)
		elems, counts, first = append(elems, x), append(counts, value.Int(1)), append(first, value.Int(-1))
	}
	for i, x := range e {
		f, _ := realOf(x)
		k := place[f]
		inverse[i] = value.Int(k)
		if first[k] == value.Value(value.Int(-1)) {
			first[k] = value.Int(i)
		}
	}
	return elems, first, inverse, counts
}

// uniqueArray returns the sorted different elements as a vector, or with axis= the different slices along
// one axis; their number depends on the data where elements are not known. Indices and counts are int64
// vectors of that length; the inverse has the length of the axis, or without one the array's shape (before
// numpy 2: its number of elements).
func uniqueArray(c *ops.Call) value.Value {
	t := arrayArg(c, "ar")
	if t == nil {
		return nil
	}
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	for _, name := range [...]string{"return_index", "return_inverse", "return_counts"} {
		if value.IsUnknown(c.Value(name)) {
			return c.Lose("%s is not known", name)
		}
	}
	var elems []value.Value
	var counts, first, inverse []value.Value
	// Several results may be asked for in any combination, in this order: elements, indices,
	// inverse, counts.
	if !c.Has("axis") {
		elems, first, inverse, counts = uniqueElems(t.Contents())
	}
	n := c.Const(int64(len(elems)))
	if elems == nil {
		n = dataSize(c, t, 0)
	}
	shape := symshape.Shape{n}
	if c.Has("axis") {
		if len(s) == 0 {
			return c.Errorf("IndexError", diag.DimOutOfRange, "unique(): an array without dimensions has no axis")
		}
		axes, _ := arrayAxes(c, len(s))
		if !c.OK() || len(axes) != 1 {
			return c.Lose("unique over several axes")
		}
		shape = ops.With(s, axes[0], n)
	}
	out := c.OutType(graph.TensorType{DType: t.Type().DType, Ranked: true, Shape: shape})
	if ops.Tracked(t.Type().DType) {
		out.SetContents(elems)
	}
	outs := []value.Value{out}
	for i, name := range [...]string{"return_index", "return_inverse", "return_counts"} {
		if !c.Bool(name) {
			continue
		}
		size := symshape.Shape{n}
		if name == "return_inverse" {
			switch {
			case c.Has("axis"):
				axes, _ := arrayAxes(c, len(s))
				size = symshape.Shape{s[axes[0]]}
			case !c.Numpy1():
				size = s
			default:
				size = symshape.Shape{c.Numel(s)}
			}
		}
		extra := c.Out(dtype.I64, size)
		extra.SetContents([...][]value.Value{first, inverse, counts}[i])
		outs = append(outs, KeepArray(c, extra))
	}
	if len(outs) == 1 {
		return out
	}
	return value.NewTuple(outs...)
}

// allOf is whether all elements are true, where that is known; a difference counts only with exact.
// With exact a known difference makes it False; otherwise, as for allclose, it may be within the
// tolerance.
func allOf(c *ops.Call, t *value.Tensor, exact bool) value.Value {
	e := t.Contents()
	known := e != nil
	if s, ok := ops.ConstShape(t.Type().Shape); ok && ops.Product(s) == 0 {
		return value.Bool(true)
	}
	for _, x := range e {
		b, ok := c.ElemTruth(x).(value.Bool)
		if ok && !bool(b) && exact {
			return value.Bool(false)
		}
		known = known && ok && bool(b)
	}
	if known {
		return value.Bool(true)
	}
	return c.Th.DataBool(nil)
}

// equalShapes compares shapes, and the elements as far as they are known. With strict the shapes
// must be equal, and otherwise they must broadcast. A size that is no number leaves it open.
func equalShapes(c *ops.Call, strict bool) value.Value {
	if notNumber(c.Value("a1")) != "" || notNumber(c.Value("a2")) != "" {
		return c.Th.DataBool(nil)
	}
	a, b := arrayArg(c, "a1"), arrayArg(c, "a2")
	if a == nil || b == nil {
		return nil
	}
	s, ok1 := ops.ConstShape(a.Type().Shape)
	r, ok2 := ops.ConstShape(b.Type().Shape)
	if !a.Type().Ranked || !b.Type().Ranked || !ok1 || !ok2 {
		return c.Th.DataBool(nil)
	}
	if strict && !slices.Equal(s, r) || !strict && !compatible(s, r) {
		return value.Bool(false)
	}
	equal := ops.EqElem
	if c.HasParam("equal_nan") && c.Value("equal_nan") != value.Value(value.Bool(false)) {
		equal = func(c *ops.Call, d dtype.DType, x []value.Value) value.Value {
			if isNaN(x[0]) && isNaN(x[1]) {
				return value.Bool(true)
			}
			return ops.EqElem(c, d, x)
		}
	}
	v, _ := c.Pointwise(dtype.Bool, equal, a, b).(*value.Tensor)
	// The comparison is no result of the call.
	c.Outs = nil
	if v == nil {
		return nil
	}
	return allOf(c, v, true)
}

// compatible reports whether shapes can be broadcast together. Compared from the end.
func compatible(a, b []int) bool {
	for i := range min(len(a), len(b)) {
		if x, y := a[len(a)-1-i], b[len(b)-1-i]; x != y && x != 1 && y != 1 {
			return false
		}
	}
	return true
}

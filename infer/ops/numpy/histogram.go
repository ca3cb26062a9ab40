package numpy

// This file holds bins, counts and searching in sorted data. Positions and counts are int64; edges
// have the dtype of the data or float64. Known elements are searched for small arrays, since
// programs find sizes in tables in this way.

import (
	"math"
	"slices"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// side checks the side on which searchsorted looks. NumPy 1 takes any text with the right first
// letter.
func side(c *ops.Call) {
	v := c.Value("side")
	s, ok := value.AsStr(v)
	switch {
	case value.IsUnknown(v):
	case !ok:
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): side must be a str, not %s", c.Short(), ops.TypeName(v))
	case s == "left" || s == "right":
	case c.Numpy1() && s != "" && (s[0] == 'l' || s[0] == 'r' || s[0] == 'L' || s[0] == 'R'):
	default:
		c.Errorf("ValueError", diag.BadValue, "%s(): side must be 'left' or 'right', not '%s'", c.Short(), s)
	}
}

// searchArray is searchsorted: positions for all values, int64, in the vector a, or in the order that sorter
// makes of it. The result has the shape of v. That a is sorted is not checked by NumPy either.
func searchArray(c *ops.Call) value.Value {
	a, v := arrayArg(c, "a"), arrayArg(c, "v")
	if a == nil || v == nil {
		return nil
	}
	side(c)
	vector(c, a)
	if c.Has("sorter") {
		i := numbers(c, "sorter")
		if i != nil && i.Type().DType != dtype.Unknown && !i.Type().DType.IsIntegral() {
			c.Errorf("TypeError", diag.DTypeMismatch, "%s(): sorter must be an array of ints, not %s", c.Short(), i)
		}
		// sorter has one index for each element of a.
		if i != nil && c.OK() && i.Type().Ranked && a.Type().Ranked {
			if len(i.Type().Shape) != 1 {
				c.Errorf("TypeError", diag.RankMismatch, "%s(): sorter must be a vector, not %s", c.Short(), i)
			} else if _, ok := c.Same(i.Type().Shape[0], a.Type().Shape[0]); !ok {
				c.Errorf("ValueError", diag.ShapeMismatch, "%s(): sorter must have the size of %s, not %s", c.Short(), a, i.Type().Shape)
			}
		}
	}
	if !c.OK() {
		return nil
	}
	out := c.Like(v, dtype.I64)
	if right, _ := value.AsStr(c.Value("side")); !c.Has("sorter") {
		out.SetContents(placesIn(a.Contents(), v.Contents(), right != "" && (right[0] == 'r' || right[0] == 'R')))
	}
	return out
}

// placesIn are the indices at which values belong into sorted elements, or nil. It is nil where an
// element is not known, a is not sorted or v has a NaN. A value that is equal to elements goes
// before them, or with right behind them.
func placesIn(sorted, vs []value.Value, right bool) []value.Value {
	if sorted == nil || vs == nil {
		return nil
	}
	xs := make([]float64, len(sorted))
	for i, e := range sorted {
		x, ok := value.AsFloat(e)
		if !ok || symbolicElem(e) || i > 0 && !(xs[i-1] <= x) {
			return nil
		}
		xs[i] = x
	}
	out := make([]value.Value, len(vs))
	for i, e := range vs {
		v, ok := value.AsFloat(e)
		if !ok || symbolicElem(e) || math.IsNaN(v) {
			return nil
		}
		n := 0
		for n < len(xs) && (xs[n] < v || right && xs[n] == v) {
			n++
		}
		out[i] = value.Int(n)
	}
	return out
}

// digitizeArray is searchsorted with bins that may fall as well; they must be monotonic, which is checked where
// they are known. The result has the shape of x and dtype int64. Complex numbers are refused.
func digitizeArray(c *ops.Call) value.Value {
	t, bins := numbers(c, "x"), numbers(c, "bins")
	if t == nil || bins == nil {
		return nil
	}
	if t.Type().DType.IsComplex() || bins.Type().DType.IsComplex() {
		return c.Errorf("TypeError", diag.DTypeMismatch, "digitize() is not defined for complex numbers")
	}
	if !vector(c, bins) {
		return nil
	}
	if !monotonic(bins.Contents(), true) {
		return c.Errorf("ValueError", diag.BadValue, "digitize(): bins must only grow or only shrink")
	}
	return c.Like(t, dtype.I64)
}

// monotonic reports whether numbers grow, or shrink where that is allowed; those that
// are not known do. Equal neighbours are allowed in both directions.
func monotonic(elems []value.Value, down bool) bool {
	var prev float64
	grows, shrinks := true, true
	for i, e := range elems {
		x, ok := value.AsFloat(e)
		if !ok {
			return true
		}
		if i > 0 {
			grows = grows && x >= prev
			shrinks = shrinks && x <= prev
		}
		prev = x
	}
	return grows || down && shrinks
}

// bincountArray needs a vector of integers >= 0, real weights of the same length, and minlength >= 0. The
// result counts in int64, or adds weights in float64; its length is the greatest element + 1, at least
// minlength, and depends on the data where they are not known. A list may have floats, which are
// truncated; an array needs a safe cast to int64.
func bincountArray(c *ops.Call) value.Value {
	t := numbers(c, "x")
	if t == nil {
		return nil
	}
	vector(c, t)
	// The numbers of a list are cut off to integers, an array's are not. A list becomes an array of
	// int64 by force.
	if d := t.Type().DType; ops.IsArray(c.Value("x")) && d != dtype.Unknown && !canCast(d, dtype.I64, "safe") &&
		!(c.OK() && ops.IsConst(t.Type().Shape[0], 0)) {
		return c.Errorf("TypeError", diag.DTypeMismatch, "bincount() needs ints, not %s", t)
	}
	d := dtype.I64
	if c.Has("weights") && c.OK() && !(t.Type().Ranked && ops.IsConst(t.Type().Shape[0], 0)) { // of nothing there are no sums
		d = dtype.F64
		w := numbers(c, "weights")
		if w == nil {
			return nil
		}
		if w.Type().DType.IsComplex() {
			return c.Errorf("TypeError", diag.DTypeMismatch, "bincount(): weights must be real, not %s", w)
		}
		if vector(c, w) && t.Type().Ranked && w.Type().Ranked {
			if _, ok := c.Same(t.Type().Shape[0], w.Type().Shape[0]); !ok {
				return c.Errorf("ValueError", diag.ShapeMismatch, "bincount(): %s weights for %s numbers", w.Type().Shape[0], t.Type().Shape[0])
			}
		}
	}
	if !c.OK() {
		return nil
	}
	minimum := c.Value("minlength")
	// None meant 0 in NumPy 1.
	if minimum == value.None && c.Numpy1() {
		minimum = value.Int(0)
	} else {
		needInt(c, "minlength")
	}
	least, known := value.AsInt(value.Plain(minimum))
	if known && least < 0 {
		return c.Errorf("ValueError", diag.BadValue, "bincount(): minlength must not be negative, but is %d", least)
	}
	if !c.OK() {
		return nil
	}
	// n is -1 as long as the size is not known.
	n := int64(-1)
	if e := t.Contents(); e != nil && known {
		n = least
		for _, x := range e {
			k, ok := value.AsInt(x)
			if f, is := x.(value.Float); is && math.Abs(float64(f)) < 1<<31 {
				k, ok = int64(f), true
			}
			if !ok {
				n = -1
				break
			}
			if k < 0 {
				return c.Errorf("ValueError", diag.BadValue, "bincount(): %d is negative", k)
			}
			n = max(n, k+1)
		}
	}
	if n >= 0 {
		return c.Out(d, symshape.Shape{c.Const(n)})
	}
	return c.Out(d, symshape.Shape{dataSize(c, t, max(least, 0))})
}

// estimators are the names by which bins are asked for. See numpy.histogram_bin_edges.
var estimators = []string{"auto", "fd", "doane", "scott", "stone", "rice", "sturges", "sqrt"}

// binsOf reads the bins of a histogram: their number and their edges. The result is the number of
// bins and the edges, which are a new array of n + 1 elements unless they were given. Weights must
// have the shape of the data; range must have two numbers in order. edges is nil after a report.
func binsOf(c *ops.Call) (n symshape.Dim, edges *value.Tensor) {
	t := numbers(c, "a")
	if t == nil {
		return n, nil
	}
	if c.Has("weights") {
		w := arrayArg(c, "weights")
		if w != nil && w.Type().Ranked && t.Type().Ranked {
			if a, b := t.Type().Shape, w.Type().Shape; len(a) != len(b) || !c.SameSizes(a, b) {
				c.Errorf("ValueError", diag.ShapeMismatch, "%s(): weights of shape %s for %s", c.Short(), b, t)
			}
		}
	}
	d := t.Type().DType
	lo, hi := value.Value(nil), value.Value(nil)
	if c.Has("range") && c.OK() {
		elems, isList, _ := c.Sequence(c.Value("range"))
		if s := notNumber(c.Value("range")); s != "" {
			c.Errorf("TypeError", diag.TypeMismatch, "%s(): range must hold numbers, not %s", c.Short(), s)
		} else if ops.NumberKind(c.Value("range")) != dtype.KindInvalid {
			c.Errorf("TypeError", diag.TypeMismatch, "%s(): range must be two numbers, not %s", c.Short(), ops.TypeName(c.Value("range")))
		} else if isList && len(elems) != 2 {
			c.Errorf("ValueError", diag.BadValue, "%s(): range must be two numbers, not %d", c.Short(), len(elems))
		} else if isList {
			lo, hi = elems[0], elems[1]
			x, ok1 := value.AsFloat(value.Plain(lo))
			y, ok2 := value.AsFloat(value.Plain(hi))
			if ok1 && ok2 && x > y {
				c.Errorf("ValueError", diag.BadValue, "%s(): the range from %g to %g is empty", c.Short(), x, y)
			}
		}
	}
	if !c.OK() {
		return n, nil
	}
	bins := value.Plain(c.Value("bins"))
	edgeType := d
	// NumPy converts bools to uint8 here.
	if d == dtype.Bool {
		edgeType = dtype.U8
	}
	if lo != nil && hi != nil && d != dtype.Unknown {
		edgeType = c.Lib.Promote(c, t, scalarArray(c, lo), scalarArray(c, hi))
		if c.Numpy1() && len(t.Type().Shape) == 0 && d.IsFloat() {
			edgeType = d
		}
	}
	if edgeType.IsIntegralOrBool() || !c.Numpy1() && lo != nil && truths(c, lo, hi) { // half of one is subtracted from numpy's True
		edgeType = dtype.F64
	}
	switch b := bins.(type) {
	case value.Str:
		if !slices.Contains(estimators, string(b)) {
			// Rules for bins compute their number from the data.
			c.Errorf("ValueError", diag.BadValue, "%s(): there is no rule '%s' for bins", c.Short(), b)
			return n, nil
		}
		if c.Has("weights") {
			c.Errorf("TypeError", diag.BadCall, "%s(): rules for bins take no weights", c.Short())
			return n, nil
		}
		n = dataSize(c, t, 1)
	case value.Int, *value.SymInt, value.Bool:
		n, _ = value.AsDim(c.P, bins)
		if k, ok := value.AsInt(bins); ok && k < 1 {
			c.Errorf("ValueError", diag.BadValue, "%s(): the number of bins must be positive, but is %d", c.Short(), k)
			return n, nil
		}
	default:
		e := numbers(c, "bins")
		if e == nil {
			return n, nil
		}
		s := c.Shape(e)
		if !c.OK() {
			return n, nil
		}
		if len(s) == 0 {
			if d := e.Type().DType; d.IsIntegralOrBool() || d == dtype.Unknown {
				c.Lose("the number of bins is not known")
				return n, nil
			}
			c.Errorf("TypeError", diag.TypeMismatch, "%s(): bins must be an int, a str or an array, not %s", c.Short(), holding(c.Value("bins")))
			return n, nil
		}
		if !vector(c, e) {
			return n, nil
		}
		if !monotonic(e.Contents(), false) {
			c.Errorf("ValueError", diag.BadValue, "%s(): the edges of bins must grow", c.Short())
			return n, nil
		}
		// Given edges are used as they are.
		return c.P.DimSub(s[0], c.Const(1)), e
	}
	return n, c.Out(edgeType, symshape.Shape{c.P.DimAdd(n, c.Const(1))})
}

// truths reports whether both ends of a range are 1, of which the first is a truth of numpy. Only
// bools of NumPy are meant: their difference would not be a number.
func truths(c *ops.Call, lo, hi value.Value) bool {
	t, ok := scalarArray(c, lo).(*value.Tensor)
	if !ok || t.Type().DType != dtype.Bool || len(t.Contents()) != 1 {
		return false
	}
	x, ok1 := value.AsFloat(t.Contents()[0])
	y, ok2 := value.AsFloat(value.Plain(hi))
	return ok1 && ok2 && x == y
}

// scalarArray is v, one of numpy's scalars as an array: among arrays these have a dtype. A Python
// number counts by its kind alone.
func scalarArray(c *ops.Call, v value.Value) value.Value {
	if ops.IsNumpyScalar(v) {
		if t := ToArray(c, v); t != nil {
			return t
		}
	}
	return v
}

// histogram gives counts and the edges, one more than there are bins. Counts are int64, or of the dtype of the
// weights, and densities float64. With density the counts become floats.
func histogram(c *ops.Call) value.Value {
	n, edges := binsOf(c)
	if !c.OK() {
		return nil
	}
	d := dtype.I64
	if c.Has("weights") {
		if w := arrayArg(c, "weights"); w != nil {
			d = w.Type().DType
		}
	}
	if c.Surely("density") || c.HasParam("normed") && c.Surely("normed") {
		if d = dtype.Numpy(d, dtype.F64); edges.Type().DType.IsFloat() && c.Has("weights") {
			d = dtype.F64
		}
	}
	return value.NewTuple(c.Out(d, symshape.Shape{n}), edges)
}

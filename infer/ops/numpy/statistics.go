package numpy

// This file holds quantiles, averages, counts, bins and what searches in sorted data. The functions
// read their axis arguments by looseAxes and give results by the shape of a reduction; a quantile
// has the shape of q in front of it. Which exception is raised, and what is not checked where an
// axis is empty, is as the Python code of numpy/lib/function_base.py and nanfunctions.py has it.

import (
	"math"
	"strings"

	"slices"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// arrayStatisticsOps lists searching in sorted arrays, counting and covariance. How many bins a histogram has
// is known where bins is a number or an array, and for the names of rules ('auto') only data says it.
func arrayStatisticsOps() []ops.Op {
	return []ops.Op{
		array("searchsorted .searchsorted", "(any a, any v, any side='left', any sorter=None)", searchArray, "where elements are to be inserted"),
		array("digitize", "(any x, any bins, any right=False)", digitizeArray, "the bin of each element"),
		array("bincount", "(any x, any weights=None, any minlength=0)", bincountArray, "counts of each number"),
		array("histogram", "(any a, any bins=10, any range=None, any density=None, any weights=None) | (any a, any bins=10, any range=None, any normed=None, any weights=None, any density=None)", histogram, "counts and edges of bins"),
		array("histogram_bin_edges", "(any a, any bins=10, any range=None, any weights=None)", func(c *ops.Call) value.Value {
			_, edges := binsOf(c)
			if !c.OK() {
				return nil
			}
			return edges
		}, "edges of bins"),
		array("cov", "(any m, any y=None, any rowvar=True, any bias=False, any ddof=None, any fweights=None, any aweights=None, *, any dtype=None)", covArray(false), "covariance of rows"),
		array("corrcoef", "(any x, any y=None, any rowvar=True, any bias=None, any ddof=None, *, any dtype=None)", covArray(true),
			"correlation of rows"),
	}
}

// intFold is a fold that is only known of integers: of floats nan would have to be left out.
func intFold(f ops.ElemFunc) ops.ElemFunc {
	return func(c *ops.Call, d dtype.DType, x []value.Value) value.Value {
		if !d.IsIntegral() {
			return nil
		}
		return f(c, d, x)
	}
}

// checkSort checks kth, the positions around which partition divides, and kind, the method of
// sorting. kth must be ints within the axis (TypeError, ValueError); what is not known, and empty
// arrays, pass.
func checkSort(c *ops.Call, s symshape.Shape) {
	if c.HasParam("kind") && c.Has("kind") {
		if _, ok := value.AsStr(c.Value("kind")); !ok && !value.IsUnknown(c.Value("kind")) {
			c.Errorf("TypeError", diag.TypeMismatch, "%s(): kind must be a str, not %s", c.Short(), ops.TypeName(c.Value("kind")))
		} else if s, ok := value.AsStr(c.Value("kind")); ok && (s == "" || !strings.ContainsAny(s[:1], "qhsmQHSM")) && !c.HasParam("kth") {
			c.Errorf("ValueError", diag.BadValue, "%s(): kind must be one of 'quicksort', 'mergesort', 'heapsort' and 'stable', not '%s'",
				c.Short(), s)
		}
	}
	if !c.HasParam("kth") {
		return
	}
	v := plainArgs(c.Value("kth"))
	if t, ok := v.(*value.Tensor); ok {
		if d := t.Type().DType; d != dtype.Unknown && !d.IsIntegral() {
			c.Errorf("TypeError", diag.TypeMismatch, "%s(): kth must be ints, not %s", c.Short(), t)
			return
		}
		if t.Contents() == nil {
			return
		}
		v = value.NewTuple(t.Contents()...)
	}
	elems, isList, open := c.Sequence(v)
	if open != nil {
		return
	}
	if !isList {
		elems = []value.Value{v}
	}
	// Without an axis positions count in the flattened array; a scalar is one element.
	size := c.Const(1)
	if c.Value("axis") == value.None {
		size = c.Numel(s)
	} else if len(s) > 0 {
		if a := anAxis(c, c.Value("axis"), len(s)); c.OK() {
			size = s[a]
		}
	}
	for _, e := range elems {
		switch value.Plain(e).(type) {
		case value.Int, *value.SymInt, value.Bool:
		default:
			c.Errorf("TypeError", diag.TypeMismatch, "%s(): kth must be ints, not %s", c.Short(), ops.TypeName(e))
			return
		}
		k, ok1 := value.AsInt(value.Plain(e))
		n, ok2 := size.Const()
		if ok1 && ok2 && (k >= n || k < -n) && n > 0 && !slices.ContainsFunc(s, func(d symshape.Dim) bool { return ops.IsConst(d, 0) }) {
			c.Errorf("ValueError", diag.BadValue, "%s(): element %d of %d does not exist", c.Short(), k, n)
			return
		}
	}
}

// countNonzero counts in int64 along axes. Of all elements without keepdims it returns a Python int before
// numpy 2, and an array without dimensions since.
func countNonzero(c *ops.Call) value.Value {
	t := arrayArg(c, "a")
	if t == nil {
		return nil
	}
	keep := keepdims(c)
	s := c.Shape(t)
	axes, all := arrayAxes(c, len(s))
	if !c.OK() {
		return nil
	}
	if len(s) == 0 {
		axes = nil
	}
	// All elements count, and the number is known where their truth is.
	if all && !keep {
		n := value.Value(nil)
		if e := t.Contents(); e != nil {
			count := int64(0)
			for _, x := range e {
				b, ok := c.ElemTruth(x).(value.Bool)
				if !ok {
					count = -1
					break
				}
				if bool(b) {
					count++
				}
			}
			if count >= 0 {
				n = value.Int(count)
			}
		}
		if c.Numpy1() {
			if n != nil {
				return n
			}
			// The number is the sum of a comparison, so that the graph knows where it comes from.
			if some := c.DelegateTensor("numpy.not_equal", []value.Value{t, value.Int(0)}); some != nil {
				if sum, ok := value.Plain(c.Delegate("numpy.sum", []value.Value{some})).(*value.SymInt); ok {
					return sum
				}
			}
			return c.Th.DataInt("n", 0, nil)
		}
		out := c.Out(dtype.I64, symshape.Shape{})
		if n != nil {
			out.SetContents([]value.Value{n})
		}
		return out
	}
	return c.Out(dtype.I64, ops.ReduceShape(c, s, axes, keep))
}

// overSeveral refuses a reduction over several axes beside one of size 0, as numpy
// reshapes with -1 there (numpy/lib/function_base.py, _ureduce); functions without nan are nanmean of no elements.
func overSeveral(c *ops.Call, s symshape.Shape, axes []int, all, nan bool) {
	if all || len(axes) < 2 || nan {
		return
	}
	for i, d := range s {
		if ops.IsConst(d, 0) && !slices.Contains(axes, i) {
			c.Errorf("ValueError", diag.InvalidSize, "%s(): over several axes, axis %d must not have size 0", c.Short(), i)
			return
		}
	}
}

// medianArray is the rule of medians: integers are averaged in float64, and the reduced axes go, or
// stay with size 1 under keepdims. nan says that it is the form that leaves nan out.
func medianArray(nan bool) func(c *ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		if tensorArgument(c, c.Value("a")) {
			return nil
		}
		t := numbers(c, "a")
		if t == nil {
			return nil
		}
		s := c.Shape(t)
		if !c.OK() {
			return nil
		}
		axes := reducedAxes(c, s, nan)
		keep := keepdims(c)
		if !c.OK() {
			return nil
		}
		return writeOr(c, c.Out(quotient(c, t.Type().DType), ops.ReduceShape(c, s, axes, keep)))
	}
}

// reducedAxes reads the axes of a function that sorts along them. An array without dimensions has
// none.
func reducedAxes(c *ops.Call, s symshape.Shape, nan bool) []int {
	if c.Value("axis") != value.None && len(s) == 0 {
		if elems, isList, _ := c.Sequence(c.Value("axis")); !isList || len(elems) > 0 {
			c.Errorf("IndexError", diag.DimOutOfRange, "%s(): an array without dimensions has no axis", c.Short())
			return nil
		}
	}
	axes, all := looseAxes(c, len(s))
	if c.OK() {
		overSeveral(c, s, axes, all, nan)
	}
	return axes
}

// writeOr writes a result to out=, if there is one.
func writeOr(c *ops.Call, out *value.Tensor) value.Value {
	if c.OK() && c.HasParam("out") && c.Has("out") {
		return writeReduced(c, c.Value("out"), out)
	}
	return out
}

// discrete are the methods that choose an element.
var discrete = []string{"inverted_cdf", "closest_observation", "lower", "higher", "nearest"}

// continuous are the methods that compute between elements.
var continuous = []string{"linear", "hazen", "weibull", "median_unbiased", "normal_unbiased", "interpolated_inverted_cdf", "midpoint",
	"averaged_inverted_cdf"}

// quantileArray is the rule of quantiles, which lie between 0 and top. The result has the shape of
// q followed by that of the reduction; which dtype it has depends on the method and the version.
func quantileArray(top float64, nan bool) func(c *ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		if tensorArgument(c, c.Value("a")) {
			return nil
		}
		t, q := numbers(c, "a"), numbers(c, "q")
		if t == nil || q == nil {
			return nil
		}
		s, qs := c.Shape(t), c.Shape(q)
		if !c.OK() {
			return nil
		}
		axes := reducedAxes(c, s, nan)
		keep := keepdims(c)
		if !c.OK() {
			return nil
		}
		// Quantiles that are known must be in range.
		for _, e := range q.Contents() {
			if x, ok := value.AsFloat(e); ok && (x < 0 || x > top) {
				return c.Errorf("ValueError", diag.BadValue, "%s(): %g is not between 0 and %g", c.Short(), x, top)
			}
		}
		d, qd := t.Type().DType, q.Type().DType
		method, _ := value.AsStr(c.Value("method"))
		if m, ok := value.AsStr(c.Value("interpolation")); ok {
			method = m
		}
		if method != "" && !slices.Contains(discrete, method) && !slices.Contains(continuous, method) {
			return c.Errorf("ValueError", diag.BadValue, "%s(): there is no method '%s'", c.Short(), method)
		}
		if d.IsComplex() && !c.Numpy1() || d == dtype.Bool && !nan && method == "linear" {
			return c.Errorf("TypeError", diag.DTypeMismatch, "%s() is not defined for %s", c.Short(), d.Numpy())
		}
		shape := ops.ReduceShape(c, s, axes, keep)
		// The functions without nan return nanmean of an array without elements.
		if nan && slices.ContainsFunc(s, func(d symshape.Dim) bool { return ops.IsConst(d, 0) }) {
			return c.Out(quotient(c, d), shape) // the mean of nothing, without an axis for q
		}
		if !nan {
			for _, a := range axes {
				if ops.IsConst(s[a], 0) {
					return c.Errorf("IndexError", diag.InvalidSize, "%s(): axis %d has size 0", c.Short(), a)
				}
			}
		}
		// A Python number does not widen the dtype since NumPy 2.
		kind := ops.NumberKind(c.Value("q"))
		plain := kind != dtype.KindInvalid && kind != dtype.KindBool && !ops.IsNumpyScalar(c.Value("q"))
		switch {
		case d == dtype.Unknown || qd == dtype.Unknown:
			d = dtype.Unknown
		// These choose an element, and keep its dtype.
		case slices.Contains(discrete, method), top == 1 && method == "linear" && qd.IsIntegralOrBool() && (c.Numpy1() || qd != dtype.Bool):
		case plain && !c.Numpy1() && d.IsFloat():
		default:
			if c.Numpy1() || qd.IsIntegralOrBool() { // places are computed with int64 or by float64
				qd = dtype.F64
			}
			d = dtype.Numpy(d, qd)
		}
		// The axes of q come first.
		places := append(slices.Clone(qs), shape...)
		// only the first axis of q is moved to the front
		if rest := len(shape); nan && c.Numpy1() && len(qs) == 2 && len(axes) == 1 && !keep && rest > 0 {
			at := axes[0]
			places = slices.Concat(qs[:1], shape[:at], qs[1:], shape[at:])
		} else if nan && len(qs) == 2 && len(axes) > 1 && !keep && rest > 0 {
			places = slices.Concat(qs[1:], shape, qs[:1])
		}
		return writeOr(c, c.Out(d, places))
	}
}

// averageArray takes weights of the array's shape, or with axis= of the sizes of those axes in order
// (before numpy 2 a vector only); known weights must not add up to 0. Integers are averaged in float64.
// With returned=True the result is a pair, the second of which has the same type.
func averageArray(c *ops.Call) value.Value {
	if tensorArgument(c, c.Value("a")) {
		return nil
	}
	t := numbers(c, "a")
	if t == nil {
		return nil
	}
	s, d := c.Shape(t), t.Type().DType
	keep := keepdims(c)
	if !c.OK() {
		return nil
	}
	if len(s) == 0 && c.Value("axis") != value.None {
		return c.Errorf("IndexError", diag.DimOutOfRange, "average(): an array without dimensions has no axis")
	}
	// Before NumPy 2 an axis is one int.
	how := asAxes
	if !c.Numpy1() {
		how = asIndicesOrNone
	}
	readIntegers(c, []readParam{{"axis", how}})
	axes, all := looseAxes(c, len(s))
	if !c.OK() {
		return nil
	}
	if !c.Has("weights") {
		d = quotient(c, d)
	} else {
		w := numbers(c, "weights")
		if w == nil {
			return nil
		}
		ws := c.Shape(w)
		if !c.OK() {
			return nil
		}
		whole := len(ws) == len(s) && c.SameSizes(ws, s)
		switch {
		case whole:
		case all:
			return c.Errorf("TypeError", diag.ShapeMismatch, "average(): weights of shape %s need an axis of %s", ws, t)
		case len(ws) != 1 && c.Numpy1():
			return c.Errorf("TypeError", diag.ShapeMismatch, "average(): weights must be a vector or of the shape of %s, not of shape %s", t, ws)
		default:
			if len(ws) != len(axes) {
				return c.Errorf("ValueError", diag.ShapeMismatch, "average(): weights of shape %s do not fit the axes of %s", ws, t)
			}
			for i, a := range axes {
				if _, ok := c.Same(ws[i], s[a]); !ok {
					return c.Errorf("ValueError", diag.ShapeMismatch, "average(): %s weights do not fit axis %d of %s", ws[i], a, t)
				}
			}
		}
		// Weights that are known and of both signs may add up to 0.
		if e := w.Contents(); len(e) > 0 && len(ws) == 1 {
			sum, known := 0.0, true
			for _, x := range e {
				f, ok := value.AsFloat(x)
				sum, known = sum+f, known && ok
			}
			if known && sum == 0 {
				return c.Errorf("ZeroDivisionError", diag.BadValue, "average(): the weights add up to 0")
			}
		}
		if d = c.Lib.Promote(c, t, w); d != dtype.Unknown && t.Type().DType.IsIntegralOrBool() {
			d = dtype.Numpy(d, dtype.F64)
		}
		d = quotient(c, d)
	}
	shape := ops.ReduceShape(c, s, axes, keep)
	out := c.Out(d, shape)
	if c.Surely("returned") {
		return value.NewTuple(out, c.Out(d, shape))
	}
	return out
}

// vector checks that an array has one dimension (ValueError), and reports whether there is no
// fault.
func vector(c *ops.Call, t *value.Tensor) bool {
	if !c.OK() {
		return false
	}
	if ty := t.Type(); ty.Ranked && len(ty.Shape) != 1 {
		c.Errorf("ValueError", diag.RankMismatch, "%s() needs a vector, not %s", c.Short(), t)
		return false
	}
	return true
}

// covArray is the rule of the covariance and the correlation of variables: a matrix with a row and
// a column for each variable, in float64 at least, or a scalar for one variable. Variables are
// rows, or columns with rowvar=False; those of y are added, and must have as many samples.
func covArray(correlation bool) func(c *ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		first := "m"
		if correlation {
			first = "x"
		}
		t := numbers(c, first)
		if t == nil {
			return nil
		}
		if f, ok := value.AsFloat(value.Plain(c.Value("ddof"))); ok && f != math.Trunc(f) && !correlation {
			return c.Errorf("ValueError", diag.BadValue, "cov(): ddof must be an integer, not %g", f)
		}
		s := c.Shape(t)
		if !c.OK() {
			return nil
		}
		if len(s) > 2 {
			return c.Errorf("ValueError", diag.RankMismatch, "%s() takes at most two dimensions, not %s", c.Short(), t)
		}
		rows := c.Surely("rowvar")
		// A vector is one variable. NumPy 1 does not turn a matrix of one row.
		variables := func(s symshape.Shape, first bool) (n, samples symshape.Dim) {
			switch {
			case len(s) == 0:
				return c.Const(1), c.Const(1)
			case len(s) == 1:
				return c.Const(1), s[0]
			case rows || first && c.Numpy1() && ops.IsConst(s[0], 1):
				return s[0], s[1]
			}
			return s[1], s[0]
		}
		d := t.Type().DType
		n, samples := variables(s, true)
		// Of no variables there is an empty matrix, before anything else is looked at.
		if ops.IsConst(n, 0) && d != dtype.Unknown {
			return c.Out(dtype.Numpy(d, dtype.F64), symshape.Shape{n, n})
		}
		if c.Has("y") {
			y := numbers(c, "y")
			if y == nil {
				return nil
			}
			r := c.Shape(y)
			if !c.OK() {
				return nil
			}
			if len(r) > 2 {
				return c.Errorf("ValueError", diag.RankMismatch, "%s() takes at most two dimensions, not %s", c.Short(), y)
			}
			k, others := variables(r, true)
			if _, ok := c.Same(samples, others); !ok {
				return c.Errorf("ValueError", diag.ShapeMismatch, "%s(): %s has %s samples and %s has %s", c.Short(), t, samples, y, others)
			}
			n = c.P.DimAdd(n, k)
			if d != dtype.Unknown && y.Type().DType != dtype.Unknown {
				d = dtype.Numpy(d, y.Type().DType)
			}
		}
		if d != dtype.Unknown {
			d = dtype.Numpy(d, dtype.F64)
		}
		d = arrayDType(c, d)
		if !c.OK() {
			return nil
		}
		if ops.IsConst(n, 1) {
			if out := c.Out(d, symshape.Shape{}); correlation {
				return out
			} else {
				return KeepArray(c, out)
			}
		}
		return c.Out(d, symshape.Shape{n, n})
	}
}

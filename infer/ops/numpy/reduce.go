package numpy

// This file holds numpy's reductions, cumulative functions, and what sorts and
// searches. A reduction is a value of arrayReduce, whose fields say what distinguishes it; reduce
// checks the common arguments (axis, dtype, keepdims, where, initial, out) in NumPy's order.
// Elements are computed where all are known and their order does not matter, or NumPy's is known:
// integers, extremes and truths.

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

// An arrayReduce describes a reduction of arrays. Its zero value is a reduction that keeps the
// dtype, takes all dtypes, and computes no elements.
type arrayReduce struct {
	result func(c *ops.Call, d dtype.DType) dtype.DType // nil: the same
	accept ops.DTypeSet                                 // 0: all
	// fold joins two elements; nil: elements are not computed. They are joined from left to right,
	// from the first one on.
	fold ops.ElemFunc
	// Elements are read as truths first, so that the result is bool and texts and None are taken.
	truth bool
	// This holds unless initial= is passed.
	full    bool        // axes of size 0 are refused
	divides bool        // it divides by the number of elements of its axes, so that these must exist
	neutral value.Value // what it gives for nothing, or nil
	strict  bool        // its out must be of the result's kind
	choose  bool        // it chooses along one axis, which is no tuple, or of all elements
	numbers bool        // nan does not count
	root    bool        // it ends with a square root
	// inexact: its dtype for floats is one of floats. subtracts: it is not defined in bool.
	inexact, subtracts bool
	// whole computes from all elements, in binary64; nil: not tracked.
	whole func(x []float64) float64
}

// WideSum is the dtype of sums: at least as wide as the platform's integers. It is NumPy's rule for
// sum, prod, cumsum and cumprod; floats keep their dtype.
func WideSum(_ *ops.Call, d dtype.DType) dtype.DType {
	switch {
	case d == dtype.Bool, d.IsIntegral() && d.IsSigned():
		return dtype.I64
	case d.IsIntegral():
		return dtype.U64
	}
	return d
}

// indexDType is the dtype of positions. Positions are int64 on all platforms that NumPy 2 supports.
func indexDType(*ops.Call, dtype.DType) dtype.DType { return dtype.I64 }

// spread is the dtype of variances: real, and float64 of integers.
func spread(c *ops.Call, d dtype.DType) dtype.DType { return quotient(c, d).Real() }

// The signatures are those of the functions of NumPy 2; the methods of arrays have the same
// parameters.
const (
	sumArraySig  = "(any a, any axis=None, any dtype=None, any out=None, any keepdims=False, any initial=None, any where=True)"
	maxArraySig  = "(any a, any axis=None, any out=None, any keepdims=False, any initial=None, any where=True)"
	argArraySig  = "(any a, any axis=None, any out=None, *, any keepdims=False)"
	allArraySig  = "(any a, any axis=None, any out=None, any keepdims=False, *, any where=True)"
	meanArraySig = "(any a, any axis=None, any dtype=None, any out=None, any keepdims=False, *, any where=True)"
	stdArraySig  = "(any a, any axis=None, any dtype=None, any out=None, any ddof=0, any keepdims=False, *, any where=True, any mean=None, any correction=None)"
	cumArraySig  = "(any a, any axis=None, any dtype=None, any out=None)"
	sortArraySig = "(any a, any axis=-1, any kind=None, any order=None, *, any stable=None)"
	partArraySig = "(any a, any kth, any axis=-1, any kind='introselect', any order=None)"
	medianSig    = "(any a, any axis=None, any out=None, any overwrite_input=False, any keepdims=False)"
	quantileSig  = "(any a, any q, any axis=None, any out=None, any overwrite_input=False, any method='linear', any keepdims=False, *, any weights=None, any interpolation=None)"
)

// reduction makes a record of a reduction. names that begin with + are functions and methods.
func reduction(names, sig string, r arrayReduce, doc string) ops.Op {
	return array(names, sig, r.apply, doc).With(ops.Op{Is: graph.NewIfRows})
}

// greatest and least give indices. Of equal elements both choose the first.
var (
	greatest = arrayReduce{result: indexDType, full: true, choose: true, whole: argBest(func(a, b float64) bool { return a > b })}
	least    = arrayReduce{result: indexDType, full: true, choose: true, whole: argBest(func(a, b float64) bool { return a < b })}
)

// arrayReduceOps lists numpy's reductions, cumulative functions, sorting and searching. Sums and products
// of integers are computed in 64 bits, means of integers in float64; extremes and their indices need
// elements along each axis that is reduced, unless initial= is passed.
func arrayReduceOps() []ops.Op {
	return []ops.Op{
		reduction("+sum", sumArraySig, arrayReduce{result: WideSum, fold: ops.AddElem, neutral: value.Int(0)},
			"sum; integers are added as int64 or uint64").With(ops.Op{Quirks: ops.CallsMethod}),
		reduction("nansum", sumArraySig, arrayReduce{result: WideSum, fold: intFold(ops.AddElem), neutral: value.Int(0)}, "sum without nan"),
		reduction("+prod product", sumArraySig, arrayReduce{result: WideSum, fold: ops.MulElem, neutral: value.Int(1)},
			"product; integers are multiplied as int64 or uint64").With(ops.Op{Quirks: ops.CallsMethod}),
		reduction("nanprod", sumArraySig, arrayReduce{result: WideSum, fold: intFold(ops.MulElem), neutral: value.Int(1)}, "product without nan"),
		reduction("+mean", meanArraySig, arrayReduce{result: quotient, whole: meanOf, divides: true},
			"mean; float64 of integers").With(ops.Op{Quirks: ops.CallsMethod}),
		reduction("nanmean", meanArraySig, arrayReduce{result: quotient, inexact: true}, "mean without nan"),
		reduction("+max amax .amax", maxArraySig, arrayReduce{fold: ops.MaxElem, full: true}, "maximum").With(ops.Op{Quirks: ops.CallsMethod}),
		reduction("nanmax", maxArraySig, arrayReduce{fold: ops.MaxElem, full: true}.withoutNaN(), "maximum without nan"),
		reduction("+min amin .amin", maxArraySig, arrayReduce{fold: ops.MinElem, full: true}, "minimum").With(ops.Op{Quirks: ops.CallsMethod}),
		reduction("nanmin", maxArraySig, arrayReduce{fold: ops.MinElem, full: true}.withoutNaN(), "minimum without nan"),
		reduction("+ptp", argArraySig, arrayReduce{full: true, strict: true, accept: notBool, fold: nil}, "maximum minus minimum"),
		reduction("+std", stdArraySig, arrayReduce{subtracts: true, root: true, result: spread, divides: true, strict: true},
			"standard deviation").With(ops.Op{Quirks: ops.CallsMethod}),
		reduction("nanstd", stdArraySig, arrayReduce{inexact: true, result: spread, strict: true}, "standard deviation without nan"),
		reduction("+var", stdArraySig, arrayReduce{subtracts: true, result: spread, divides: true},
			"variance").With(ops.Op{Quirks: ops.CallsMethod}),
		reduction("nanvar", stdArraySig, arrayReduce{inexact: true, result: spread}, "variance without nan"),
		reduction("+argmax", argArraySig, greatest, "index of the maximum").With(ops.Op{Quirks: ops.CallsMethod}),
		reduction("nanargmax", argArraySig, greatest.withoutNaN(), "index of the maximum without nan"),
		reduction("+argmin", argArraySig, least, "index of the minimum").With(ops.Op{Quirks: ops.CallsMethod}),
		reduction("nanargmin", argArraySig, least.withoutNaN(), "index of the minimum without nan"),
		reduction("+any sometrue", allArraySig, arrayReduce{result: truthDType, fold: ops.OrElem, truth: true, neutral: value.Bool(false)},
			"whether any element is not zero").With(ops.Op{Quirks: ops.CallsMethod}),
		reduction("+all alltrue", allArraySig, arrayReduce{result: truthDType, fold: ops.AndElem, truth: true, neutral: value.Bool(true)},
			"whether no element is zero").With(ops.Op{Quirks: ops.CallsMethod}),
		array("count_nonzero", "(any a, any axis=None, *, any keepdims=False)", countNonzero, "number of elements that are not zero"),
		array("median", medianSig, medianArray(false), "median"),
		array("nanmedian", medianSig, medianArray(true), "median without nan"),
		array("average", "(any a, any axis=None, any weights=None, any returned=False, *, any keepdims=False)", averageArray, "weighted mean"),
		array("percentile", quantileSig, quantileArray(100, false), "percentiles; a list of them adds an axis in front"),
		array("quantile", quantileSig, quantileArray(1, false), "quantiles; a list of them adds an axis in front"),
		array("nanpercentile", quantileSig, quantileArray(100, true), "percentiles without nan"),
		array("nanquantile", quantileSig, quantileArray(1, true), "quantiles without nan"),
		array("+cumsum", cumArraySig, cumulative(ops.AddElem), "cumulative sum; of all elements in order without an axis").
			With(ops.Op{Is: graph.NewIfRows, Quirks: ops.CallsMethod}),
		array("nancumsum", cumArraySig, cumulative(ops.AddElem), "cumulative sum"),
		array("+cumprod", cumArraySig, cumulative(ops.MulElem), "cumulative product; of all elements in order without an axis").
			With(ops.Op{Is: graph.NewIfRows, Quirks: ops.CallsMethod}),
		array("nancumprod", cumArraySig, cumulative(ops.MulElem), "cumulative product"),
		array("sort", sortArraySig, sortArray(false, sortedVector), "sorted copy").With(ops.Op{Is: graph.NewIfRows}),
		array("argsort .argsort", sortArraySig, sortArray(true, sortedIndices), "indices that sort").
			With(ops.Op{Is: graph.NewIfRows, Quirks: ops.CallsMethod}),
		array("partition", partArraySig, sortArray(false, nil), "partly sorted copy"),
		array("argpartition .argpartition", partArraySig, sortArray(true, nil), "indices that sort partly"),
		array(".sort", sortArraySig, sortInPlace, "sorts in place").With(ops.Op{Is: graph.Writes}),
		array(".partition", partArraySig, func(c *ops.Call) value.Value {
			if t := arrayArg(c, "a"); t != nil {
				if checkSort(c, c.Shape(t)); c.OK() {
					changed(c, t)
				}
			}
			return value.None
		}, "partly sorts in place").With(ops.Op{Is: graph.Writes}),
		array("nonzero .nonzero", "(any a)", nonzeroArray, "indices of elements that are not zero, an array for each axis").
			With(ops.Op{Trace: ops.AsksElements, Quirks: ops.CallsMethod}),
		array("flatnonzero", "(any a)", func(c *ops.Call) value.Value {
			t := arrayArg(c, "a")
			if t == nil {
				return nil
			}
			idx := c.DelegateTensor("torch.nonzero", []value.Value{t})
			if idx == nil {
				return nil
			}
			return c.Out(dtype.I64, symshape.Shape{idx.Type().Shape[0]})
		}, "indices into the flattened array"),
		array("argwhere", "(any a)", func(c *ops.Call) value.Value {
			t := arrayArg(c, "a")
			if t == nil {
				return nil
			}
			return c.Delegate("torch.argwhere", []value.Value{t})
		}, "indices of elements that are not zero, one in each row"),
		array("unique", "(any ar, any return_index=False, any return_inverse=False, any return_counts=False, any axis=None, *, any equal_nan=True, any sorted=True)", uniqueArray, "sorted different elements"),
		arrayPure("allclose", "(any a, any b, any rtol=1e-05, any atol=1e-08, any equal_nan=False)", func(c *ops.Call) value.Value {
			v, _ := ufunc{result: truthDType, elem: ops.EqElem}.apply(c, c.Value("a"), c.Value("b")).(*value.Tensor)
			if v == nil {
				return nil
			}
			return allOf(c, v, false)
		}, "whether all elements are nearly equal"),
		arrayPure("array_equal", "(any a1, any a2, any equal_nan=False)", func(c *ops.Call) value.Value { return equalShapes(c, true) },
			"whether two arrays are equal"),
		arrayPure("array_equiv", "(any a1, any a2)", func(c *ops.Call) value.Value { return equalShapes(c, false) },
			"whether two arrays are equal when broadcast"),
	}
}

// arrayAxes reads an axis argument as reductions do: None for all, an int, or a tuple, counted from
// 0. A list is a TypeError, a repeated axis a ValueError. all says that axis is None. The fault or
// loss is noted in the call, and axes are then nil.
func arrayAxes(c *ops.Call, rank int) (axes []int, all bool) {
	if l, isList := c.Value("axis").(*value.List); isList && l.Class == nil {
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): axis must be an int or a tuple of ints, not a list", c.Short())
		return nil, false
	}
	return looseAxes(c, rank)
}

// looseAxes is arrayAxes for functions that take lists of axes, too. Axes count from the end where
// negative. The dtype and order of the list do not matter.
func looseAxes(c *ops.Call, rank int) (axes []int, all bool) {
	v := c.Value("axis")
	if v == value.None {
		axes = make([]int, rank)
		for i := range axes {
			axes[i] = i
		}
		return axes, true
	}
	elems, isList, open := c.Sequence(v)
	if open != nil {
		c.Lose("the axes are not known")
		return nil, false
	}
	if !isList {
		elems = []value.Value{v}
	}
	for _, e := range elems {
		// A long tuple costs steps, as each axis is looked for in those before.
		if c.SetErr(c.Th.Step(1 + len(axes)/64)); !c.OK() {
			return nil, false
		}
		a := c.AxisOf(c.ToDim("axis", e), "axis", rank)
		if !c.OK() {
			return nil, false
		}
		if slices.Contains(axes, a) {
			c.Errorf("ValueError", diag.DimOutOfRange, "%s(): axis %d appears twice", c.Short(), a)
			return nil, false
		}
		axes = append(axes, a)
	}
	return axes, false
}

// anAxis counts an axis from 0: unlike for reductions, what has no dimensions has none. It is an
// IndexError, which NumPy's AxisError is, too. v may be a size that is known, and is lost where it
// is not.
func anAxis(c *ops.Call, v value.Value, rank int) int {
	d := c.ToDim("axis", v)
	n, ok := ops.DimVal(d)
	if !ok {
		c.Lose("the axis is not known")
		return 0
	}
	if c.OK() && (n < -int64(rank) || n >= int64(rank)) {
		c.Errorf("IndexError", diag.DimOutOfRange, "%s(): axis %d is out of range for an array of %s", c.Short(), int(n),
			ops.CountWord(rank, "dimension"))
		return 0
	}
	if n < 0 {
		n += int64(rank)
	}
	return int(n)
}

// keepdims decides the number of dimensions, so it must be known: otherwise the result is lost. Its
// truth is Python's, so that any object may be passed.
func keepdims(c *ops.Call) bool {
	if !c.HasParam("keepdims") {
		return false
	}
	b, err := c.Th.Truth(c.Value("keepdims"))
	if err != nil {
		c.SetErr(err)
		return false
	}
	val, known := c.Th.Holds(b)
	if !known {
		c.Lose("keepdims is not known")
	}
	return val
}

// tensorArgument refuses reductions of PyTorch's tensors, which numpy hands to
// the tensor's own method with arguments that this does not take in general. It reports whether it
// did.
func tensorArgument(c *ops.Call, v value.Value) bool {
	if t, ok := v.(*value.Tensor); ok && !ops.IsArray(t) {
		c.Lose("numpy.%s of a Tensor: use the tensor's own method", c.Short())
		return true
	}
	return false
}

func (r arrayReduce) apply(c *ops.Call) value.Value { return r.reduce(c, c.Value("a")) }

// onlyNaN reports whether the elements along axes are known and all nan, somewhere: there is
// nothing to choose from there. Elements that depend on sizes count as numbers. It is what nanmax
// and the like raise a ValueError for (all-NaN slice).
func onlyNaN(t *value.Tensor, axes []int) bool {
	s, ok := ops.ConstShape(t.Type().Shape)
	elems := t.Contents()
	if !ok || len(elems) == 0 {
		return false
	}
	numbers, seen := make([]bool, len(elems)), make([]bool, len(elems)) // of each place: whether something is not known to be nan
	for i, e := range elems {
		// at is the place in the result, counted over the axes that are kept.
		at, rest, scale := 0, i, 1
		for k := len(s) - 1; k >= 0; k-- {
			if !slices.Contains(axes, k) {
				at += rest % s[k] * scale
				scale *= s[k]
			}
			rest /= s[k]
		}
		seen[at] = true
		if x, known := value.AsFloat(e); !known || symbolicElem(e) || !math.IsNaN(x) {
			numbers[at] = true
		}
	}
	for at, is := range seen {
		if is && !numbers[at] {
			return true
		}
	}
	return false
}

// withoutNaN is the reduction of the elements that are numbers. An index is one among all elements.
// whole then gives the place among all elements, so it is for argmax and argmin alone.
func (r arrayReduce) withoutNaN() arrayReduce {
	r.numbers = true
	if r.fold != nil {
		r.fold = overNaN(r.fold)
	}
	if whole := r.whole; whole != nil {
		r.whole = func(x []float64) float64 {
			numbers, at := []float64{}, []float64{}
			for i, v := range x {
				if !math.IsNaN(v) {
					numbers, at = append(numbers, v), append(at, float64(i))
				}
			}
			if len(numbers) == 0 {
				return math.NaN()
			}
			return at[int(whole(numbers))]
		}
	}
	return r
}

// reduce checks and computes a reduction of a over axis=, all axes without it. where= must broadcast to
// the array, initial= must be a number, and an extreme needs a size other than 0 on each reduced axis or
// initial=. Reduced axes go, or stay with size 1 under keepdims; ddof= of more dimensions than the result
// does not fit. Its parts are in NumPy's order of checks, so that of several mistakes the one that
// is reported is the one that NumPy raises.
func (r arrayReduce) reduce(c *ops.Call, a value.Value) value.Value {
	if tensorArgument(c, a) {
		return nil
	}
	// any and all take all objects; others need numbers.
	if s := notNumber(a); s != "" && !r.truth {
		return c.Errorf("TypeError", diag.TypeMismatch, "%s() is not defined for %s", c.Short(), s)
	}
	t := ToArray(c, a)
	if t == nil {
		return nil
	}
	d := t.Type().DType
	if r.accept != 0 && d != dtype.Unknown && !r.accept.Has(d) {
		return c.Errorf("TypeError", diag.DTypeMismatch, "%s() is not defined for %s", c.Short(), d.Numpy())
	}
	// The dtype of the result may not depend on that of the elements. An element dtype that is not
	// known is kept unknown unless the result's is the same for all, as for positions.
	if r.result != nil && (d != dtype.Unknown || r.result(c, dtype.F64) == r.result(c, dtype.I64)) {
		d = r.result(c, d)
	}
	d = arrayDType(c, d)
	// Only a dtype that the call asks for is checked.
	if c.HasParam("dtype") && c.Has("dtype") && c.OK() {
		switch own := t.Type().DType; {
		case d == dtype.Bool && r.subtracts && (own == dtype.Bool || own == dtype.Unknown):
			return c.Errorf("TypeError", diag.DTypeMismatch, "%s() in bool: bools cannot be subtracted", c.Short())
		case r.inexact && (own.IsFloat() || own.IsComplex()) && d.IsIntegralOrBool():
			return c.Errorf("TypeError", diag.DTypeMismatch, "%s() of %s: the dtype must be one of floats, not %s", c.Short(), own.Numpy(),
				d.Numpy())
		}
	}
	keep := keepdims(c)
	freedom := freedomLost(c)
	if !c.OK() {
		return nil
	}
	m := mask(c)
	// Without a rank only a reduction of everything has a known shape.
	ty := t.Type()
	if !ty.Ranked {
		if c.Value("axis") == value.None && !keep && c.OK() {
			return c.Out(d, symshape.Shape{})
		}
		return c.Lose("the number of dimensions of an array is not known")
	}
	axes, all := arrayAxes(c, len(ty.Shape))
	if !c.OK() {
		return nil
	}
	// sum and the like take axis=0 of a number; what divides reads the axis's size and fails.
	if len(ty.Shape) == 0 && r.divides && !all && len(axes) > 0 {
		return c.Errorf("IndexError", diag.DimOutOfRange, "%s(): an array without dimensions has no axis %d", c.Short(), axes[0])
	}
	if m != nil && m.Type().Ranked && !c.BroadcastsTo(m.Type().Shape, ty.Shape) {
		return c.Errorf("ValueError", diag.ShapeMismatch, "%s(): where of shape %s cannot be broadcast to %s", c.Short(), m.Type().Shape, t)
	}
	initial := c.HasParam("initial") && c.Has("initial")
	if initial && isSequence(c, c.Value("initial")) {
		return c.Errorf("ValueError", diag.TypeMismatch, "%s(): initial must be a number, not %s", c.Short(), ops.TypeName(c.Value("initial")))
	}
	// An extreme of nothing has no value; initial= gives one.
	if r.full && !initial {
		if m != nil {
			return c.Errorf("ValueError", diag.BadValue, "%s(): with where= it needs initial=", c.Short())
		}
		for _, a := range axes {
			if len(ty.Shape) > 0 && ops.IsConst(ty.Shape[a], 0) {
				return c.Errorf("ValueError", diag.InvalidSize, "%s(): axis %d has size 0, so there is nothing to choose from", c.Short(), a)
			}
		}
	}
	// A scalar has no axis that could go.
	if len(ty.Shape) == 0 {
		axes = nil
	}
	shape := ops.ReduceShape(c, ty.Shape, axes, keep)
	// An array as ddof has as many dimensions as it adds to a scalar result, or fewer than the
	// result.
	if freedom != nil {
		switch {
		case len(shape) == 0: // a scalar divided by an array is an array
			shape = freedom
		case len(freedom) > len(shape):
			return c.Errorf("ValueError", diag.ShapeMismatch, "%s(): ddof of shape %s does not fit a result of shape %s", c.Short(), freedom, shape)
		}
	}
	if _, several, _ := c.Sequence(c.Value("axis")); r.choose && several {
		return c.Errorf("TypeError", diag.TypeMismatch, "%s(): axis must be an int", c.Short())
	}
	// NumPy writes the root into the array of the variance.
	if r.root && len(shape) > 0 && d.IsIntegralOrBool() { // a scalar is converted, an array is written by the square root
		return c.Errorf("TypeError", diag.DTypeMismatch, "%s(): the square root of %s is not written to an array of that", c.Short(), d.Numpy())
	}
	if r.numbers && r.choose && onlyNaN(t, axes) {
		return c.Errorf("ValueError", diag.BadValue, "%s(): all elements to choose from are nan: %s", c.Short(), t)
	}
	// The result is an array, or a scalar for no dimensions (KeepArray is asked later).
	out := c.Out(d, shape)
	if ops.Tracked(d) && !initial && m == nil {
		switch {
		// Of a whole array, of which all elements are constants. A float mean is computed as NumPy
		// sums, in pairs, so that the last digit is right.
		case r.whole != nil && len(shape) == 0:
			out.SetContents(wholeElems(c, t, d, r.whole))
		// Where the order of the fold cannot change the result, or is NumPy's.
		case r.fold != nil && (d.IsIntegralOrBool() || r.full || r.truth || sequential(t, axes)):
			out.SetContents(r.folded(c, t, d, axes))
		}
	} else if initial && ops.Tracked(d) && m == nil && r.fold != nil && d.IsIntegralOrBool() && len(shape) == 0 {
		if e, x := r.folded(c, t, d, axes), c.CastElem(d, value.Plain(c.Value("initial"))); len(e) == 1 && x != nil {
			if y := r.fold(c, d, []value.Value{e[0], x}); y != nil {
				out.SetContents([]value.Value{y})
			}
		}
	}
	// out= is written by the rule of the function, and is the result. choose: out= must be
	// convertible to the index's dtype. strict: its dtype must be of the result's kind.
	if c.HasParam("out") && c.Has("out") {
		switch {
		case r.choose:
			return writePicked(c, c.Value("out"), out)
		case r.strict:
			return writeShaped(c, c.Value("out"), out, "same_kind")
		}
		return writeReduced(c, c.Value("out"), out)
	}
	return out
}

// freedomLost reads ddof and correction, which are numbers; of an array of one element, or a list
// that becomes one, it gives the shape. It returns nil for a number. A fault or loss is noted in
// the call.
func freedomLost(c *ops.Call) symshape.Shape {
	for _, name := range [...]string{"ddof", "correction"} {
		if !c.HasParam(name) || name == "correction" && !c.Has(name) {
			continue
		}
		v := c.Value(name)
		if notNumber(v) != "" {
			c.Errorf("TypeError", diag.TypeMismatch, "%s(): %s must be a number", c.Short(), name)
			return nil
		}
		t, isArray := v.(*value.Tensor)
		if isSequence(c, v) {
			t, isArray = ToArray(c, v), true
		}
		if !isArray || t == nil || t.Type().Rank() <= 0 {
			continue
		}
		if n, known := c.Numel(t.Type().Shape).Const(); !known {
			c.Lose("the number of elements of %s is not known", name)
		} else if n != 1 {
			c.Errorf("ValueError", diag.BadValue, "%s(): %s is one number, not %s", c.Short(), name, t)
		}
		return t.Type().Shape
	}
	return nil
}

// folded are the elements of a reduction; of nothing the neutral one. Nil where they are not known.
// That of an empty array over all axes is known even without a fold.
func (r arrayReduce) folded(c *ops.Call, t *value.Tensor, d dtype.DType, axes []int) []value.Value {
	if e := t.Contents(); e != nil && len(e) == 0 && r.neutral != nil && len(axes) == len(t.Type().Shape) {
		return []value.Value{c.CastElem(d, r.neutral)}
	}
	return c.FoldElems(t, d, axes, r.fold, r.truth)
}

// writeReduced writes a reduction to an array, which must have its shape.
// Of arrays of other dtypes it is taken as it is, as numpy reduces in the array's own dtype.
func writeReduced(c *ops.Call, out value.Value, t *value.Tensor) value.Value {
	return writeShaped(c, out, t, "unsafe")
}

// writeShaped writes to an array that must have the result's shape (ValueError). rule is the
// casting that is allowed. out may be a tuple of one array. It returns the array out, as NumPy
// does.
func writeShaped(c *ops.Call, out value.Value, t *value.Tensor, rule string) value.Value {
	if tup, ok := out.(*value.Tuple); ok && len(tup.Elems) == 1 {
		out = tup.Elems[0]
	}
	if o, ok := out.(*value.Tensor); ok && o.Type().Ranked && t.Type().Ranked {
		if have, want := o.Type().Shape, t.Type().Shape; len(have) != len(want) || !c.SameSizes(want, have) {
			return c.Errorf("ValueError", diag.ShapeMismatch, "%s(): a result of shape %s cannot be written to an array of shape %s", c.Short(),
				want, have)
		}
	}
	return writeCast(c, out, t, rule)
}

// writePicked writes elements or indices of an array, of dtype d, to an array whose own
// elements must be convertible to d without loss. NumPy copies them through a buffer of d.
func writePicked(c *ops.Call, out value.Value, t *value.Tensor) value.Value {
	if o, ok := out.(*value.Tensor); ok && ops.IsArray(o) && !canCast(o.Type().DType, t.Type().DType, "safe") {
		return c.Errorf("TypeError", diag.DTypeMismatch, "%s(): out of %s does not fit results of %s", c.Short(), o.Type().DType.Numpy(),
			t.Type().DType.Numpy())
	}
	return writeShaped(c, out, t, "unsafe")
}

// sequential reports whether numpy adds floats in order: it pairs them from
// eight on, with other roundings. Below eight elements it adds from left to right; a reduction over
// some axes alone may be done in another order.
func sequential(t *value.Tensor, axes []int) bool {
	shape, ok := ops.ConstShape(t.Type().Shape)
	return ok && ops.Product(shape) < 8 && len(axes) == len(shape)
}

// wholeElems computes one number from all elements when they are constants, by a function in
// binary64. float32 is left out, as its rounding after each step is not followed here.
func wholeElems(c *ops.Call, t *value.Tensor, d dtype.DType, f func([]float64) float64) []value.Value {
	elems := t.Contents()
	if len(elems) == 0 {
		return nil
	}
	xs := make([]float64, len(elems))
	for i, e := range elems {
		x, ok := value.AsFloat(e)
		if !ok || symbolicElem(e) {
			return nil
		}
		xs[i] = x
	}
	if d == dtype.F32 {
		return nil
	}
	return c.CastElems(d, []value.Value{value.Float(f(xs))})
}

func meanOf(x []float64) float64 { return pairwise(x) / float64(len(x)) }

// pairwise adds as numpy's loops do (numpy/core/src/umath/loops_utils.h.src). It returns NumPy's
// sum bit for bit: eight running sums up to 128 elements, above that halves at a multiple of eight.
func pairwise(x []float64) float64 {
	n := len(x)
	switch {
	case n < 8:
		s := 0.0
		for _, v := range x {
			s += v
		}
		return s
	case n <= 128:
		var r [8]float64
		copy(r[:], x)
		i := 8
		for ; i < n-n%8; i += 8 {
			for k := range r {
				r[k] += x[i+k]
			}
		}
		s := ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]))
		for ; i < n; i++ {
			s += x[i]
		}
		return s
	}
	h := n / 2
	h -= h % 8
	return pairwise(x[:h]) + pairwise(x[h:])
}

// argBest gives the index of the best element, of nan the first one, as NumPy does.
func argBest(better func(a, b float64) bool) func([]float64) float64 {
	return func(x []float64) float64 {
		best := 0
		for i, v := range x {
			if math.IsNaN(v) {
				return float64(i)
			}
			if better(v, x[best]) {
				best = i
			}
		}
		return float64(best)
	}
}

// cumulative makes the rule of a function that combines each element with those before. Without an
// axis the array is flattened. Elements are computed for one dimension only. Integers are added in
// 64 bits.
func cumulative(elem ops.ElemFunc) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		if tensorArgument(c, c.Value("a")) {
			return nil
		}
		t := numbers(c, "a")
		if t == nil {
			return nil
		}
		d := arrayDType(c, WideSum(c, t.Type().DType))
		s := c.Shape(t)
		if !c.OK() {
			return nil
		}
		flat := c.Value("axis") == value.None
		if !flat {
			// A number takes axis 0 and -1.
			anAxis(c, c.Value("axis"), max(len(s), 1))
			if !c.OK() {
				return nil
			}
			flat = len(s) == 0
		}
		shape := s
		if flat && len(s) != 1 {
			shape = symshape.Shape{c.Numel(s)}
		}
		out := c.Out(d, shape)
		if e := t.Contents(); e != nil && len(shape) == 1 && ops.Tracked(d) {
			elems := make([]value.Value, len(e))
			for i := range e {
				x := c.CastElem(d, e[i])
				if i > 0 && x != nil {
					x = elem(c, d, []value.Value{elems[i-1], x})
				}
				if x == nil {
					return out
				}
				elems[i] = x
			}
			out.SetContents(elems)
		}
		if c.Has("out") {
			return writeReduced(c, c.Value("out"), out)
		}
		return out
	}
}

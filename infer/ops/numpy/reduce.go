package numpy

// This file holds numpy's reductions, cumulative functions, and what sorts and
// searches.

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

// An arrayReduce describes a reduction of arrays.
type arrayReduce struct {
	result func(c *ops.Call, d dtype.DType) dtype.DType // nil: the same
	accept ops.DTypeSet                                 // 0: all
	fold   ops.ElemFunc
	truth  bool
	full   bool // axes of size 0 are refused
	choose bool // it chooses along one axis, which is no tuple, or of all elements
	// whole computes from all elements, in binary64; nil: not tracked.
	whole func(x []float64) float64
}

// WideSum is the dtype of sums: at least as wide as the platform's integers.
func WideSum(_ *ops.Call, d dtype.DType) dtype.DType {
	switch {
	case d == dtype.Bool, d.IsIntegral() && d.IsSigned():
		return dtype.I64
	case d.IsIntegral():
		return dtype.U64
	}
	return d
}

func indexDType(*ops.Call, dtype.DType) dtype.DType { return dtype.I64 }

// spread is the dtype of variances: real, and float64 of integers.
func spread(c *ops.Call, d dtype.DType) dtype.DType { return quotient(c, d).Real() }

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

func reduction(names, sig string, r arrayReduce, doc string) ops.Op {
	return array(names, sig, r.apply, doc)
}

func arrayReduceOps() []ops.Op {
	return []ops.Op{
		reduction("+sum", sumArraySig, arrayReduce{result: WideSum, fold: ops.AddElem}, "sum; integers are added as int64 or uint64"),
		reduction("nansum", sumArraySig, arrayReduce{result: WideSum}, "sum without nan"),
		reduction("+prod product", sumArraySig, arrayReduce{result: WideSum, fold: ops.MulElem}, "product; integers are multiplied as int64 or uint64"),
		reduction("nanprod", sumArraySig, arrayReduce{result: WideSum}, "product without nan"),
		reduction("+mean", meanArraySig, arrayReduce{result: quotient, whole: meanOf}, "mean; float64 of integers"),
		reduction("nanmean", meanArraySig, arrayReduce{result: quotient}, "mean without nan"),
		reduction("+max amax .amax nanmax", maxArraySig, arrayReduce{fold: ops.MaxElem, full: true}, "maximum"),
		reduction("+min amin .amin nanmin", maxArraySig, arrayReduce{fold: ops.MinElem, full: true}, "minimum"),
		reduction("+ptp", argArraySig, arrayReduce{full: true}, "maximum minus minimum"),
		reduction("+std +var nanstd nanvar", stdArraySig, arrayReduce{result: spread}, "standard deviation and variance"),
		reduction("+argmax nanargmax", argArraySig, arrayReduce{result: indexDType, full: true, choose: true, whole: argBest(func(a, b float64) bool { return a > b })}, "index of the maximum"),
		reduction("+argmin nanargmin", argArraySig, arrayReduce{result: indexDType, full: true, choose: true, whole: argBest(func(a, b float64) bool { return a < b })}, "index of the minimum"),
		reduction("+any sometrue", allArraySig, arrayReduce{result: truthDType, fold: ops.OrElem, truth: true}, "whether any element is not zero"),
		reduction("+all alltrue", allArraySig, arrayReduce{result: truthDType, fold: ops.AndElem, truth: true}, "whether no element is zero"),
		reduction("count_nonzero", "(any a, any axis=None, *, any keepdims=False)", arrayReduce{result: indexDType}, "number of elements that are not zero"),
		reduction("median nanmedian", medianSig, arrayReduce{result: quotient}, "median"),
		reduction("average", "(any a, any axis=None, any weights=None, any returned=False, *, any keepdims=False)", arrayReduce{result: quotient}, "weighted mean"),
		array("percentile quantile nanpercentile nanquantile", quantileSig, quantileArray, "quantiles; a list of them adds an axis in front"),
		array("+cumsum nancumsum", cumArraySig, cumulative(ops.AddElem), "cumulative sum; of all elements in order without an axis"),
		array("+cumprod nancumprod", cumArraySig, cumulative(ops.MulElem), "cumulative product; of all elements in order without an axis"),
		array("sort", sortArraySig, sortArray(false, sortedElems), "sorted copy"),
		array("argsort .argsort", sortArraySig, sortArray(true, nil), "indices that sort"),
		array("partition", partArraySig, sortArray(false, nil), "partly sorted copy"),
		array("argpartition .argpartition", partArraySig, sortArray(true, nil), "indices that sort partly"),
		array(".sort", sortArraySig, func(c *ops.Call) value.Value {
			if t, ok := c.Value("a").(*value.Tensor); ok {
				changed(c, t)
			}
			return value.None
		}, "sorts in place"),
		array("nonzero .nonzero", "(any a)", nonzeroArray, "indices of elements that are not zero, an array for each axis"),
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
		array("searchsorted", "(any a, any v, any side='left', any sorter=None)", searchArray, "where elements are to be inserted"),
		array("digitize", "(any x, any bins, any right=False)", searchArray, "the bin of each element"),
		array("bincount", "(any x, any weights=None, any minlength=0)", func(c *ops.Call) value.Value {
			t := arrayArg(c, "x")
			if t == nil {
				return nil
			}
			d := dtype.I64
			if c.Has("weights") {
				d = dtype.F64
			}
			return c.Out(d, symshape.Shape{dataSize(c, t, 0)})
		}, "counts of each number"),
		array("unique", "(any ar, any return_index=False, any return_inverse=False, any return_counts=False, any axis=None, *, any equal_nan=True, any sorted=True)", uniqueArray, "sorted different elements"),
		array("histogram", "(any a, any bins=10, any range=None, any density=None, any weights=None)", histogram, "counts and edges of bins"),
		arrayPure("allclose", "(any a, any b, any rtol=1e-05, any atol=1e-08, any equal_nan=False)", func(c *ops.Call) value.Value {
			v := ufunc{result: truthDType}.apply(c, c.Value("a"), c.Value("b"))
			if v == nil {
				return nil
			}
			return c.Th.DataBool(nil)
		}, "whether all elements are nearly equal"),
		arrayPure("array_equal array_equiv", "(any a1, any a2, any equal_nan=False)", func(c *ops.Call) value.Value {
			return c.Th.DataBool(nil)
		}, "whether two arrays are equal"),
	}
}

// arrayAxes reads an axis argument: None for all, an int, or a tuple.
func arrayAxes(c *ops.Call, rank int) (axes []int, all bool) {
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
		n, ok := ops.DimVal(c.ToDim("axis", e))
		if !ok {
			c.Lose("the axis is not known")
			return nil, false
		}
		a := c.WrapAxis(int(n), rank)
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
// the tensor's own method with arguments that this does not take in general.
func tensorArgument(c *ops.Call, v value.Value) bool {
	if t, ok := v.(*value.Tensor); ok && !ops.IsArray(t) {
		c.Lose("numpy.%s of a Tensor: use the tensor's own method", c.Short())
		return true
	}
	return false
}

func (r arrayReduce) apply(c *ops.Call) value.Value {
	if tensorArgument(c, c.Value("a")) {
		return nil
	}
	t := arrayArg(c, "a")
	if t == nil {
		return nil
	}
	d := t.Type().DType
	if r.accept != 0 && d != dtype.Unknown && !r.accept.Has(d) {
		return c.Errorf("TypeError", diag.DTypeMismatch, "%s() is not defined for %s", c.Short(), d.Numpy())
	}
	if r.result != nil && (d != dtype.Unknown || r.result(c, dtype.F64) == r.result(c, dtype.I64)) {
		d = r.result(c, d)
	}
	d = arrayDType(c, d)
	keep := keepdims(c)
	ty := t.Type()
	if !ty.Ranked {
		if c.Value("axis") == value.None && !keep && c.OK() {
			return c.Out(d, symshape.Shape{})
		}
		return c.Lose("the number of dimensions of an array is not known")
	}
	axes, _ := arrayAxes(c, len(ty.Shape))
	if !c.OK() {
		return nil
	}
	initial := c.HasParam("initial") && c.Has("initial")
	if r.full && !initial {
		for _, a := range axes {
			if len(ty.Shape) > 0 && ops.IsConst(ty.Shape[a], 0) {
				return c.Errorf("ValueError", diag.InvalidSize, "%s(): axis %d has size 0, so there is nothing to choose from", c.Short(), a)
			}
		}
	}
	if len(ty.Shape) == 0 {
		axes = nil
	}
	shape := ops.ReduceShape(c, ty.Shape, axes, keep)
	if _, several, _ := c.Sequence(c.Value("axis")); r.choose && several {
		return c.Errorf("TypeError", diag.TypeMismatch, "%s(): axis must be an int", c.Short())
	}
	out := c.Out(d, shape)
	masked := c.HasParam("where") && c.Value("where") != value.Value(value.Bool(true))
	if ops.Tracked(d) && !initial && !masked {
		switch {
		case r.whole != nil && len(shape) == 0:
			out.SetContents(wholeElems(c, t, d, r.whole))
		case r.fold != nil && (d.IsIntegralOrBool() || r.full || r.truth || sequential(t, axes)):
			out.SetContents(c.FoldElems(t, d, axes, r.fold, r.truth))
		}
	}
	if c.HasParam("out") && c.Has("out") {
		return writeArray(c, c.Value("out"), out)
	}
	return out
}

// sequential reports whether numpy adds floats in order: it pairs them from
// eight on, with other roundings.
func sequential(t *value.Tensor, axes []int) bool {
	shape, ok := ops.ConstShape(t.Type().Shape)
	return ok && ops.Product(shape) < 8 && len(axes) == len(shape)
}

// wholeElems computes one number from all elements when they are constants.
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

// pairwise adds as numpy's loops do (numpy/core/src/umath/loops_utils.h.src).
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

func quantileArray(c *ops.Call) value.Value {
	if tensorArgument(c, c.Value("a")) {
		return nil
	}
	t, q := arrayArg(c, "a"), arrayArg(c, "q")
	if t == nil || q == nil {
		return nil
	}
	s, qs := c.Shape(t), c.Shape(q)
	if !c.OK() {
		return nil
	}
	axes, _ := arrayAxes(c, len(s))
	keep := keepdims(c)
	if !c.OK() {
		return nil
	}
	if len(s) == 0 {
		axes = nil
	}
	return c.Out(quotient(c, t.Type().DType), append(slices.Clone(qs), ops.ReduceShape(c, s, axes, keep)...))
}

// cumulative makes the rule of a function that combines each element with those before.
func cumulative(elem ops.ElemFunc) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		if tensorArgument(c, c.Value("a")) {
			return nil
		}
		t := arrayArg(c, "a")
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
			arrayAxes(c, len(s))
			if !c.OK() {
				return nil
			}
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
		return out
	}
}

// sortArray makes the rule of a function that sorts along an axis, or gives the
// indices that do. Function elems gives the elements of vectors; nil: not tracked.
func sortArray(indices bool, elems func([]value.Value) []value.Value) func(*ops.Call) value.Value {
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
		if c.Value("axis") == value.None {
			return c.Out(d, symshape.Shape{c.Numel(s)})
		}
		if len(s) == 0 {
			return c.Errorf("ValueError", diag.RankMismatch, "%s(): an array without dimensions has no axis", c.Short())
		}
		arrayAxes(c, len(s))
		if !c.OK() {
			return nil
		}
		out := c.Like(t, d)
		if elems != nil && len(s) == 1 {
			out.SetContents(elems(t.Contents()))
		}
		return out
	}
}

// sortedElems sorts numbers; it gives nil when one is not known.
func sortedElems(elems []value.Value) []value.Value {
	for _, x := range elems {
		if _, ok := value.AsFloat(x); !ok || symbolicElem(x) {
			return nil
		}
	}
	sorted := slices.Clone(elems)
	slices.SortStableFunc(sorted, func(a, b value.Value) int {
		x, _ := value.AsFloat(a)
		y, _ := value.AsFloat(b)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return sorted
}

// changed makes the contents of an array unknown.
func changed(c *ops.Call, t *value.Tensor) {
	out := c.OutType(*t.Type())
	t.Mutate(c.Th.Heap(), out.V, nil)
}

func searchArray(c *ops.Call) value.Value {
	name := "v"
	if c.HasParam("bins") {
		name = "x"
	}
	t := arrayArg(c, name)
	if t == nil {
		return nil
	}
	return c.Like(t, dtype.I64)
}

// dataSize is a size that the contents of t decide.
func dataSize(c *ops.Call, t *value.Tensor, lo int64) symshape.Dim {
	return c.Th.DataInt("u", lo, t.V).D
}

func uniqueArray(c *ops.Call) value.Value {
	t := arrayArg(c, "ar")
	if t == nil {
		return nil
	}
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	n := dataSize(c, t, 0)
	shape := symshape.Shape{n}
	if c.Has("axis") {
		axes, _ := arrayAxes(c, len(s))
		if !c.OK() || len(axes) != 1 {
			return c.Lose("unique over several axes")
		}
		shape = ops.With(s, axes[0], n)
	}
	out := c.OutType(graph.TensorType{DType: t.Type().DType, Ranked: true, Shape: shape})
	outs := []value.Value{out}
	for _, name := range [...]string{"return_index", "return_inverse", "return_counts"} {
		b, ok := c.Value(name).(value.Bool)
		if !ok {
			return c.Lose("%s is not known", name)
		}
		if !b {
			continue
		}
		size := symshape.Shape{n}
		if name == "return_inverse" {
			size = symshape.Shape{c.Numel(s)}
			if len(s) != 1 && !c.Numpy1() {
				size = s
			}
		}
		outs = append(outs, c.Out(dtype.I64, size))
	}
	if len(outs) == 1 {
		return out
	}
	return value.NewTuple(outs...)
}

func histogram(c *ops.Call) value.Value {
	t := arrayArg(c, "a")
	if t == nil {
		return nil
	}
	d := dtype.I64
	if c.Has("weights") || c.Value("density") == value.Value(value.Bool(true)) {
		d = dtype.F64
	}
	bins := c.Value("bins")
	if _, isStr := value.AsStr(bins); isStr {
		return c.Lose("bins that data decide")
	}
	edges := dtype.F64
	var n symshape.Dim
	if dim, ok := value.AsDim(c.P, value.Plain(bins)); ok {
		n = dim
	} else {
		b := ToArray(c, bins)
		if b == nil || len(c.Shape(b)) != 1 {
			return c.Lose("the bins are not known")
		}
		n, edges = c.P.DimSub(b.Type().Shape[0], c.Const(1)), b.Type().DType
	}
	if !c.OK() {
		return nil
	}
	return value.NewTuple(c.Out(d, symshape.Shape{n}), c.Out(edges, symshape.Shape{c.P.DimAdd(n, c.Const(1))}))
}

package aten

// This file lowers NumPy's functions of order: quantiles, bins, searches, and reductions of slices.

import (
	"slices"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
	"shapecheck/symshape/dtype"
)

var numpyOrderRecords = []Record{
	{Op: "numpy.percentile numpy.nanpercentile", Lower: numpyQuantile(100)},
	{Op: "numpy.quantile numpy.nanquantile", Lower: numpyQuantile(1)},
	{Op: "numpy.median numpy.nanmedian", Lower: func(c *Call) {
		c.noOptions()
		c.quantiles(V{}, 0, [2]float64{1, 1}, strings.HasPrefix(lastName(c.Node.Called), "nan"))
	}},
	{Op: "numpy.argsort", Lower: func(c *Call) { // of equal elements any may be first; here it is the one in front
		if c.Has("order") {
			c.Failf("order= is not written")
		}
		name, axis := c.Node.Args[0].Name, int64(0)
		if c.Has("axis") {
			axis = c.Axis("axis", c.Rank(name))
		} else if c.Rank(name) > 1 {
			c.Failf("without an axis it is not written")
		}
		if c.Rank(name) == 0 { // its one element is the first
			c.Return(c.filled(c.Const(onnx.NewInts([]int64{int64(len(c.OutType(0).Shape))},
				slices.Repeat([]int64{1}, len(c.OutType(0).Shape))...)), onnx.Int64, 0))
			return
		}
		c.rename("torch.argsort", "input="+name)
		_, at := c.sorted("input", c.DType("input"), axis, false)
		c.Return(at)
	}},
	{Op: "numpy.argpartition numpy.partition numpy.ndarray.partition", None: "the order of the elements on each side is NumPy's own"},
	{Op: "numpy.searchsorted", Lower: func(c *Call) {
		if c.Has("sorter") {
			c.Failf("sorter= is not written")
		}
		count, _ := c.countLess("a", "v", c.Str("side") == "right")
		c.Return(count)
	}},
	{Op: "numpy.digitize", Lower: func(c *Call) {
		count, bins := c.countLess("bins", "x", !c.Bool("right"))
		n := c.dimSize(bins, 0)
		last := c.sub(n, c.I64Scalar(1))
		ends := func(at V) V { return c.Op("Gather", In(bins, at), onnx.IntAttr("axis", 0)) }
		shrinks := c.Op("Greater", In(ends(c.I64Scalar(0)), ends(last)))
		c.Return(c.either(shrinks, c.sub(n, count), count))
	}},
	{Op: "numpy.interp", Lower: numpyInterp},
	{Op: "numpy.histogram", Lower: numpyHistogram},
	{Op: "numpy.add.reduceat", Lower: reducedAt("ReduceSum")},
	{Op: "numpy.multiply.reduceat", Lower: reducedAt("ReduceProd")},
	{Op: "numpy.maximum.reduceat", Lower: reducedAt("ReduceMax")},
	{Op: "numpy.minimum.reduceat", Lower: reducedAt("ReduceMin")},
}

// places are NumPy's methods of quantiles that are continuous in q, with the α and β of Hyndman and Fan (1996): the place is
// q·n + α + q·(1-α-β) - 1, counted from 0.
var places = map[string][2]float64{
	"linear": {1, 1}, "hazen": {0.5, 0.5}, "weibull": {0, 0}, "interpolated_inverted_cdf": {0, 1}, "median_unbiased": {1.0 / 3, 1.0 / 3},
	"normal_unbiased": {0.375, 0.375},
}

// numpyQuantile is the rule of quantiles between 0 and top. Those that jump from one element to the next depend on how NumPy's versions
// round q.
func numpyQuantile(top float64) func(c *Call) {
	return func(c *Call) {
		c.noOptions()
		method := c.Str("method")
		if c.Has("interpolation") {
			method = c.Str("interpolation")
		}
		p, ok := places[method]
		switch {
		case !ok:
			c.Failf("the method %q is not written", method)
		case c.Has("weights"):
			c.Failf("weights are not written")
		}
		rank := c.operandRank("q")
		if rank > 1 {
			c.Failf("of more than a row of quantiles it is not written")
		}
		q := c.data(c.Arg("q"), c.OutDType(0))
		c.quantiles(c.times(q, 1/top), rank, p, strings.HasPrefix(lastName(c.Node.Called), "nan"))
	}
}

// quantiles gives those of the argument a over its axes, which q, of a rank, names; no q is the median. ignore leaves out what is no
// number.
func (c *Call) quantiles(q V, qrank int, place [2]float64, ignore bool) {
	d := c.OutDType(0)
	if d == onnx.Float16 {
		if q.Name != "" {
			c.Failf("of floats of 16 bits it is not written")
		}
		d = onnx.Float
	}
	rank, axes, keep := c.Rank("a"), c.numpyAxes(), c.Bool("keepdims")
	x := c.Cast(c.Tensor("a"), d)
	last := int64(0)
	if len(axes) == rank {
		x = c.flat(x)
	} else { // the axes become the last one
		perm := slices.DeleteFunc(identity(rank), func(i int64) bool { return contains(axes, i) })
		last = int64(len(perm))
		x = c.permute(x, append(perm, axes...))
		if len(axes) > 1 {
			head := c.Op("Shape", In(x), onnx.IntAttr("end", last))
			x = c.Op("Reshape", In(x, c.Concat(0, head, c.I64(-1))))
		}
	}
	out := c.quantile(x, last, q, place, ignore, keep, axes)
	if qrank == 0 {
		out = c.Squeeze(out, 0)
	}
	c.Return(c.Cast(out, c.OutDType(0)))
}

// quantile interpolates between elements of x's axis last; the quantiles come first.
func (c *Call) quantile(x V, last int64, q V, place [2]float64, ignore, keep bool, axes []int64) V {
	d := x.DType
	nan := c.Op("IsNaN", In(x))
	size := c.Op("Shape", In(x), onnx.IntAttr("start", last), onnx.IntAttr("end", last+1))
	v := c.Ops("TopK", 2, In(c.either(nan, c.highest(d), x), size), onnx.IntAttr("axis", last), onnx.IntAttr("largest", 0),
		onnx.IntAttr("sorted", 1))[0]
	n := c.Reduce("ReduceSum", c.Cast(c.Op("Not", In(nan)), onnx.Int64), true, last)
	bad := c.Op("Equal", In(n, c.I64Scalar(0)))
	if !ignore {
		bad = c.Op("Less", In(n, c.dimSize(x, last)))
	}
	many := c.Cast(n, d)
	top := c.atLeastOf(c.plus(many, -1), 0)
	median := q.Name == ""
	if median {
		q = c.Scalar(d, 0.5)
	}
	at := c.mul(c.flat(q), top)
	if place != [2]float64{1, 1} {
		at = c.add(c.mul(q, many), c.plus(c.times(q, 1-place[0]-place[1]), place[0]-1))
		at = c.Op("Min", In(c.atLeastOf(at, 0), top))
	}
	pick := func(p V) V {
		return c.Op("GatherElements", In(v, c.Cast(p, onnx.Int64)), onnx.IntAttr("axis", last))
	}
	floor := c.Op("Floor", In(at))
	lo, hi := pick(floor), pick(c.Op("Ceil", In(at)))
	out := c.add(lo, c.mul(c.sub(at, floor), c.sub(hi, lo)))
	if median {
		out = c.times(c.add(lo, hi), 0.5)
	}
	out = c.permute(c.either(bad, c.Scalar(d, nanValue), out), append([]int64{last}, identity(int(last))...))
	if !keep {
		return out
	}
	places := make([]int64, len(axes))
	for i, a := range axes {
		places[i] = a + 1
	}
	slices.Sort(places)
	return c.Unsqueeze(out, places...)
}

// countLess counts for each value how many elements of a sorted array are less, or with orEqual not greater. What is no number is behind
// all others.
func (c *Call) countLess(array, values string, orEqual bool) (count, sorted V) {
	d, ok := c.asOperand(array)
	e, both := c.asOperand(values)
	if !ok || !both {
		c.Failf("the operands' types are not known")
	}
	w := workType(c.dtype(dtype.Numpy(d, e)))
	if w == onnx.Bool {
		w = onnx.Int32
	}
	op := "Less"
	if orEqual {
		op = "LessOrEqual"
	}
	sorted = c.data(c.Arg(array), w)
	v := c.data(c.Arg(values), w)
	rank := c.OutRank(0)
	v = c.Unsqueeze(v, int64(rank))
	less := c.Op(op, In(sorted, v))
	if isFloat(w) {
		less = c.Op("Or", In(less, c.Op("IsNaN", In(v))))
	}
	return c.Reduce("ReduceSum", c.Cast(less, onnx.Int64), false, int64(rank)), sorted
}

// asOperand is the element type that NumPy gives an argument that becomes an array.
func (c *Call) asOperand(name string) (dtype.DType, bool) {
	switch o := c.Arg(name).(type) {
	case *graph.Value:
		return o.Type.DType, o.Kind == graph.TensorKind && o.Type.DType != dtype.Unknown
	case graph.Bool:
		return dtype.Bool, true
	case graph.Int, graph.Dim:
		return dtype.I64, true
	case graph.Float, graph.Real:
		return dtype.F64, true
	case graph.List, graph.Tuple:
		leaves, _ := c.flatten(o)
		out := dtype.Bool
		for _, l := range leaves {
			switch l := l.(type) {
			case graph.Bool:
			case graph.Int, graph.Dim:
				out = dtype.Numpy(out, dtype.I64)
			case graph.Float, graph.Real:
				out = dtype.F64
			case *graph.Value:
				out = dtype.Numpy(out, l.Type.DType)
			default:
				return out, false
			}
		}
		if len(leaves) == 0 {
			out = dtype.F64
		}
		return out, out != dtype.Unknown
	}
	return dtype.Unknown, false
}

// numpyInterp goes along the line between the two points around each place; outside there are left and right.
func numpyInterp(c *Call) {
	if c.Has("period") || c.OutType(0).DType.IsComplex() {
		c.Failf("period= and complex values are not written")
	}
	const d = onnx.Double
	x, xp, fp := c.data(c.Arg("x"), d), c.data(c.Arg("xp"), d), c.data(c.Arg("fp"), d)
	rank := int64(c.OutRank(0))
	n := c.dimSize(xp, 0)
	last := c.sub(n, c.I64Scalar(1))
	pick := func(v, at V) V { return c.Op("Gather", In(v, at), onnx.IntAttr("axis", 0)) }
	count := c.Reduce("ReduceSum", c.Cast(c.Op("LessOrEqual", In(xp, c.Unsqueeze(x, rank))), onnx.Int64), false, rank)
	from := c.Op("Max", In(c.sub(count, c.I64Scalar(1)), c.I64Scalar(0)))
	to := c.Op("Min", In(c.add(from, c.I64Scalar(1)), last))
	x0, y0 := pick(xp, from), pick(fp, from)
	slope := c.over(c.sub(pick(fp, to), y0), c.sub(pick(xp, to), x0))
	y := c.add(c.mul(slope, c.sub(x, x0)), y0)
	y = c.either(c.Op("Equal", In(x, x0)), y0, y) // also of the last point, which has no line
	y = c.either(c.Op("IsNaN", In(x)), x, y)
	side := func(name string, at V) V {
		if c.Has(name) {
			return c.Number(name, d)
		}
		return pick(fp, at)
	}
	y = c.either(c.Op("Less", In(x, pick(xp, c.I64Scalar(0)))), side("left", c.I64Scalar(0)), y)
	c.Return(c.either(c.Op("Greater", In(x, pick(xp, last))), side("right", last), y))
}

// numpyHistogram counts the elements between edges, the last of which is inside. A number of bins needs a known range: how the
// edges between two of the data's elements are rounded depends on the version.
func numpyHistogram(c *Call) {
	if c.Has("weights") {
		c.Failf("weights are not written")
	}
	var edges V
	d := onnx.Double
	n, counted := ConstInt(c.Arg("bins"))
	if counted {
		d = c.OutDType(0) // the edges are the first result
		if n < 1 || n > 1<<16 {
			c.Failf("the number of bins must be between 1 and %d", 1<<16)
		}
		if c.Has("range") {
			edges = c.edgesWithin(d, n)
		} else {
			edges = c.edgesOf(c.flat(c.Operand("a", d)), n)
		}
	} else {
		e, ok := c.asOperand("bins")
		if !ok {
			c.Failf("the bins must be a number or edges")
		}
		d = c.dtype(e)
		edges = c.data(c.Arg("bins"), d)
	}
	w := onnx.Double
	if a, ok := c.asOperand("a"); ok && c.dtype(a) == d {
		w = workType(d)
	}
	x := c.Unsqueeze(c.flat(c.data(c.Arg("a"), w)), 1)
	e := c.Cast(edges, w)
	less, most := c.Op("Less", In(x, c.Slice(e, 0, 0, -1, 1))), c.Op("LessOrEqual", In(x, c.Slice(e, 0, -1, 1<<62, 1)))
	before := c.Reduce("ReduceSum", c.Cast(c.Concat(1, less, most), onnx.Int64), false, 0)
	tail, head := c.ends(before, 0)
	counts := c.sub(tail, head)
	if c.Bool("density") {
		wide := c.Cast(edges, onnx.Double)
		upper, lower := c.ends(wide, 0)
		n := c.Cast(counts, onnx.Double)
		counts = c.over(c.over(n, c.sub(upper, lower)), c.Reduce("ReduceSum", n, true, 0))
	}
	if counted {
		c.Return(edges, counts)
		return
	}
	c.Return(counts)
}

// reducedAt reduces the slices that begin at known indices, each up to the next index; one that is not below the next is one element.
func reducedAt(op string) func(c *Call) {
	return func(c *Call) {
		c.noOptions()
		leaves, dims := c.flatten(c.Arg("indices"))
		if len(dims) != 1 || len(leaves) == 0 || len(leaves) > 1<<10 {
			c.Failf("the indices must be a list of numbers")
		}
		at := make([]int64, len(leaves))
		for i, l := range leaves {
			n, ok := ConstInt(l)
			if !ok || n < 0 {
				c.Failf("the indices must be known")
			}
			at[i] = n
		}
		d := c.OutDType(0)
		w := workType(d)
		if w == onnx.Bool {
			c.Failf("of bools it is not written")
		}
		x, axis := c.Cast(c.Tensor("array"), w), c.Axis("axis", c.Rank("array"))
		parts := make([]V, len(at))
		for i, n := range at {
			end := int64(1 << 62)
			switch {
			case i+1 == len(at):
			case at[i+1] > n:
				end = at[i+1]
			default:
				end = n + 1
			}
			parts[i] = c.Reduce(op, c.Slice(x, axis, n, end, 1), true, axis)
		}
		c.Return(c.Cast(c.Concat(axis, parts...), d))
	}
}

// edgesWithin are those of n bins of a known range.
func (c *Call) edgesWithin(d onnx.DType, n int64) V {
	r := c.Items("range")
	if len(r) != 2 {
		c.Failf("the range must be two numbers")
	}
	lo, okLo := constFloat(r[0])
	hi, okHi := constFloat(r[1])
	if !okLo || !okHi {
		c.Failf("the range must be known")
	}
	if lo == hi {
		lo, hi = lo-0.5, hi+0.5
	}
	list, step := make([]float64, n+1), (hi-lo)/float64(n)
	for i := range list {
		list[i] = float64(float64(i)*step) + lo
	}
	list[n] = hi
	t, err := onnx.NewFloats(d, []int64{n + 1}, list)
	if err != nil {
		c.Failf("%v", err)
	}
	return c.Const(t)
}

// edgesOf are those of n bins between the least and the greatest element, half of one to each side where they are one.
func (c *Call) edgesOf(x V, n int64) V {
	low, high := c.Reduce("ReduceMin", x, true, 0), c.Reduce("ReduceMax", x, true, 0)
	same := c.Op("Equal", In(low, high))
	low, high = c.either(same, c.plus(low, -0.5), low), c.either(same, c.plus(high, 0.5), high)
	step := c.over(c.sub(high, low), c.Scalar(x.DType, float64(n)))
	at := c.Cast(c.rangeTo(c.I64Scalar(n)), x.DType)
	return c.Concat(0, c.add(c.mul(at, step), low), high)
}

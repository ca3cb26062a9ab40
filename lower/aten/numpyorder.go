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
			failf("order= is not written")
		}
		name, axis := c.Node.Args[0].Name, int64(0)
		if c.Has("axis") {
			axis = c.Axis("axis", c.Rank(name))
		} else if c.Rank(name) > 1 {
			failf("without an axis it is not written")
		}
		if c.Rank(name) == 0 { // its one element is the first
			c.Return(c.emit.filled(c.emit.Const(onnx.NewInts([]int64{int64(len(c.OutType(0).Shape))},
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
			failf("sorter= is not written")
		}
		count, _ := c.countLess("a", "v", c.Str("side") == "right")
		c.Return(count)
	}},
	{Op: "numpy.digitize", Lower: func(c *Call) {
		e := c.emit
		count, bins := c.countLess("bins", "x", !c.Bool("right"))
		n := e.dimSize(bins, 0)
		last := e.sub(n, e.I64Scalar(1))
		ends := func(at V) V { return e.Op("Gather", In(bins, at), onnx.IntAttr("axis", 0)) }
		shrinks := e.Op("Greater", In(ends(e.I64Scalar(0)), ends(last)))
		c.Return(e.either(shrinks, e.sub(n, count), count))
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
// round q. q is divided by top first, as NumPy divides percentages by 100. Methods that jump
// (inverted_cdf and the like) are refused, and so is more than one row of quantiles.
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
			failf("the method %q is not written", method)
		case c.Has("weights"):
			failf("weights are not written")
		}
		rank := c.operandRank("q")
		if rank > 1 {
			failf("of more than a row of quantiles it is not written")
		}
		q := c.data(c.Arg("q"), c.OutDType(0))
		c.quantiles(c.emit.times(q, 1/top), rank, p, strings.HasPrefix(lastName(c.Node.Called), "nan"))
	}
}

// quantiles gives those of the argument a over its axes, which q, of a rank, names; no q is the median. ignore leaves out what is no
// number. The reduced axes are moved behind the others and made one.
func (c *Call) quantiles(q V, qrank int, place [2]float64, ignore bool) {
	e := c.emit
	d := c.OutDType(0)
	if d == onnx.Float16 {
		if q.Name != "" {
			failf("of floats of 16 bits it is not written")
		}
		d = onnx.Float
	}
	rank, axes, keep := c.Rank("a"), c.numpyAxes(), c.Bool("keepdims")
	x := e.Cast(c.Tensor("a"), d)
	last := int64(0)
	if len(axes) == rank {
		x = e.flat(x)
	} else { // the axes become the last one
		perm := slices.DeleteFunc(identity(rank), func(i int64) bool { return contains(axes, i) })
		last = int64(len(perm))
		x = e.permute(x, append(perm, axes...))
		if len(axes) > 1 {
			head := e.Op("Shape", In(x), onnx.IntAttr("end", last))
			x = e.Op("Reshape", In(x, e.Concat(0, head, e.I64(-1))))
		}
	}
	out := e.quantile(x, last, q, place, ignore, keep, axes)
	if qrank == 0 {
		out = e.Squeeze(out, 0)
	}
	c.Return(e.Cast(out, c.OutDType(0)))
}

// quantile interpolates between elements of x's axis last; the quantiles come first. x is sorted
// along its last axis by TopK, with NaNs replaced by the greatest number so that they come last,
// and n counts the numbers. The place of a quantile is q·(n-1) for the linear method, or the
// general formula of Hyndman and Fan, clamped into the row; the result is interpolated between
// the elements below and above it. Without ignore a row with a NaN gives NaN; an empty one does
// in any case. The median is the mean of the two middle elements, which has no rounding of q.
func (e *Emitter) quantile(x V, last int64, q V, place [2]float64, ignore, keep bool, axes []int64) V {
	d := x.DType
	nan := e.Op("IsNaN", In(x))
	size := e.Op("Shape", In(x), onnx.IntAttr("start", last), onnx.IntAttr("end", last+1))
	v := e.Ops("TopK", 2, In(e.either(nan, e.highest(d), x), size), onnx.IntAttr("axis", last), onnx.IntAttr("largest", 0),
		onnx.IntAttr("sorted", 1))[0]
	n := e.Reduce("ReduceSum", e.Cast(e.Op("Not", In(nan)), onnx.Int64), true, last)
	bad := e.Op("Equal", In(n, e.I64Scalar(0)))
	if !ignore {
		bad = e.Op("Less", In(n, e.dimSize(x, last)))
	}
	many := e.Cast(n, d)
	top := e.atLeastOf(e.plus(many, -1), 0)
	median := q.Name == ""
	if median {
		q = e.Scalar(d, 0.5)
	}
	at := e.mul(e.flat(q), top)
	if place != [2]float64{1, 1} {
		at = e.add(e.mul(q, many), e.plus(e.times(q, 1-place[0]-place[1]), place[0]-1))
		at = e.Op("Min", In(e.atLeastOf(at, 0), top))
	}
	pick := func(p V) V {
		return e.Op("GatherElements", In(v, e.Cast(p, onnx.Int64)), onnx.IntAttr("axis", last))
	}
	floor := e.Op("Floor", In(at))
	lo, hi := pick(floor), pick(e.Op("Ceil", In(at)))
	out := e.add(lo, e.mul(e.sub(at, floor), e.sub(hi, lo)))
	if median {
		out = e.times(e.add(lo, hi), 0.5)
	}
	out = e.permute(e.either(bad, e.Scalar(d, nanValue), out), append([]int64{last}, identity(int(last))...))
	if !keep {
		return out
	}
	places := make([]int64, len(axes))
	for i, a := range axes {
		places[i] = a + 1
	}
	slices.Sort(places)
	return e.Unsqueeze(out, places...)
}

// countLess counts for each value how many elements of a sorted array are less, or with orEqual not greater. What is no number is behind
// all others. It compares all pairs, so the work is the product of both sizes: arrays of bins are
// short, and ONNX has no binary search. Both are converted to NumPy's common type.
func (c *Call) countLess(array, values string, orEqual bool) (count, sorted V) {
	e := c.emit
	d, ok := c.asOperand(array)
	other, both := c.asOperand(values)
	if !ok || !both {
		failf("the operands' types are not known")
	}
	w := workType(c.dtype(dtype.Numpy(d, other)))
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
	v = e.Unsqueeze(v, int64(rank))
	less := e.Op(op, In(sorted, v))
	if isFloat(w) {
		less = e.Op("Or", In(less, e.Op("IsNaN", In(v))))
	}
	return e.Reduce("ReduceSum", e.Cast(less, onnx.Int64), false, int64(rank)), sorted
}

// asOperand is the element type that NumPy gives an argument that becomes an array. Lists have
// the type that NumPy finds for their leaves; false says that it is not known.
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
		leaves, _ := flatten(o)
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

// numpyInterp goes along the line between the two points around each place; outside there are
// left and right. It is computed in float64. The interval of a place is found by counting the
// points that are not greater; its line is slope·(x - x0) + y0, in the order of NumPy's C code,
// so that roundings agree.
func numpyInterp(c *Call) {
	e := c.emit
	if c.Has("period") || c.OutType(0).DType.IsComplex() {
		failf("period= and complex values are not written")
	}
	const d = onnx.Double
	x, xp, fp := c.data(c.Arg("x"), d), c.data(c.Arg("xp"), d), c.data(c.Arg("fp"), d)
	rank := int64(c.OutRank(0))
	n := e.dimSize(xp, 0)
	last := e.sub(n, e.I64Scalar(1))
	pick := func(v, at V) V { return e.Op("Gather", In(v, at), onnx.IntAttr("axis", 0)) }
	count := e.Reduce("ReduceSum", e.Cast(e.Op("LessOrEqual", In(xp, e.Unsqueeze(x, rank))), onnx.Int64), false, rank)
	from := e.Op("Max", In(e.sub(count, e.I64Scalar(1)), e.I64Scalar(0)))
	to := e.Op("Min", In(e.add(from, e.I64Scalar(1)), last))
	x0, y0 := pick(xp, from), pick(fp, from)
	slope := e.over(e.sub(pick(fp, to), y0), e.sub(pick(xp, to), x0))
	y := e.add(e.mul(slope, e.sub(x, x0)), y0)
	y = e.either(e.Op("Equal", In(x, x0)), y0, y) // also of the last point, which has no line
	y = e.either(e.Op("IsNaN", In(x)), x, y)
	side := func(name string, at V) V {
		if c.Has(name) {
			return c.Number(name, d)
		}
		return pick(fp, at)
	}
	y = e.either(e.Op("Less", In(x, pick(xp, e.I64Scalar(0)))), side("left", e.I64Scalar(0)), y)
	c.Return(e.either(e.Op("Greater", In(x, pick(xp, last))), side("right", last), y))
}

// numpyHistogram counts the elements between edges, the last of which is inside. A number of bins needs a known range: how the
// edges between two of the data's elements are rounded depends on the version. Elements below
// each edge are counted, and differences of neighbouring counts are the bins'; the last edge
// counts with ≤. density divides by the widths and the total.
func numpyHistogram(c *Call) {
	e := c.emit
	if c.Has("weights") {
		failf("weights are not written")
	}
	var edges V
	d := onnx.Double
	n, counted := ConstInt(c.Arg("bins"))
	if counted {
		d = c.OutDType(0) // the edges are the first result
		if n < 1 || n > 1<<16 {
			failf("the number of bins must be between 1 and %d", 1<<16)
		}
		if c.Has("range") {
			edges = c.edgesWithin(d, n)
		} else {
			edges = e.edgesOf(e.flat(c.Operand("a", d)), n)
		}
	} else {
		t, ok := c.asOperand("bins")
		if !ok {
			failf("the bins must be a number or edges")
		}
		d = c.dtype(t)
		edges = c.data(c.Arg("bins"), d)
	}
	w := onnx.Double
	if a, ok := c.asOperand("a"); ok && c.dtype(a) == d {
		w = workType(d)
	}
	x := e.Unsqueeze(e.flat(c.data(c.Arg("a"), w)), 1)
	bounds := e.Cast(edges, w)
	less, most := e.Op("Less", In(x, e.Slice(bounds, 0, 0, -1, 1))), e.Op("LessOrEqual", In(x, e.Slice(bounds, 0, -1, 1<<62, 1)))
	before := e.Reduce("ReduceSum", e.Cast(e.Concat(1, less, most), onnx.Int64), false, 0)
	tail, head := e.ends(before, 0)
	counts := e.sub(tail, head)
	if c.Bool("density") {
		wide := e.Cast(edges, onnx.Double)
		upper, lower := e.ends(wide, 0)
		n := e.Cast(counts, onnx.Double)
		counts = e.over(e.over(n, e.sub(upper, lower)), e.Reduce("ReduceSum", n, true, 0))
	}
	if counted {
		c.Return(edges, counts)
		return
	}
	c.Return(counts)
}

// reducedAt reduces the slices that begin at known indices, each up to the next index; one that
// is not below the next is one element. Each slice is a Slice and a reduction, joined at the end;
// the last one goes to the end of the axis.
func reducedAt(op string) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		c.noOptions()
		leaves, dims := flatten(c.Arg("indices"))
		if len(dims) != 1 || len(leaves) == 0 || len(leaves) > 1<<10 {
			failf("the indices must be a list of numbers")
		}
		at := make([]int64, len(leaves))
		for i, l := range leaves {
			n, ok := ConstInt(l)
			if !ok || n < 0 {
				failf("the indices must be known")
			}
			at[i] = n
		}
		d := c.OutDType(0)
		w := workType(d)
		if w == onnx.Bool {
			failf("of bools it is not written")
		}
		x, axis := e.Cast(c.Tensor("array"), w), c.Axis("axis", c.Rank("array"))
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
			parts[i] = e.Reduce(op, e.Slice(x, axis, n, end, 1), true, axis)
		}
		c.Return(e.Cast(e.Concat(axis, parts...), d))
	}
}

// edgesWithin are those of n bins of a known range. Equal ends are moved apart by half, as NumPy
// does. Edges are computed as i·step + lo with the last one exact, which is linspace's order of
// operations.
func (c *Call) edgesWithin(d onnx.DType, n int64) V {
	r := c.Items("range")
	if len(r) != 2 {
		failf("the range must be two numbers")
	}
	lo, okLo := constFloat(r[0])
	hi, okHi := constFloat(r[1])
	if !okLo || !okHi {
		failf("the range must be known")
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
		failf("%v", err)
	}
	return c.emit.Const(t)
}

// edgesOf are those of n bins between the least and the greatest element, half of one to each
// side where they are one. They are computed in the model from the data.
func (e *Emitter) edgesOf(x V, n int64) V {
	low, high := e.Reduce("ReduceMin", x, true, 0), e.Reduce("ReduceMax", x, true, 0)
	same := e.Op("Equal", In(low, high))
	low, high = e.either(same, e.plus(low, -0.5), low), e.either(same, e.plus(high, 0.5), high)
	step := e.over(e.sub(high, low), e.Scalar(x.DType, float64(n)))
	at := e.Cast(e.rangeTo(e.I64Scalar(n)), x.DType)
	return e.Concat(0, e.add(e.mul(at, step), low), high)
}

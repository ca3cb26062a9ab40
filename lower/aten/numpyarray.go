package aten

// This file lowers what makes arrays of NumPy and what reduces and reorders them.
//
// Most functions of NumPy are PyTorch's under other names of their arguments: adaptRecord calls
// the rule of a PyTorch function with the arguments renamed, so that each formula is written
// once. What remains here is what differs: default axes (a reduction without axis is over all),
// keyword arguments (out, where, initial), the variants that ignore NaN, and dtypes, which the
// interpreter has found and OutDType gives.
//
// A record with None says that a function has no form in ONNX, and why; the text is shown to
// users.

import (
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

var numpyArrayRecords = []Record{
	{Op: "numpy.zeros", Lower: adaptRecord("torch.zeros", "size=shape")},
	{Op: "numpy.empty", Lower: uncomputed(adaptRecord("torch.zeros", "size=shape"))},
	{Op: "numpy.ones", Lower: adaptRecord("torch.ones", "size=shape")},
	{Op: "numpy.full", Lower: numpyFull(func(c *Call) V { c.rename("torch.full", "size=shape fill_value=fill_value"); return c.sizeArg() })},
	{Op: "numpy.zeros_like", Lower: numpyLike(func(c *Call) { like(0)(c) })},
	{Op: "numpy.empty_like", Lower: uncomputed(numpyLike(func(c *Call) { like(0)(c) }))},
	{Op: "numpy.ones_like", Lower: numpyLike(func(c *Call) { like(1)(c) })},
	{Op: "numpy.full_like", Lower: numpyLike(numpyFull((*Call).likeShape))},
	{Op: "numpy.geomspace", None: "it is exp of linspace between logarithms: write that"},
	{Op: "numpy.histogram_bin_edges", None: "edges of bins serve the study of data, not models"},
	{Op: "numpy.ndarray.view numpy.ndarray.dtype.set", None: "the bytes of elements have no form as those of another type"},
	{Op: "numpy.ndarray.flat.get", None: "torch.flatten is recorded instead"},
	{Op: "numpy.ndarray.resize", None: "it shows what memory holds beside the elements"},
	{Op: "numpy.arange", Lower: func(c *Call) {
		if !c.Has("start") {
			adaptRecord("torch.arange", "end=stop")(c)
			return
		}
		if !c.Has("stop") { // arange(start=n) counts to n
			adaptRecord("torch.arange", "end=start")(c)
			return
		}
		adaptRecord("torch.arange", "start=start end=stop step=step")(c)
	}},
	{Op: "numpy.linspace", Lower: func(c *Call) {
		if c.Bool("retstep") || c.Int("axis") != 0 || len(c.Node.Outputs) != 1 || c.OutRank(0) != 1 {
			failf("only numbers between two numbers are written")
		}
		if !c.Bool("endpoint") {
			c.Return(c.emit.Cast(c.untilStop(), c.OutDType(0)))
			return
		}
		adaptRecord("torch.linspace", "start=start end=stop steps=num")(c)
	}},
	{Op: "numpy.logspace", Lower: func(c *Call) {
		if c.Int("axis") != 0 || c.OutRank(0) != 1 {
			failf("only numbers between two numbers are written")
		}
		if !c.Bool("endpoint") {
			c.Return(c.emit.Cast(c.emit.Op("Pow", In(c.Number("base", onnx.Double), c.untilStop())), c.OutDType(0)))
			return
		}
		adaptRecord("torch.logspace", "start=start end=stop steps=num base=base")(c)
	}},
	{Op: "numpy.eye", Lower: func(c *Call) {
		e := c.emit
		if n, ok := ConstInt(c.Arg("k")); c.Has("k") && (!ok || n != 0) {
			rows := c.number("N", c.Arg("N"), onnx.Int64)
			cols := rows
			if c.Has("M") {
				cols = c.number("M", c.Arg("M"), onnx.Int64)
			}
			at := e.add(e.rangeTo(rows), c.number("k", c.Arg("k"), onnx.Int64))
			c.Return(e.Cast(e.Op("Equal", In(e.Unsqueeze(at, 1), e.Unsqueeze(e.rangeTo(cols), 0))), c.OutDType(0)))
			return
		}
		adaptRecord("torch.eye", "n=N m=M")(c)
	}},
	{Op: "numpy.identity", Lower: adaptRecord("torch.eye", "n=n")},
	{Op: "numpy.array numpy.asarray numpy.ascontiguousarray", Lower: func(c *Call) { // more axes than the data has stand in front
		c.OutRank(0)
		y := c.data(c.Node.Args[0].Value, c.OutDType(0))
		if n, ok := ConstInt(c.Arg("ndmin")); ok && n > 0 {
			y = c.Reshape(y, nil, c.OutType(0).Shape)
		}
		c.Return(y)
	}},
	{Op: "numpy.copy", Lower: func(c *Call) { c.Return(c.first()) }},
	{Op: "numpy.tril numpy.triu", Lower: func(c *Call) {
		if c.Rank("m") < 2 { // of which NumPy makes a matrix first
			failf("that of a vector is not written")
		}
		adaptRecord("torch.tril", "self=m diagonal=k")(c) // whose rule reads the name that was called
	}},

	{Op: "numpy.sum", Lower: reduced("torch.sum", "")},
	{Op: "numpy.prod numpy.nanprod", Lower: nanless(reduced("torch.prod", ""), func(c *Call, x, nan V) V {
		return c.reduceDims("ReduceProd", c.emit.either(nan, c.emit.Scalar(x.DType, 1), x), c.numpyAxes(), c.Bool("keepdims"))
	})},
	{Op: "numpy.mean", Lower: reduced("torch.mean", "")},
	{Op: "numpy.max numpy.nanmax", Lower: nanless(reduced("torch.amax", ""), nanExtreme("ReduceMax", (*Emitter).lowest))},
	{Op: "numpy.min numpy.nanmin", Lower: nanless(reduced("torch.amin", ""), nanExtreme("ReduceMin", (*Emitter).highest))},
	{Op: "numpy.any", Lower: reduced("torch.any", "")},
	{Op: "numpy.all", Lower: reduced("torch.all", "")},
	{Op: "numpy.nansum", Lower: reduced("torch.nansum", "")},
	{Op: "numpy.nanmean", Lower: reduced("torch.nanmean", "")},
	{Op: "numpy.std numpy.var", Lower: func(c *Call) {
		reduced("torch."+lastName(c.Node.Called), " correction=ddof")(c)
	}},
	{Op: "numpy.argmax numpy.nanargmax", Lower: nanless(reduced("torch.argmax", ""), nanPlace("ArgMax", (*Emitter).lowest))},
	{Op: "numpy.argmin numpy.nanargmin", Lower: nanless(reduced("torch.argmin", ""), nanPlace("ArgMin", (*Emitter).highest))},
	{Op: "numpy.ptp", Lower: func(c *Call) {
		e := c.emit
		c.noOptions()
		x := e.Cast(c.first(), workType(c.OutDType(0)))
		axes, keep := c.numpyAxes(), c.Bool("keepdims")
		c.Return(e.Cast(e.sub(c.reduceDims("ReduceMax", x, axes, keep), c.reduceDims("ReduceMin", x, axes, keep)), c.OutDType(0)))
	}},
	{Op: "numpy.count_nonzero", Lower: func(c *Call) {
		x := c.emit.Cast(c.emit.Cast(c.Tensor("a"), onnx.Bool), onnx.Int64)
		c.Return(c.reduceDims("ReduceSum", x, c.numpyAxes(), c.Bool("keepdims")))
	}},
	{Op: "numpy.nonzero", Lower: func(c *Call) { c.Return(c.emit.nonzeroColumns(c.Tensor("a"), c.Rank("a"))...) }},
	{Op: "numpy.flatnonzero", Lower: func(c *Call) { c.Return(c.emit.nonzeroColumns(c.emit.flat(c.Tensor("a")), 1)...) }},
	{Op: "numpy.add.reduce", Lower: reducedBy("torch.sum")},
	{Op: "numpy.multiply.reduce", Lower: reducedBy("torch.prod")},
	{Op: "numpy.maximum.reduce", Lower: reducedBy("torch.amax")},
	{Op: "numpy.minimum.reduce", Lower: reducedBy("torch.amin")},
	{Op: "numpy.logical_and.reduce", Lower: reducedBy("torch.all")},
	{Op: "numpy.logical_or.reduce", Lower: reducedBy("torch.any")},
	{Op: "numpy.add.accumulate", Lower: func(c *Call) {
		c.noOptions()
		adaptRecord("torch.cumsum", "input=array dim=axis")(c)
	}},
	{Op: "numpy.multiply.accumulate", Lower: func(c *Call) {
		c.noOptions()
		adaptRecord("torch.cumprod", "input=array dim=axis")(c)
	}},
	{Op: "numpy.cross", Lower: func(c *Call) {
		e := c.emit
		for _, name := range [...]string{"axisa", "axisb", "axisc"} {
			if n, ok := ConstInt(c.Arg(name)); c.Arg(name) != nil && (!ok || n != -1) {
				failf("of other axes than the last one it is not written")
			}
		}
		for _, name := range [...]string{"a", "b"} {
			three := false
			if s := c.Type(name).Shape; len(s) > 0 && !c.Has("axis") {
				n, ok := s[len(s)-1].Const()
				three = ok && n == 3
			}
			if !three {
				failf("it is written for arrays of vectors of three numbers along the last axis")
			}
		}
		d := c.OutDType(0)
		x, y := c.Operand("a", workType(d)), c.Operand("b", workType(d))
		turn := func(x V, order ...int64) V { return e.Op("Gather", In(x, e.I64(order...)), onnx.IntAttr("axis", -1)) }
		c.Return(e.Cast(e.sub(e.mul(turn(x, 1, 2, 0), turn(y, 2, 0, 1)), e.mul(turn(x, 2, 0, 1), turn(y, 1, 2, 0))), d))
	}},
	{Op: "numpy.maximum.accumulate", Lower: extremeSoFar("torch.cummax")},
	{Op: "numpy.minimum.accumulate", Lower: extremeSoFar("torch.cummin")},
	{Op: "numpy.cov", Lower: func(c *Call) {
		x := c.observations("m")
		correction := 1.0
		if c.Has("ddof") {
			correction = c.Float("ddof")
		} else if c.Bool("bias") {
			correction = 0
		}
		c.Return(c.covariance(x, c.emit.Scalar(x.DType, correction)))
	}},
	{Op: "numpy.corrcoef", Lower: func(c *Call) { c.Return(c.correlation(c.observations("x"))) }},
	{Op: "numpy.cumsum numpy.nancumsum", Lower: nanless(cumulated("torch.cumsum"), nanCumulated)},
	{Op: "numpy.cumprod", Lower: cumulated("torch.cumprod")},
	{Op: "numpy.nancumprod", Lower: func(c *Call) { // of integers it is cumprod
		if !c.Type("a").DType.IsIntegralOrBool() {
			failf("it is not written without what is no number")
		}
		cumulated("torch.cumprod")(c)
	}},
	{Op: "numpy.average", Lower: numpyAverage},
	{Op: "numpy.linalg.norm", Lower: func(c *Call) {
		x := c.first()
		axes := c.numpyAxes()
		order := 2.0
		switch {
		case !c.Has("ord"):
		case len(axes) == 1:
			order = c.Float("ord")
		default:
			c.Return(c.matrixNorm(x, axes, c.Bool("keepdims")))
			return
		}
		c.Return(c.vectorNorm(x, order, axes, c.Bool("keepdims")))
	}},
}

// numpyAverage is the mean of elements with weights. It is Σ w·x / Σ w along the axes.
// One-dimensional weights lie along the single axis. It fails when returned=True, as that gives
// two results.
func numpyAverage(c *Call) {
	e := c.emit
	if c.Bool("returned") {
		failf("the sum of the weights is not written")
	}
	if !c.Has("weights") {
		reduced("torch.mean", "")(c)
		return
	}
	c.noOptions()
	d, rank := c.OutDType(0), c.Rank("a")
	axes, keep := c.numpyAxes(), c.Bool("keepdims")
	x, w := e.Cast(c.Tensor("a"), d), c.data(c.Arg("weights"), d)
	switch n := c.operandRank("weights"); {
	case n == rank:
	case n == 1 && len(axes) == 1: // they lie along the axis
		w = e.Op("Reshape", In(w, e.I64(onesBut(rank, axes[0], -1)...)))
	default:
		failf("weights of other dimensions than the array's are not written")
	}
	w = e.Op("Expand", In(w, e.Shape(x)))
	c.Return(e.over(c.reduceDims("ReduceSum", e.mul(x, w), axes, keep), c.reduceDims("ReduceSum", w, axes, keep)))
}

// operandRank is how many dimensions an argument has that becomes an array. A number has 0.
func (c *Call) operandRank(name string) int {
	switch o := c.Arg(name).(type) {
	case graph.List, graph.Tuple:
		_, dims := flatten(o)
		return len(dims)
	case *graph.Value:
		return rankOf(o)
	}
	return 0
}

// onesBut is a shape of ones, but for n at an axis. A Reshape to it lets a vector broadcast along
// that axis.
func onesBut(rank int, axis, n int64) []int64 {
	s := ones(rank)
	s[axis] = n
	return s
}

// uncomputed refuses the arrays without elements that our preludes give in the place of results.
// Preludes are stub libraries, in Python, of functions whose results only have a shape; a model
// with such a result would compute nonsense.
func uncomputed(rule func(c *Call)) func(c *Call) {
	return func(c *Call) {
		if c.Node.Lib {
			failf("what the function computes is not written")
		}
		rule(c)
	}
}

// numpyFull fills a shape with one number. Only numbers are written as fill_value, since an array
// would have to broadcast.
func numpyFull(shape func(c *Call) V) func(c *Call) {
	return func(c *Call) {
		if v, ok := c.Arg("fill_value").(*graph.Value); ok && v.Kind == graph.TensorKind && v.Type.Rank() != 0 {
			failf("an array as fill_value is not written")
		}
		fill := c.scalarOf("fill_value", c.OutDType(0))
		c.Return(c.emit.Op("Expand", In(fill, shape(c))))
	}
}

// numpyLike is of the shape of its first argument. The parameter shape= would make another shape
// than the argument's.
func numpyLike(rule func(c *Call)) func(c *Call) {
	return func(c *Call) {
		if c.Has("shape") {
			failf("shape= is not written")
		}
		more := ""
		if c.Has("fill_value") {
			more = " fill_value=fill_value"
		}
		c.rename("torch.zeros_like", "input=a"+more)
		rule(c)
	}
}

// extremeSoFar is the greatest or least element so far along an axis. PyTorch's cummax gives the
// values and their places; the first result is NumPy's.
func extremeSoFar(op string) func(c *Call) {
	return func(c *Call) {
		c.noOptions()
		adaptRecord(op, "input=array dim=axis")(c)
		c.outs = c.outs[:1]
	}
}

// observations are the variables of cov and corrcoef, one in each row, by the name that each has
// for them. Weights of observations change the formula and are refused. The result is [variables,
// observations] in the result's dtype.
func (c *Call) observations(name string) V {
	if c.Has("y") || c.Has("fweights") || c.Has("aweights") {
		failf("y= and weights of observations are not written")
	}
	d, rank := c.OutDType(0), c.Rank(name)
	c.rename(c.Node.Op, "input="+name+" bias=bias ddof=ddof rowvar=rowvar")
	x := c.emit.Cast(c.Tensor("input"), d)
	if !c.Bool("rowvar") && rank == 2 {
		x = c.emit.Transpose(x, 1, 0)
	}
	return x
}

// untilStop are num numbers from start in equal steps to stop, which is not among them. This is
// linspace with endpoint=False: start + i·(stop - start)/num.
func (c *Call) untilStop() V {
	e := c.emit
	n := c.number("num", c.Arg("num"), onnx.Int64)
	first := c.Number("start", onnx.Double)
	step := e.over(e.sub(c.Number("stop", onnx.Double), first), e.Cast(n, onnx.Double))
	return e.add(e.mul(e.Cast(e.rangeTo(n), onnx.Double), step), first)
}

// nanless lowers functions that leave out what is no number, nan, where they share a rule with
// one that does not. Integers have no NaN, so their rule is the plain one. without gets the
// operand and a mask of its NaNs.
func nanless(rule func(c *Call), without func(c *Call, x, nan V) V) func(c *Call) {
	return func(c *Call) {
		if x := c.Type("a"); !strings.HasPrefix(lastName(c.Node.Called), "nan") || !x.DType.IsFloat() {
			rule(c)
			return
		}
		c.noOptions()
		x, d := c.Tensor("a"), c.OutDType(0)
		c.Return(c.emit.Cast(without(c, x, c.emit.Op("IsNaN", In(x))), d))
	}
}

// nanExtreme is the greatest or least number, and of none NaN. NaNs are replaced by the type's
// limit; where all elements are NaN (the minimum of the mask is 1) the result is NaN, as NumPy
// has it.
func nanExtreme(op string, limit func(e *Emitter, d onnx.DType) V) func(c *Call, x, nan V) V {
	return func(c *Call, x, nan V) V {
		e := c.emit
		axes, keep := c.numpyAxes(), c.Bool("keepdims")
		none := e.Cast(c.reduceDims("ReduceMin", e.Cast(nan, onnx.Int32), axes, keep), onnx.Bool)
		return e.either(none, e.Scalar(x.DType, nanValue), c.reduceDims(op, e.either(nan, limit(e, x.DType), x), axes, keep))
	}
}

// nanPlace is where the greatest or least number is. NaNs are replaced by the limit, so they are
// never the place, unless all are.
func nanPlace(op string, limit func(e *Emitter, d onnx.DType) V) func(c *Call, x, nan V) V {
	return func(c *Call, x, nan V) V {
		e := c.emit
		y, axis := e.either(nan, limit(e, x.DType), x), int64(0)
		switch {
		case c.Has("axis"):
			axis = c.Axis("axis", c.Rank("a"))
		case c.Bool("keepdims"):
			failf("keepdims= without an axis is not written")
		default:
			y = e.flat(y)
		}
		at := e.Op(op, In(y), onnx.IntAttr("axis", axis), boolAttr("keepdims", c.Bool("keepdims")))
		at.DType = onnx.Int64
		return at
	}
}

// nanCumulated adds up along an axis; without one, all elements. NaNs count as 0 in the sum.
func nanCumulated(c *Call, x, nan V) V {
	e := c.emit
	x = e.Cast(e.either(nan, e.Scalar(x.DType, 0), x), c.OutDType(0))
	if c.Has("axis") {
		return e.cumsum(x, c.Rank("a"), c.Axis("axis", c.Rank("a")))
	}
	return e.cumsum(e.flat(x), 1, 0)
}

// noNaNs refuses functions that leave out what is no number, where they share the record of one
// that does not. Without it a function that ignores NaN would be written as one that does not.
func (c *Call) noNaNs() {
	if t := c.Type(c.Node.Args[0].Name); t != nil && t.DType.IsIntegralOrBool() {
		return
	}
	if strings.HasPrefix(lastName(c.Node.Called), "nan") && !strings.HasPrefix(lastName(c.Node.Op), "nan") {
		failf("it is not written without what is no number")
	}
}

// numpyAxes are the axes of a reduction: all without axis. axis=() means no axes in NumPy;
// PyTorch's functions take an empty list for all.
func (c *Call) numpyAxes() []int64 {
	if t, ok := c.Arg("axis").(graph.Tuple); ok && len(t) == 0 {
		failf("a reduction of no axes is not written") // PyTorch's of none is of all
	}
	return c.Axes("axis", c.Rank(c.Node.Args[0].Name))
}

// reduced is a reduction of PyTorch's.
func reduced(op, more string) func(c *Call) {
	return reducedWith("a", func(c *Call) { adaptRecord(op, strings.TrimSpace("input=a dim=axis keepdim=keepdims"+more))(c) })
}

// reducedWith takes out, where and initial; rule does the rest. The array is the parameter name.
// where selects elements and initial is one more of them; both have a general form (partly). With
// out= the result is rounded to that array's dtype first, as NumPy computes into it.
func reducedWith(name string, rule func(c *Call)) func(c *Call) {
	return func(c *Call) {
		called := lastName(strings.TrimSuffix(c.Node.Op, ".reduce"))
		folds := map[string]string{"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all",
			"logical_or": "any"}
		if f := folds[called]; f != "" && name == "array" {
			called = f
		}
		mask := c.Arg("where")
		if c.Arg("out") == nil && (mask == nil || mask == graph.Bool(true)) && !c.Has("initial") {
			c.noNaNs()
			c.numpyAxes()
			rule(c)
			return
		}
		out := c.Arg("out")
		c.dropArguments("out")
		c.noNaNs()
		c.numpyAxes()
		if !c.partly(called) {
			rule(c)
		}
		if v, ok := out.(*graph.Value); ok {
			y := c.emit.Cast(c.outs[0], c.dtype(v.Type.DType))
			c.outs[0] = c.emit.Cast(y, c.OutDType(0))
		} else if out != nil {
			failf("several arrays in out= are not written")
		}
	}
}

// reducedBy is the rule of the method reduce of a universal function.
func reducedBy(op string) func(c *Call) {
	return reducedWith("array", func(c *Call) { adaptRecord(op, "input=array dim=axis keepdim=keepdims")(c) })
}

// cumulated goes along an axis; without one, along all elements. Without an axis the array is
// flattened, which cumsum has a form for; the other functions are written for one dimension.
func cumulated(op string) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		c.noOptions()
		c.noNaNs()
		if c.Rank("a") == 0 { // becomes an array of one element
			c.Return(e.flat(c.first()))
			return
		}
		if c.Has("axis") {
			adaptRecord(op, "input=a dim=axis")(c)
			return
		}
		if c.Rank("a") != 1 {
			if op != "torch.cumsum" {
				failf("without an axis it is written for arrays of one dimension")
			}
			d := c.OutDType(0)
			c.Return(e.Cast(e.cumsum(e.flat(e.Cast(c.first(), workType(d))), 1, 0), d))
			return
		}
		c.rename(op, "input=a", graph.Arg{Name: "dim", Value: graph.Int(0)})
		index()[op].Lower(c)
	}
}

package aten

// This file lowers what makes arrays of NumPy and what reduces and reorders them.

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
			c.Failf("only numbers between two numbers are written")
		}
		if !c.Bool("endpoint") {
			c.Return(c.Cast(c.untilStop(), c.OutDType(0)))
			return
		}
		adaptRecord("torch.linspace", "start=start end=stop steps=num")(c)
	}},
	{Op: "numpy.logspace", Lower: func(c *Call) {
		if c.Int("axis") != 0 || c.OutRank(0) != 1 {
			c.Failf("only numbers between two numbers are written")
		}
		if !c.Bool("endpoint") {
			c.Return(c.Cast(c.Op("Pow", In(c.Number("base", onnx.Double), c.untilStop())), c.OutDType(0)))
			return
		}
		adaptRecord("torch.logspace", "start=start end=stop steps=num base=base")(c)
	}},
	{Op: "numpy.eye", Lower: func(c *Call) {
		if n, ok := ConstInt(c.Arg("k")); c.Has("k") && (!ok || n != 0) {
			rows := c.number("N", c.Arg("N"), onnx.Int64)
			cols := rows
			if c.Has("M") {
				cols = c.number("M", c.Arg("M"), onnx.Int64)
			}
			at := c.add(c.rangeTo(rows), c.number("k", c.Arg("k"), onnx.Int64))
			c.Return(c.Cast(c.Op("Equal", In(c.Unsqueeze(at, 1), c.Unsqueeze(c.rangeTo(cols), 0))), c.OutDType(0)))
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
			c.Failf("that of a vector is not written")
		}
		adaptRecord("torch.tril", "self=m diagonal=k")(c) // whose rule reads the name that was called
	}},

	{Op: "numpy.sum", Lower: reduced("torch.sum", "")},
	{Op: "numpy.prod numpy.nanprod", Lower: nanless(reduced("torch.prod", ""), func(c *Call, x, nan V) V {
		return c.reduceDims("ReduceProd", c.either(nan, c.Scalar(x.DType, 1), x), c.numpyAxes(), c.Bool("keepdims"))
	})},
	{Op: "numpy.mean", Lower: reduced("torch.mean", "")},
	{Op: "numpy.max numpy.nanmax", Lower: nanless(reduced("torch.amax", ""), nanExtreme("ReduceMax", (*Call).lowest))},
	{Op: "numpy.min numpy.nanmin", Lower: nanless(reduced("torch.amin", ""), nanExtreme("ReduceMin", (*Call).highest))},
	{Op: "numpy.any", Lower: reduced("torch.any", "")},
	{Op: "numpy.all", Lower: reduced("torch.all", "")},
	{Op: "numpy.nansum", Lower: reduced("torch.nansum", "")},
	{Op: "numpy.nanmean", Lower: reduced("torch.nanmean", "")},
	{Op: "numpy.std numpy.var", Lower: func(c *Call) {
		reduced("torch."+lastName(c.Node.Called), " correction=ddof")(c)
	}},
	{Op: "numpy.argmax numpy.nanargmax", Lower: nanless(reduced("torch.argmax", ""), nanPlace("ArgMax", (*Call).lowest))},
	{Op: "numpy.argmin numpy.nanargmin", Lower: nanless(reduced("torch.argmin", ""), nanPlace("ArgMin", (*Call).highest))},
	{Op: "numpy.ptp", Lower: func(c *Call) {
		c.noOptions()
		x := c.Cast(c.first(), workType(c.OutDType(0)))
		axes, keep := c.numpyAxes(), c.Bool("keepdims")
		c.Return(c.Cast(c.sub(c.reduceDims("ReduceMax", x, axes, keep), c.reduceDims("ReduceMin", x, axes, keep)), c.OutDType(0)))
	}},
	{Op: "numpy.count_nonzero", Lower: func(c *Call) {
		x := c.Cast(c.Cast(c.Tensor("a"), onnx.Bool), onnx.Int64)
		c.Return(c.reduceDims("ReduceSum", x, c.numpyAxes(), c.Bool("keepdims")))
	}},
	{Op: "numpy.nonzero", Lower: func(c *Call) { c.Return(c.nonzeroColumns(c.Tensor("a"), c.Rank("a"))...) }},
	{Op: "numpy.flatnonzero", Lower: func(c *Call) { c.Return(c.nonzeroColumns(c.flat(c.Tensor("a")), 1)...) }},
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
		for _, name := range [...]string{"axisa", "axisb", "axisc"} {
			if n, ok := ConstInt(c.Arg(name)); c.Arg(name) != nil && (!ok || n != -1) {
				c.Failf("of other axes than the last one it is not written")
			}
		}
		for _, name := range [...]string{"a", "b"} {
			three := false
			if s := c.Type(name).Shape; len(s) > 0 && !c.Has("axis") {
				n, ok := s[len(s)-1].Const()
				three = ok && n == 3
			}
			if !three {
				c.Failf("it is written for arrays of vectors of three numbers along the last axis")
			}
		}
		d := c.OutDType(0)
		x, y := c.Operand("a", workType(d)), c.Operand("b", workType(d))
		turn := func(x V, order ...int64) V { return c.Op("Gather", In(x, c.I64(order...)), onnx.IntAttr("axis", -1)) }
		c.Return(c.Cast(c.sub(c.mul(turn(x, 1, 2, 0), turn(y, 2, 0, 1)), c.mul(turn(x, 2, 0, 1), turn(y, 1, 2, 0))), d))
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
		c.Return(c.covariance(x, c.Scalar(x.DType, correction)))
	}},
	{Op: "numpy.corrcoef", Lower: func(c *Call) { c.Return(c.correlation(c.observations("x"))) }},
	{Op: "numpy.cumsum numpy.nancumsum", Lower: nanless(cumulated("torch.cumsum"), nanCumulated)},
	{Op: "numpy.cumprod", Lower: cumulated("torch.cumprod")},
	{Op: "numpy.nancumprod", Lower: func(c *Call) { // of integers it is cumprod
		if !c.Type("a").DType.IsIntegralOrBool() {
			c.Failf("it is not written without what is no number")
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

// numpyAverage is the mean of elements with weights.
func numpyAverage(c *Call) {
	if c.Bool("returned") {
		c.Failf("the sum of the weights is not written")
	}
	if !c.Has("weights") {
		reduced("torch.mean", "")(c)
		return
	}
	c.noOptions()
	d, rank := c.OutDType(0), c.Rank("a")
	axes, keep := c.numpyAxes(), c.Bool("keepdims")
	x, w := c.Cast(c.Tensor("a"), d), c.data(c.Arg("weights"), d)
	switch n := c.operandRank("weights"); {
	case n == rank:
	case n == 1 && len(axes) == 1: // they lie along the axis
		w = c.Op("Reshape", In(w, c.I64(onesBut(rank, axes[0], -1)...)))
	default:
		c.Failf("weights of other dimensions than the array's are not written")
	}
	w = c.Op("Expand", In(w, c.Shape(x)))
	c.Return(c.over(c.reduceDims("ReduceSum", c.mul(x, w), axes, keep), c.reduceDims("ReduceSum", w, axes, keep)))
}

// operandRank is how many dimensions an argument has that becomes an array.
func (c *Call) operandRank(name string) int {
	switch o := c.Arg(name).(type) {
	case graph.List, graph.Tuple:
		_, dims := c.flatten(o)
		return len(dims)
	case *graph.Value:
		return c.rankOf(o)
	}
	return 0
}

// onesBut is a shape of ones, but for n at an axis.
func onesBut(rank int, axis, n int64) []int64 {
	s := ones(rank)
	s[axis] = n
	return s
}

// uncomputed refuses the arrays without elements that our preludes give in the place of results.
func uncomputed(rule func(c *Call)) func(c *Call) {
	return func(c *Call) {
		if c.Node.Lib {
			c.Failf("what the function computes is not written")
		}
		rule(c)
	}
}

// numpyFull fills a shape with one number.
func numpyFull(shape func(c *Call) V) func(c *Call) {
	return func(c *Call) {
		if v, ok := c.Arg("fill_value").(*graph.Value); ok && v.Kind == graph.TensorKind && v.Type.Rank() != 0 {
			c.Failf("an array as fill_value is not written")
		}
		fill := c.scalarOf("fill_value", c.OutDType(0))
		c.Return(c.Op("Expand", In(fill, shape(c))))
	}
}

// numpyLike is of the shape of its first argument.
func numpyLike(rule func(c *Call)) func(c *Call) {
	return func(c *Call) {
		if c.Has("shape") {
			c.Failf("shape= is not written")
		}
		more := ""
		if c.Has("fill_value") {
			more = " fill_value=fill_value"
		}
		c.rename("torch.zeros_like", "input=a"+more)
		rule(c)
	}
}

// extremeSoFar is the greatest or least element so far along an axis.
func extremeSoFar(op string) func(c *Call) {
	return func(c *Call) {
		c.noOptions()
		adaptRecord(op, "input=array dim=axis")(c)
		c.outs = c.outs[:1]
	}
}

// observations are the variables of cov and corrcoef, one in each row, by the name that each has for them.
func (c *Call) observations(name string) V {
	if c.Has("y") || c.Has("fweights") || c.Has("aweights") {
		c.Failf("y= and weights of observations are not written")
	}
	d, rank := c.OutDType(0), c.Rank(name)
	c.rename(c.Node.Op, "input="+name+" bias=bias ddof=ddof rowvar=rowvar")
	x := c.Cast(c.Tensor("input"), d)
	if !c.Bool("rowvar") && rank == 2 {
		x = c.Transpose(x, 1, 0)
	}
	return x
}

// untilStop are num numbers from start in equal steps to stop, which is not among them.
func (c *Call) untilStop() V {
	n := c.number("num", c.Arg("num"), onnx.Int64)
	first := c.Number("start", onnx.Double)
	step := c.over(c.sub(c.Number("stop", onnx.Double), first), c.Cast(n, onnx.Double))
	return c.add(c.mul(c.Cast(c.rangeTo(n), onnx.Double), step), first)
}

// nanless lowers functions that leave out what is no number, nan, where they share a rule with one that does not.
func nanless(rule func(c *Call), without func(c *Call, x, nan V) V) func(c *Call) {
	return func(c *Call) {
		if x := c.Type("a"); !strings.HasPrefix(lastName(c.Node.Called), "nan") || !x.DType.IsFloat() {
			rule(c)
			return
		}
		c.noOptions()
		x, d := c.Tensor("a"), c.OutDType(0)
		c.Return(c.Cast(without(c, x, c.Op("IsNaN", In(x))), d))
	}
}

// nanExtreme is the greatest or least number, and of none NaN.
func nanExtreme(op string, limit func(c *Call, d onnx.DType) V) func(c *Call, x, nan V) V {
	return func(c *Call, x, nan V) V {
		axes, keep := c.numpyAxes(), c.Bool("keepdims")
		none := c.Cast(c.reduceDims("ReduceMin", c.Cast(nan, onnx.Int32), axes, keep), onnx.Bool)
		return c.either(none, c.Scalar(x.DType, nanValue), c.reduceDims(op, c.either(nan, limit(c, x.DType), x), axes, keep))
	}
}

// nanPlace is where the greatest or least number is.
func nanPlace(op string, limit func(c *Call, d onnx.DType) V) func(c *Call, x, nan V) V {
	return func(c *Call, x, nan V) V {
		y, axis := c.either(nan, limit(c, x.DType), x), int64(0)
		switch {
		case c.Has("axis"):
			axis = c.Axis("axis", c.Rank("a"))
		case c.Bool("keepdims"):
			c.Failf("keepdims= without an axis is not written")
		default:
			y = c.flat(y)
		}
		at := c.Op(op, In(y), onnx.IntAttr("axis", axis), boolAttr("keepdims", c.Bool("keepdims")))
		at.DType = onnx.Int64
		return at
	}
}

// nanCumulated adds up along an axis; without one, all elements.
func nanCumulated(c *Call, x, nan V) V {
	x = c.Cast(c.either(nan, c.Scalar(x.DType, 0), x), c.OutDType(0))
	if c.Has("axis") {
		return c.cumsum(x, c.Rank("a"), c.Axis("axis", c.Rank("a")))
	}
	return c.cumsum(c.flat(x), 1, 0)
}

// noNaNs refuses functions that leave out what is no number, where they share the record of one that does not.
func (c *Call) noNaNs() {
	if t := c.Type(c.Node.Args[0].Name); t != nil && t.DType.IsIntegralOrBool() {
		return
	}
	if strings.HasPrefix(lastName(c.Node.Called), "nan") && !strings.HasPrefix(lastName(c.Node.Op), "nan") {
		c.Failf("it is not written without what is no number")
	}
}

// numpyAxes are the axes of a reduction: all without axis.
func (c *Call) numpyAxes() []int64 {
	if t, ok := c.Arg("axis").(graph.Tuple); ok && len(t) == 0 {
		c.Failf("a reduction of no axes is not written") // PyTorch's of none is of all
	}
	return c.Axes("axis", c.Rank(c.Node.Args[0].Name))
}

// reduced is a reduction of PyTorch's.
func reduced(op, more string) func(c *Call) {
	return reducedWith("a", func(c *Call) { adaptRecord(op, strings.TrimSpace("input=a dim=axis keepdim=keepdims"+more))(c) })
}

// reducedWith takes out, where and initial; rule does the rest. The array is the parameter name.
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
			y := c.Cast(c.outs[0], c.dtype(v.Type.DType))
			c.outs[0] = c.Cast(y, c.OutDType(0))
		} else if out != nil {
			c.Failf("several arrays in out= are not written")
		}
	}
}

// reducedBy is the rule of the method reduce of a universal function.
func reducedBy(op string) func(c *Call) {
	return reducedWith("array", func(c *Call) { adaptRecord(op, "input=array dim=axis keepdim=keepdims")(c) })
}

// cumulated goes along an axis; without one, along all elements.
func cumulated(op string) func(c *Call) {
	return func(c *Call) {
		c.noOptions()
		c.noNaNs()
		if c.Rank("a") == 0 { // becomes an array of one element
			c.Return(c.flat(c.first()))
			return
		}
		if c.Has("axis") {
			adaptRecord(op, "input=a dim=axis")(c)
			return
		}
		if c.Rank("a") != 1 {
			if op != "torch.cumsum" {
				c.Failf("without an axis it is written for arrays of one dimension")
			}
			d := c.OutDType(0)
			c.Return(c.Cast(c.cumsum(c.flat(c.Cast(c.first(), workType(d))), 1, 0), d))
			return
		}
		c.rename(op, "input=a", graph.Arg{Name: "dim", Value: graph.Int(0)})
		index()[op].Lower(c)
	}
}

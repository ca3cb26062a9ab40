package numpy

// This file holds numpy.random. Classes (RandomState, Generator) are Python code
// that calls these functions.

import (
	"slices"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// drawn makes the record of a distribution with so many parameters.
func drawn(names, params string, d dtype.DType, doc string) ops.Op {
	return array(names, "("+params+"any size=None, any dtype=None, any out=None, any method=None)", func(c *ops.Call) value.Value {
		var ps []value.Value
		for i := range c.Sig.Params {
			if p := &c.Sig.Params[i]; p.Name == "size" {
				break
			}
			ps = append(ps, c.Args[i])
		}
		return draw(c, arrayDType(c, d), ps)
	}, doc)
}

func arrayRandomOps() []ops.Op {
	return []ops.Op{
		array("random.rand", "(*size)", func(c *ops.Call) value.Value { return drawSized(c, dtype.F64, c.Rest()) }, "uniform numbers of sizes"),
		array("random.randn", "(*size)", func(c *ops.Call) value.Value { return drawSized(c, dtype.F64, c.Rest()) }, "normal numbers of sizes"),
		drawn("random.random random.random_sample random.ranf random.sample random.standard_normal random.standard_exponential random.standard_cauchy", "", dtype.F64, "numbers of a standard distribution"),
		drawn("random.uniform", "any low=0.0, any high=1.0, ", dtype.F64, "uniform numbers"),
		drawn("random.normal random.laplace random.logistic random.gumbel random.lognormal", "any loc=0.0, any scale=1.0, ", dtype.F64, "numbers of a distribution with a place and a scale"),
		drawn("random.exponential random.rayleigh", "any scale=1.0, ", dtype.F64, "numbers of a distribution with a scale"),
		drawn("random.gamma", "any shape, any scale=1.0, ", dtype.F64, "gamma-distributed numbers"),
		drawn("random.beta random.f", "any a, any b, ", dtype.F64, "numbers of a distribution with two parameters"),
		drawn("random.standard_gamma random.chisquare random.pareto random.weibull random.power random.standard_t", "any a, ", dtype.F64, "numbers of a distribution with one parameter"),
		drawn("random.triangular", "any left, any mode, any right, ", dtype.F64, "triangular-distributed numbers"),
		drawn("random.poisson", "any lam=1.0, ", dtype.I64, "Poisson-distributed integers"),
		drawn("random.geometric random.logseries random.zipf", "any p, ", dtype.I64, "integers of a distribution"),
		drawn("random.binomial random.negative_binomial", "any n, any p, ", dtype.I64, "binomially distributed integers"),
		array("random.randint random.integers", "(any low, any high=None, any size=None, any dtype=None, any endpoint=False)", randintArray, "integers of a range"),
		array("random.choice", "(any a, any size=None, any replace=True, any p=None, any axis=0, any shuffle=True)", choiceArray, "elements by chance"),
		array("random.permutation", "(any x, any axis=0)", func(c *ops.Call) value.Value {
			if n, ok := value.AsDim(c.P, value.Plain(c.Value("x"))); ok {
				return c.Out(dtype.I64, symshape.Shape{n})
			}
			t := arrayArg(c, "x")
			if t == nil {
				return nil
			}
			return c.Like(t, t.Type().DType)
		}, "a shuffled copy, or shuffled indices"),
		array("random.shuffle", "(any x, any axis=0)", func(c *ops.Call) value.Value {
			switch x := c.Value("x").(type) {
			case *value.Tensor:
				changed(c, x)
			case *value.List:
				if len(x.Elems) > 1 && !sameElems(x.Elems) {
					c.Th.Heap().Touch(x)
					u := c.Th.Unknown("the order of a shuffled list")
					for i := range x.Elems {
						x.Elems[i] = u
					}
				}
			}
			return value.None
		}, "shuffles in place"),
		array("random.dirichlet", "(any alpha, any size=None)", drawnVectors("alpha", dtype.F64), "Dirichlet-distributed vectors"),
		array("random.multivariate_normal", "(any mean, any cov, any size=None, any check_valid='warn', any tol=1e-08, *, any method=None)", drawnVectors("mean", dtype.F64), "normally distributed vectors"),
		array("random.multinomial", "(any n, any pvals, any size=None)", drawnVectors("pvals", dtype.I64), "counts of draws"),
	}
}

func sameElems(elems []value.Value) bool {
	for _, e := range elems[1:] {
		if e != elems[0] {
			return false
		}
	}
	return true
}

// drawSized gives a Python float without sizes.
func drawSized(c *ops.Call, d dtype.DType, sizes []value.Value) value.Value {
	if len(sizes) == 0 {
		return &value.SymFloat{}
	}
	s := arrayShape(c, value.NewTuple(sizes...))
	if !c.OK() {
		return nil
	}
	return c.Out(d, s)
}

// draw makes numbers of the parameter size, else of the shape to which the
// distribution's parameters broadcast, else a Python number.
func draw(c *ops.Call, d dtype.DType, params []value.Value) value.Value {
	var shapes []symshape.Shape
	for _, p := range params {
		if ops.NumberKind(p) != dtype.KindInvalid {
			continue
		}
		t := ToArray(c, p)
		if t == nil {
			return nil
		}
		shapes = append(shapes, c.Shape(t))
	}
	if !c.OK() {
		return nil
	}
	if !c.Has("size") {
		if len(shapes) == 0 {
			if d.IsFloat() {
				return &value.SymFloat{}
			}
			return c.Th.DataInt("i", 0, nil)
		}
		s, _, ok := c.Broadcast(shapes...)
		if !ok {
			return c.Errorf("ValueError", diag.ShapeMismatch, "%s(): the parameters cannot be broadcast together", c.Short())
		}
		return c.Out(d, s)
	}
	s := arrayShape(c, c.Value("size"))
	if !c.OK() {
		return nil
	}
	for _, p := range shapes {
		if !c.BroadcastsTo(p, s) {
			return c.Errorf("ValueError", diag.ShapeMismatch, "%s(): a parameter of shape %s does not broadcast to the size %s", c.Short(), p, s)
		}
	}
	return KeepArray(c, c.Out(d, s))
}

func randintArray(c *ops.Call) value.Value {
	lo, hi := value.Plain(c.Value("low")), value.Plain(c.Value("high"))
	if hi == value.None {
		lo, hi = value.Int(0), lo
	}
	d := arrayDType(c, dtype.I64)
	if !c.OK() {
		return nil
	}
	if c.Has("size") || ops.NumberKind(lo) == dtype.KindInvalid || ops.NumberKind(hi) == dtype.KindInvalid {
		var ps []value.Value
		for _, p := range [...]value.Value{lo, hi} {
			if ops.NumberKind(p) == dtype.KindInvalid {
				ps = append(ps, p)
			}
		}
		return draw(c, d, ps)
	}
	a, ok1 := value.AsFloat(lo)
	b, ok2 := value.AsFloat(hi)
	if ok1 && ok2 && a >= b && !(a == b && c.Value("endpoint") == value.Value(value.Bool(true))) {
		return c.Errorf("ValueError", diag.BadValue, "%s(): low %v is not below high %v", c.Short(), a, b)
	}
	if ok1 && a >= 0 {
		return c.Th.DataInt("i", int64(a), nil)
	}
	return &value.SymInt{}
}

func choiceArray(c *ops.Call) value.Value {
	var d dtype.DType
	shape := symshape.Shape{}
	var from *value.Tensor
	if _, ok := value.AsDim(c.P, value.Plain(c.Value("a"))); ok {
		d = dtype.I64
	} else {
		if from = arrayArg(c, "a"); from == nil {
			return nil
		}
		s := c.Shape(from)
		if !c.OK() {
			return nil
		}
		if len(s) == 0 {
			return c.Errorf("ValueError", diag.RankMismatch, "choice(): a must be an int or have a dimension")
		}
		d, shape = from.Type().DType, s[1:]
	}
	if c.Has("size") {
		shape = append(arrayShape(c, c.Value("size")), shape...)
		if !c.OK() {
			return nil
		}
		return KeepArray(c, c.Out(d, shape))
	}
	if from == nil {
		return c.Th.DataInt("i", 0, nil)
	}
	return c.Out(d, shape)
}

// drawnVectors is the rule of distributions over vectors: size is the shape in front of
// that of the argument, which has a number for each element of a vector.
func drawnVectors(name string, d dtype.DType) func(c *ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := arrayArg(c, name)
		if t == nil {
			return nil
		}
		var s symshape.Shape
		if c.Has("size") {
			s = arrayShape(c, c.Value("size"))
		}
		return c.Out(d, append(slices.Clone(s), c.Shape(t)...))
	}
}

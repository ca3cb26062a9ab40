package numpy

// This file holds numpy.random. Classes (RandomState, Generator) are Python code that
// calls these functions; "_g_" begins those that are otherwise for a Generator. All functions but
// those that give vectors take size=, the shape of the result. Without it the shape is that to
// which the parameters broadcast, and a single number where those are numbers. Numbers that are
// drawn are not known: an integer is a fresh symbol of the data, within its bounds where these are
// known.

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

// A domain is what a parameter of a distribution must lie in.
type domain struct {
	// The name of the parameter.
	param string
	// The bounds, of which the upper one belongs to the domain, and the lower one unless open is
	// set.
	least float64
	most  float64
	open  bool // least itself is outside
}

var unbounded = math.Inf(1)

// atLeast0 and above0 are domains of parameters.
func atLeast0(name string) domain { return domain{name, 0, unbounded, false} }
func above0(name string) domain   { return domain{name, 0, unbounded, true} }

// chance is the domain of a probability.
func chance(name string) domain { return domain{name, 0, 1, false} }

// drawn makes the record of distributions with parameters.
func drawn(names, params string, d dtype.DType, doc string, domains ...domain) ops.Op {
	return distribution(names, "("+params+"any size=None)", d, doc, domains)
}

// distribution makes the record of a distribution by its signature: the parameters are what comes before size=,
// broadcast to each other and to it, and domains are the values that they may have. Without size= and with
// numbers alone the result is one number.
func distribution(names, sig string, d dtype.DType, doc string, domains []domain) ops.Op {
	return array(names, sig, func(c *ops.Call) value.Value {
		// The parameters before size= are those of the distribution, in their order.
		var ps []value.Value
		for i := range c.Sig.Params {
			name := c.Sig.Params[i].Name
			if name == "size" {
				break
			}
			v := c.Args[i]
			if s := notNumber(v); s != "" {
				return c.Errorf("TypeError", diag.TypeMismatch, "%s(): argument '%s' must be numbers, not %s", c.Short(), name, s)
			}
			// Complex numbers cannot be cast to those of the distribution.
			if t, ok := v.(*value.Tensor); ok && !canCast(t.Type().DType, dtype.F64, "same_kind") {
				return c.Errorf("TypeError", diag.DTypeMismatch, "%s(): argument '%s' must be real, not %s", c.Short(), name, t)
			}
			ps = append(ps, v)
		}
		for _, dom := range domains {
			dom.check(c)
		}
		if c.HasParam("nsample") {
			enoughItems(c)
		}
		if !c.OK() {
			return nil
		}
		// A Generator's dtype= may ask for float32.
		d := arrayDType(c, d)
		if c.OK() && c.HasParam("dtype") && d != dtype.F32 && d != dtype.F64 && d != dtype.Unknown {
			return c.Errorf("TypeError", diag.DTypeMismatch, "%s() does not draw %s", c.Short(), d.Numpy())
		}
		return draw(c, d, ps)
	}, doc).With(ops.Op{Is: graph.NewInRows})
}

// enoughItems refuses more items to draw than there are, where all numbers are known.
func enoughItems(c *ops.Call) {
	var n [3]float64
	for i, name := range [...]string{"ngood", "nbad", "nsample"} {
		x, ok := value.AsFloat(value.Plain(c.Value(name)))
		if n[i] = x; !ok {
			return
		}
	}
	if n[0]+n[1] < n[2] && c.OK() {
		c.Errorf("ValueError", diag.BadValue, "%s(): nsample = %g is more than ngood + nbad = %g", c.Short(), n[2], n[0]+n[1])
	}
}

// check refuses numbers outside of the domain (ValueError): the parameter itself, or each known
// element of an array or sequence. nan is outside of every domain.
func (d domain) check(c *ops.Call) {
	v := value.Plain(c.Value(d.param))
	xs := []value.Value{v}
	switch x := v.(type) {
	case *value.Tensor:
		xs = x.Contents()
	case *value.List:
		xs = x.Elems
	case *value.Tuple:
		xs = x.Elems
	}
	for _, e := range xs {
		x, ok := value.AsFloat(value.Plain(e))
		if ok && (x < d.least || x > d.most || d.open && x == d.least || math.IsNaN(x)) {
			c.Errorf("ValueError", diag.BadValue, "%s(): %s = %g is out of its range", c.Short(), d.param, x)
			return
		}
	}
}

// Beginnings and wholes of signatures that several records share.
const (
	place    = "any loc=0.0, any scale=1.0, "
	standard = "(any size=None)"
	precise  = "(any size=None, any dtype=None, any out=None)"
)

// arrayRandomOps lists numpy.random. Parameters of a distribution broadcast to each other and to size=;
// the domains of an entry are the values that its parameters may have. Names that start with _g_ are
// methods of Generator.
func arrayRandomOps() []ops.Op {
	return []ops.Op{
		array("random.rand", "(*size)", func(c *ops.Call) value.Value { return drawSized(c, dtype.F64, c.Rest()) }, "uniform numbers of sizes").
			With(ops.Op{Is: graph.NewInRows, Trace: ops.ComparesNumbers | ops.Draws | ops.DrawsUnit | ops.DrawsInGraph}),
		array("random.randn", "(*size)", func(c *ops.Call) value.Value { return drawSized(c, dtype.F64, c.Rest()) }, "normal numbers of sizes").
			With(ops.Op{Is: graph.NewInRows, Trace: ops.ComparesNumbers | ops.Draws | ops.DrawsInGraph}),
		distribution("random.random random.random_sample random.ranf random.sample", standard, dtype.F64, "uniform numbers", nil).
			With(ops.Op{Trace: ops.DrawsUnit | ops.DrawsInGraph}),
		distribution("random.standard_normal", standard, dtype.F64, "normal numbers", nil),
		distribution("random.standard_exponential", standard, dtype.F64, "exponentially distributed numbers", nil),
		distribution("random.standard_cauchy", standard, dtype.F64, "Cauchy-distributed numbers", nil),
		distribution("random._g_random", precise, dtype.F64, "uniform numbers", nil),
		distribution("random._g_standard_normal", precise, dtype.F64, "normal numbers", nil),
		distribution("random._g_standard_exponential", "(any size=None, any dtype=None, any method='zig', any out=None)", dtype.F64,
			"exponentially distributed numbers", nil),
		distribution("random._g_standard_gamma", "(any shape, any size=None, any dtype=None, any out=None)", dtype.F64,
			"gamma-distributed numbers", []domain{atLeast0("shape")}),
		array("random.uniform", "(any low=0.0, any high=1.0, any size=None)", uniformArray, "uniform numbers").
			With(ops.Op{Is: graph.NewInRows, Trace: ops.DrawsInGraph}),
		drawn("random.normal", place, dtype.F64, "normal numbers", atLeast0("scale")).With(ops.Op{Trace: ops.Draws | ops.DrawsInGraph}),
		drawn("random.laplace", place, dtype.F64, "Laplace-distributed numbers", atLeast0("scale")),
		drawn("random.logistic", place, dtype.F64, "logistically distributed numbers", atLeast0("scale")),
		drawn("random.gumbel", place, dtype.F64, "Gumbel-distributed numbers", atLeast0("scale")),
		drawn("random.lognormal", "any mean=0.0, any sigma=1.0, ", dtype.F64, "log-normally distributed numbers", atLeast0("sigma")),
		drawn("random.vonmises", "any mu, any kappa, ", dtype.F64, "angles around mu", atLeast0("kappa")),
		drawn("random.exponential", "any scale=1.0, ", dtype.F64, "exponentially distributed numbers", atLeast0("scale")),
		drawn("random.rayleigh", "any scale=1.0, ", dtype.F64, "Rayleigh-distributed numbers", atLeast0("scale")),
		drawn("random.gamma", "any shape, any scale=1.0, ", dtype.F64, "gamma-distributed numbers", atLeast0("shape"), atLeast0("scale")),
		drawn("random.beta", "any a, any b, ", dtype.F64, "beta-distributed numbers", above0("a"), above0("b")),
		drawn("random.f", "any dfnum, any dfden, ", dtype.F64, "F-distributed numbers", above0("dfnum"), above0("dfden")),
		drawn("random.standard_gamma", "any shape, ", dtype.F64, "gamma-distributed numbers", atLeast0("shape")),
		drawn("random.chisquare random.standard_t", "any df, ", dtype.F64, "numbers of a distribution with degrees of freedom", above0("df")),
		drawn("random.noncentral_chisquare", "any df, any nonc, ", dtype.F64, "numbers of a distribution with degrees of freedom", above0("df"),
			atLeast0("nonc")),
		drawn("random.noncentral_f", "any dfnum, any dfden, any nonc, ", dtype.F64, "F-distributed numbers", above0("dfnum"), above0("dfden"),
			atLeast0("nonc")),
		drawn("random.wald", "any mean, any scale, ", dtype.F64, "numbers of the inverse Gaussian distribution", above0("mean"), above0("scale")),
		drawn("random.pareto", "any a, ", dtype.F64, "Pareto-distributed numbers", above0("a")),
		drawn("random.power", "any a, ", dtype.F64, "numbers of a distribution with an exponent", above0("a")),
		drawn("random.weibull", "any a, ", dtype.F64, "Weibull-distributed numbers", atLeast0("a")),
		array("random.triangular", "(any left, any mode, any right, any size=None)", triangularArray, "triangular-distributed numbers"),
		drawn("random.poisson", "any lam=1.0, ", dtype.I64, "Poisson-distributed integers", atLeast0("lam")).With(ops.Op{Trace: ops.Draws}),
		drawn("random.geometric", "any p, ", dtype.I64, "integers of a distribution", domain{"p", 0, 1, true}),
		drawn("random.logseries", "any p, ", dtype.I64, "integers of a distribution", chance("p")),
		drawn("random.zipf", "any a, ", dtype.I64, "integers of a distribution", domain{"a", 1, unbounded, true}),
		drawn("random.binomial", "any n, any p, ", dtype.I64, "binomially distributed integers", atLeast0("n"), chance("p")),
		drawn("random.negative_binomial", "any n, any p, ", dtype.I64, "binomially distributed integers", above0("n"), chance("p")),
		drawn("random.hypergeometric", "any ngood, any nbad, any nsample, ", dtype.I64, "integers of a distribution", atLeast0("ngood"),
			atLeast0("nbad"), atLeast0("nsample")),
		array("random.randint", "(any low, any high=None, any size=None, any dtype=None)", randintArray, "integers of a range").
			With(ops.Op{Is: graph.NewInRows, Trace: ops.ComparesNumbers | ops.DrawsSize | ops.Draws | ops.DrawsInGraph}),
		array("random.integers", "(any low, any high=None, any size=None, any dtype=None, any endpoint=False)", randintArray,
			"integers of a range").With(ops.Op{Is: graph.NewInRows}),
		array("random.random_integers", "(any low, any high=None, any size=None)", randomIntegers, "integers of a range with both its ends"),
		array("random.choice", "(any a, any size=None, any replace=True, any p=None)", choiceArray, "elements by chance").
			With(ops.Op{Trace: ops.DrawsChoice}),
		array("random._g_choice", "(any a, any size=None, any replace=True, any p=None, any axis=0, any shuffle=True)", choiceArray,
			"elements by chance"),
		array("random.permutation", "(any x)", permutationArray, "a shuffled copy, or shuffled indices"),
		array("random._g_permutation", "(any x, any axis=0)", permutationArray, "a shuffled copy, or shuffled indices"),
		array("random.permuted", "(any x, *, any axis=None, any out=None)", func(c *ops.Call) value.Value {
			t := arrayArg(c, "x")
			if t == nil {
				return nil
			}
			if c.Has("axis") {
				anAxis(c, c.Value("axis"), len(c.Shape(t)))
			}
			if !c.OK() {
				return nil
			}
			if c.Has("out") {
				return writeReduced(c, c.Value("out"), c.Like(t, t.Type().DType))
			}
			return KeepArray(c, c.Like(t, t.Type().DType))
		}, "each row shuffled by itself"),
		array("random.shuffle", "(any x)", shuffleArray, "shuffles in place").With(ops.Op{Is: graph.Writes}),
		array("random._g_shuffle", "(any x, any axis=0)", shuffleArray, "shuffles in place").With(ops.Op{Is: graph.Writes}),
		array("random.dirichlet", "(any alpha, any size=None)", drawnVectors("alpha", dtype.F64), "Dirichlet-distributed vectors"),
		array("random.multivariate_normal", "(any mean, any cov, any size=None, any check_valid='warn', any tol=1e-08)", multivariateNormal,
			"normally distributed vectors"),
		array("random._g_multivariate_normal", "(any mean, any cov, any size=None, any check_valid='warn', any tol=1e-08, *, any method='svd')",
			multivariateNormal, "normally distributed vectors"),
		array("random.multinomial", "(any n, any pvals, any size=None)", multinomialArray, "counts of draws").
			With(ops.Op{Trace: ops.Draws}),
		array("random.multivariate_hypergeometric", "(any colors, any nsample, any size=None, any method='marginals')",
			drawnVectors("colors", dtype.I64), "counts of draws"),
		arrayPure("random.bytes", "(any length)", func(c *ops.Call) value.Value {
			v := value.Plain(c.Value("length"))
			switch v.(type) {
			case value.Int, *value.SymInt, value.Float, *value.SymFloat, value.Bool:
			default:
				return c.Errorf("TypeError", diag.TypeMismatch, "bytes(): the number of bytes must be an int, not %s", ops.TypeName(v))
			}
			return &value.Abstract{Class: c.Th.Class("bytes")}
		}, "bytes by chance"),
	}
}

// sameElems reports whether all of at least one element are the same value: a shuffle changes
// nothing.
func sameElems(elems []value.Value) bool {
	for _, e := range elems[1:] {
		if e != elems[0] {
			return false
		}
	}
	return true
}

// drawSized is rand and randn, whose arguments are sizes. It gives a Python float without sizes.
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
	// Python's numbers broadcast to everything, and have no shape to look at.
	dims := 0
	for _, p := range params {
		if ops.NumberKind(p) != dtype.KindInvalid {
			continue
		}
		t := ToArray(c, p)
		if t == nil {
			return nil
		}
		shapes = append(shapes, c.Shape(t))
		dims += len(t.Type().Shape)
	}
	if !c.OK() {
		return nil
	}
	if _, isBool := c.Value("size").(value.Bool); isBool {
		return c.Errorf("TypeError", diag.TypeMismatch, "%s(): size must be an int or a tuple of ints, not bool", c.Short())
	}
	// Without size= the parameters decide.
	if !c.Has("size") {
		if dims == 0 {
			if len(shapes) > 0 && c.HasParam("endpoint") { // a Generator keeps an array's kind
				return c.Out(d, symshape.Shape{})
			}
			switch {
			case d == dtype.Unknown:
				return c.Lose("the dtype is not known")
			case d.IsFloat():
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
		fits := c.BroadcastsTo(p, s)
		// A size of one element may be that of limits with more axes, since NumPy only compares
		// numbers of elements.
		if d == dtype.I64 && !fits && len(s) > 0 && ops.IsConst(c.Numel(s), 1) { // limits of ints need only fit the size
			_, _, fits = c.Broadcast(p, s)
		}
		if !fits {
			return c.Errorf("ValueError", diag.ShapeMismatch, "%s(): a parameter of shape %s does not broadcast to the size %s", c.Short(), p, s)
		}
	}
	return KeepArray(c, c.Out(d, s))
}

// bounds reads two numbers, where both are known. A text is refused unless the other is array-like,
// beside which NumPy reads texts as numbers.
func bounds(c *ops.Call, a, b string) (x, y float64, known bool) {
	for _, name := range [...]string{a, b} {
		if s := notNumber(c.Value(name)); s == "str" && (isArrayLike(c.Value(a)) || isArrayLike(c.Value(b))) {
			continue
		} else if s != "" {
			c.Errorf("TypeError", diag.TypeMismatch, "%s(): argument '%s' must be numbers, not %s", c.Short(), name, s)
			return 0, 0, false
		}
	}
	number := func(v value.Value) (float64, bool) {
		if _, isArray := v.(*value.Tensor); isArray {
			return 0, false
		}
		return value.AsFloat(value.Plain(v))
	}
	x, ok1 := number(c.Value(a))
	y, ok2 := number(c.Value(b))
	return x, y, ok1 && ok2
}

// isArrayLike reports whether v is no scalar, so that texts beside it are read as numbers.
func isArrayLike(v value.Value) bool {
	switch v.(type) {
	case *value.Tensor, *value.List, *value.Tuple:
		return true
	}
	return false
}

// uniformArray: the range must be a finite float, of which the ends may be in either order. It is
// an OverflowError if it is not.
func uniformArray(c *ops.Call) value.Value {
	x, y, known := bounds(c, "low", "high")
	if known && math.IsInf(y-x, 0) {
		return c.Errorf("OverflowError", diag.BadValue, "uniform(): the range from %g to %g is too large", x, y)
	}
	if !c.OK() {
		return nil
	}
	for _, name := range [...]string{"low", "high"} {
		if t, ok := c.Value(name).(*value.Tensor); ok && t.Type().DType.IsComplex() {
			return c.Errorf("TypeError", diag.DTypeMismatch, "uniform(): %s must be real, not %s", name, t)
		}
	}
	lo, hi := parsed(c, c.Value("low"), dtype.F64), parsed(c, c.Value("high"), dtype.F64)
	if !c.OK() {
		return nil
	}
	return draw(c, dtype.F64, []value.Value{lo, hi})
}

// triangularArray needs left <= mode <= right, and left below right. What is not known passes.
func triangularArray(c *ops.Call) value.Value {
	l, m, k1 := bounds(c, "left", "mode")
	m2, r, k2 := bounds(c, "mode", "right")
	if !c.OK() {
		return nil
	}
	if k1 && l > m || k2 && m2 > r || k1 && k2 && l == r {
		return c.Errorf("ValueError", diag.BadValue, "triangular(): it must be left <= mode <= right and left < right")
	}
	return draw(c, dtype.F64, []value.Value{c.Value("left"), c.Value("mode"), c.Value("right")})
}

// intArgument refuses None, where an int is needed.
func intArgument(c *ops.Call, name string, v value.Value) {
	if s := notNumber(v); s == "None" {
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): argument '%s' must be an int, not None", c.Short(), name)
	}
}

// randintArray draws integers from [low, high), from [0, low) without high, and with endpoint=True
// including high. The dtype is an integer one or bool, int64 by default, and must hold both ends; the
// range must not be empty. The result is of shape size, or of the broadcast bounds, or a single number.
func randintArray(c *ops.Call) value.Value {
	lo, hi := value.Plain(c.Value("low")), value.Plain(c.Value("high"))
	if intArgument(c, "low", lo); c.OK() { // texts are read as numbers
		lo = parsed(c, lo, dtype.I64)
	}
	if hi == value.None {
		lo, hi = value.Int(0), lo
	} else if intArgument(c, "high", hi); c.OK() {
		hi = parsed(c, hi, dtype.I64)
	}
	d := arrayDType(c, dtype.I64)
	if !c.OK() {
		return nil
	}
	if d != dtype.Unknown && !d.IsIntegralOrBool() {
		return c.Errorf("TypeError", diag.DTypeMismatch, "%s() does not draw %s", c.Short(), d.Numpy())
	}
	// closed says that high itself may be drawn.
	closed := c.HasParam("endpoint") && c.Surely("endpoint")
	a, ok1 := value.AsFloat(lo)
	b, ok2 := value.AsFloat(hi)
	// The largest number that is drawn must be one of the dtype, and the smallest one, too.
	if n, ok := hi.(value.Int); ok && d.IsIntegral() && (!c.HasParam("endpoint") || c.Value("endpoint") == value.Bool(closed)) {
		last := n
		if !closed {
			last--
		}
		if c.CastElem(d, last) != value.Value(last) {
			return c.Errorf("ValueError", diag.BadValue, "%s(): high is out of bounds for %s", c.Short(), d.Numpy())
		}
	}
	if n, ok := lo.(value.Int); ok && d.IsIntegral() && c.CastElem(d, n) != value.Value(n) {
		return c.Errorf("ValueError", diag.BadValue, "%s(): low is out of bounds for %s", c.Short(), d.Numpy())
	}
	if ok1 && ok2 && (a >= b && !closed || a > b) {
		return c.Errorf("ValueError", diag.BadValue, "%s(): low %v is not below high %v", c.Short(), a, b)
	}
	// Limits that are arrays: each known element counts.
	if x, y := largest(c, lo, true), largest(c, hi, false); x >= y && !closed || x > y {
		return c.Errorf("ValueError", diag.BadValue, "%s(): low %v is not below high %v", c.Short(), x, y)
	}
	// An array of draws, of the shape of size= or of the limits.
	if c.Has("size") || ops.NumberKind(lo) == dtype.KindInvalid || ops.NumberKind(hi) == dtype.KindInvalid {
		var ps []value.Value
		for _, p := range [...]value.Value{lo, hi} {
			if ops.NumberKind(p) == dtype.KindInvalid {
				ps = append(ps, p)
			}
		}
		return draw(c, d, ps)
	}
	// A Generator and a dtype of numpy give a scalar of numpy, others an int of Python.
	if c.HasParam("endpoint") || c.Has("dtype") && !builtinType(c.Value("dtype")) {
		return c.Out(d, symshape.Shape{})
	}
	// A single draw is a symbol between its limits.
	n, isInt := lo.(value.Int)
	if top, known := value.AsDim(c.Th.Pool(), hi); isInt && known && top.Expr != nil {
		return value.DataBetween(c.Th, "i", int64(n), c.Th.Pool().AddConst(top.Expr, -1))
	}
	if ok1 && a >= 0 {
		return c.Th.DataInt("i", int64(a), nil)
	}
	return &value.SymInt{}
}

// largest is the largest, or smallest, known element of a limit that is an array; of another one
// that is known it is that, and else what no other limit contradicts: an infinity.
func largest(c *ops.Call, v value.Value, top bool) float64 {
	best := math.Inf(1)
	if top {
		best = math.Inf(-1)
	}
	elems := []value.Value{v}
	if ops.NumberKind(v) == dtype.KindInvalid {
		t := ToArray(c, v)
		if t == nil {
			return best
		}
		elems = t.Contents()
	}
	for _, e := range elems {
		if x, ok := value.AsFloat(e); ok && (x > best) == top {
			best = x
		}
	}
	return best
}

// builtinType reports whether a dtype is named by int or bool of Python.
func builtinType(v value.Value) bool {
	k, ok := v.(*value.Class)
	return ok && k.Module != "numpy"
}

// randomIntegers is the old function that includes its upper end; of one number the range begins at 1.
func randomIntegers(c *ops.Call) value.Value {
	lo, hi := value.Plain(c.Value("low")), value.Plain(c.Value("high"))
	intArgument(c, "low", lo)
	if hi == value.None {
		lo, hi = value.Int(1), lo
	} else {
		intArgument(c, "high", hi)
	}
	a, ok1 := value.AsFloat(lo)
	b, ok2 := value.AsFloat(hi)
	if ok1 && ok2 && a > b {
		return c.Errorf("ValueError", diag.BadValue, "random_integers(): low %v is above high %v", a, b)
	}
	if !c.OK() {
		return nil
	}
	if !c.Has("size") {
		return c.Out(dtype.I64, symshape.Shape{})
	}
	return draw(c, dtype.I64, []value.Value{lo, hi})
}

// choiceArray draws from the integers below a positive a, or from an array: a vector, or along axis for a
// Generator. p is a vector of probabilities that add up to 1, one for each element; without replacement
// size must not exceed the population. size replaces the axis in the array's shape; without it the axis
// goes.
func choiceArray(c *ops.Call) value.Value {
	var d dtype.DType
	var shape symshape.Shape
	var from *value.Tensor
	var population symshape.Dim
	generator := c.HasParam("axis")
	a := value.Plain(c.Value("a"))
	// An integer array without dimensions counts as an int.
	if t, ok := a.(*value.Tensor); ok && t.Type().Ranked && len(t.Type().Shape) == 0 && t.Type().DType.IsIntegral() {
		a = &value.SymInt{}
		if e := t.Contents(); len(e) == 1 {
			a = e[0]
		}
	}
	// Nothing needs to be there to choose from where nothing is drawn.
	some := true // something is drawn
	if c.Has("size") {
		if s := arrayShape(c, c.Value("size")); c.OK() {
			some = !ops.IsConst(c.Numel(s), 0)
		}
	}
	// The population is the integers below a.
	if n, ok := value.AsDim(c.P, a); ok && ops.NumberKind(a) != dtype.KindFloat {
		d, population = dtype.I64, n
		if k, known := n.Const(); known && some && k <= 0 {
			return c.Errorf("ValueError", diag.BadValue, "choice(): a must be positive, but is %d", k)
		}
	} else {
		if k := notNumber(c.Value("a")); k != "" {
			if _, isStr := c.Value("a").(value.Str); isStr || c.Value("a") == value.None {
				return c.Errorf("ValueError", diag.TypeMismatch, "choice(): a must be an int or an array, not %s", ops.TypeName(a))
			}
			return c.Lose("a choice among texts and other objects")
		}
		if from = arrayArg(c, "a"); from == nil {
			return nil
		}
		s := c.Shape(from)
		if !c.OK() {
			return nil
		}
		if len(s) == 0 || !generator && len(s) != 1 {
			return c.Errorf("ValueError", diag.RankMismatch, "choice(): a must be an int or a vector, not %s", from)
		}
		// RandomState draws from vectors only, a Generator along an axis of any array.
		axis := 0
		if generator {
			needInt(c, "axis")
			n, known := ops.DimVal(c.ToDim("axis", c.Value("axis")))
			if !c.OK() {
				return nil
			}
			if !known {
				return c.Lose("the axis is not known")
			}
			if n < -int64(len(s)) || n >= int64(len(s)) {
				return c.Errorf("TypeError", diag.DimOutOfRange, "choice(): axis %d is out of range for %s", int(n), from)
			}
			axis = (int(n) + len(s)) % len(s)
		}
		d, population = from.Type().DType, s[axis]
		if some {
			if ops.IsConst(population, 0) {
				return c.Errorf("ValueError", diag.InvalidSize, "choice(): there is nothing to choose from in %s", from)
			}
		}
		// Each drawn element is a slice across the axis.
		if c.Has("size") {
			size := arrayShape(c, c.Value("size"))
			shape = slices.Concat(s[:axis], size, s[axis+1:])
		} else {
			shape = ops.Without(s, axis)
		}
	}
	if !c.OK() {
		return nil
	}
	if _, open := c.Value("p").(*value.SymFloat); c.Has("p") && !open { // which stands for what is not known
		p := numbers(c, "p")
		if !vector(c, p) {
			return nil
		}
		if _, ok := c.Same(p.Type().Shape[0], population); !ok {
			return c.Errorf("ValueError", diag.ShapeMismatch, "choice(): %s probabilities for %s elements", p.Type().Shape[0], population)
		}
		// The tolerance is wider than NumPy's, so that rounding in the sum is no fault.
		sum, known := 0.0, p.Contents() != nil
		for _, e := range p.Contents() {
			x, ok := value.AsFloat(e)
			known = known && ok
			if ok && x < 0 {
				return c.Errorf("ValueError", diag.BadValue, "choice(): the probability %g is negative", x)
			}
			sum += x
		}
		if known && math.Abs(sum-1) > 1e-6 {
			return c.Errorf("ValueError", diag.BadValue, "choice(): the probabilities add up to %g and not to 1", sum)
		}
	}
	// Without replacement no element is drawn twice.
	if c.Has("size") && !c.Bool("replace") {
		n, ok1 := c.Numel(arrayShape(c, c.Value("size"))).Const()
		k, ok2 := population.Const()
		if ok1 && ok2 && n > k {
			return c.Errorf("ValueError", diag.BadValue, "choice(): %d of %d elements, each once", n, k)
		}
	}
	if !c.OK() {
		return nil
	}
	// From integers there is nothing but size=; one alone is an int of Python, or of numpy for a
	// Generator.
	if from == nil {
		if c.Has("size") {
			return KeepArray(c, c.Out(d, arrayShape(c, c.Value("size"))))
		}
		if generator {
			return c.Out(d, symshape.Shape{})
		}
		return c.Th.DataInt("i", 0, nil)
	}
	if c.Has("size") {
		return KeepArray(c, c.Out(d, shape))
	}
	return c.Out(d, shape)
}

// permutationArray: of a number the indices up to it, of an array a copy with its rows in another
// order. The elements of the copy are not known.
func permutationArray(c *ops.Call) value.Value {
	x := value.Plain(c.Value("x"))
	switch n := x.(type) {
	case value.Int, *value.SymInt, value.Bool:
		k, _ := value.AsDim(c.P, n)
		if i, ok := k.Const(); ok && i < 0 {
			k = c.Const(0)
		}
		return c.Out(dtype.I64, symshape.Shape{k})
	case value.Str, value.NoneType:
		return c.Errorf("IndexError", diag.TypeMismatch, "permutation(): x must be an int or an array, not %s", ops.TypeName(x))
	}
	t := arrayArg(c, "x")
	if t == nil {
		return nil
	}
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if c.HasParam("axis") {
		needInt(c, "axis")
		if c.OK() {
			anAxis(c, c.Value("axis"), len(s))
		}
	} else if len(s) == 0 {
		return c.Errorf("IndexError", diag.RankMismatch, "permutation(): x must be an int or an array with dimensions, not %s", t)
	}
	if !c.OK() {
		return nil
	}
	return c.Like(t, t.Type().DType)
}

// shuffleArray writes in place. A list whose elements differ has them in an order that is not known: each
// element may be any.
func shuffleArray(c *ops.Call) value.Value {
	switch x := c.Value("x").(type) {
	case *value.Tensor:
		s := c.Shape(x)
		if c.OK() && len(s) == 0 {
			return c.Errorf("TypeError", diag.RankMismatch, "shuffle(): %s has no dimensions", x)
		}
		if c.HasParam("axis") && c.OK() {
			anAxis(c, c.Value("axis"), len(s))
		}
		if !c.OK() {
			return nil
		}
		changed(c, x)
	case *value.List:
		if len(x.Elems) > 1 && !sameElems(x.Elems) {
			c.Th.Heap().Touch(x)
			u := c.Th.Unknown("the order of a shuffled list")
			for i := range x.Elems {
				x.Elems[i] = u
			}
		}
	// What has no len() is refused; other objects are left alone.
	case value.Int, value.Float, value.NoneType, value.Bool, *value.SymInt, *value.SymFloat:
		return c.Errorf("TypeError", diag.TypeMismatch, "shuffle() needs a list or an array, not %s", ops.TypeName(x))
	}
	return value.None
}

// sizedBefore puts the parameter size in front of a shape, of which the parameter may be None.
func sizedBefore(c *ops.Call, s ...symshape.Dim) symshape.Shape {
	var size symshape.Shape
	if c.Has("size") {
		size = slices.Clone(arrayShape(c, c.Value("size")))
	}
	return append(size, s...)
}

// drawnVectors is the rule of distributions over vectors: size is the shape in front of
// that of the argument, which has a number for each element of a vector.
func drawnVectors(name string, d dtype.DType) func(c *ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := numbers(c, name)
		if t == nil || !vector(c, t) {
			return nil
		}
		for _, e := range t.Contents() {
			if x, ok := value.AsFloat(e); ok && (x < 0 || x == 0 && name == "alpha") {
				return c.Errorf("ValueError", diag.BadValue, "%s(): %s holds %g", c.Short(), name, x)
			}
		}
		// No more can be drawn than there are.
		if k, ok := value.AsFloat(value.Plain(valueOr(c, "nsample"))); ok && t.Contents() != nil {
			sum := 0.0
			for _, e := range t.Contents() {
				x, known := value.AsFloat(e)
				if sum += x; !known {
					sum = math.Inf(1)
				}
			}
			if k > sum {
				return c.Errorf("ValueError", diag.BadValue, "%s(): nsample = %g is more than there are, %g", c.Short(), k, sum)
			}
		}
		s := sizedBefore(c, c.Shape(t)...)
		if !c.OK() {
			return nil
		}
		return c.Out(d, s)
	}
}

// valueOr is the value of a parameter that the function may not have.
func valueOr(c *ops.Call, name string) value.Value {
	if !c.HasParam(name) {
		return value.None
	}
	return c.Value(name)
}

// multinomialArray needs an int n >= 0 and probabilities in [0, 1] along the last axis of pvals, all but
// the last of which add up to at most 1. The result is int64, of shape size followed by that of pvals.
func multinomialArray(c *ops.Call) value.Value {
	p := numbers(c, "pvals")
	if p == nil {
		return nil
	}
	n := value.Plain(c.Value("n"))
	if t, ok := n.(*value.Tensor); ok && len(t.Type().Shape) > 0 {
		if m, ok := ops.ConstShape(t.Type().Shape); !ok || ops.Product(m) == 1 {
			return c.Lose("a number of draws in an array with dimensions")
		}
		return c.Errorf("TypeError", diag.TypeMismatch, "multinomial(): n must be an int, not %s", t)
	}
	switch n.(type) {
	case value.Str, value.NoneType, *value.Tuple, *value.List, value.Complex:
		return c.Errorf("TypeError", diag.TypeMismatch, "multinomial(): n must be an int, not %s", ops.TypeName(n))
	}
	s := c.Shape(p)
	if !c.OK() {
		return nil
	}
	if k, ok := value.AsInt(n); ok && k < 0 {
		return c.Errorf("ValueError", diag.BadValue, "multinomial(): n must not be negative, but is %d", k)
	}
	if len(s) == 0 {
		return c.Errorf("ValueError", diag.RankMismatch, "multinomial(): pvals must be a vector, not %s", p)
	}
	sum := 0.0
	for i, e := range p.Contents() {
		x, ok := value.AsFloat(e)
		if ok && (x < 0 || x > 1) {
			return c.Errorf("ValueError", diag.BadValue, "multinomial(): the probability %g is not between 0 and 1", x)
		}
		if sum += x; ok && i < len(p.Contents())-1 && sum > 1+1e-12 {
			return c.Errorf("ValueError", diag.BadValue, "multinomial(): the probabilities add up to more than 1")
		}
	}
	out := sizedBefore(c, s...)
	if !c.OK() {
		return nil
	}
	return c.Out(dtype.I64, out)
}

// multivariateNormal needs a mean vector that is not empty and a square covariance matrix of its size; a
// Generator needs them real since numpy 2 and checks method. The result is float64, of shape size followed
// by the length of the mean.
func multivariateNormal(c *ops.Call) value.Value {
	if v := c.Value("check_valid"); ops.NumberKind(v) != dtype.KindInvalid {
		return c.Errorf("ValueError", diag.BadValue, "multivariate_normal(): check_valid must be 'warn', 'raise' or 'ignore', not %s",
			ops.TypeName(v))
	}
	mean, cov := numbers(c, "mean"), numbers(c, "cov")
	if mean == nil || cov == nil {
		return nil
	}
	s, r := c.Shape(mean), c.Shape(cov)
	if !c.OK() {
		return nil
	}
	if len(s) != 1 {
		return c.Errorf("ValueError", diag.RankMismatch, "multivariate_normal(): mean must be a vector, not %s", mean)
	}
	if len(r) != 2 {
		return c.Errorf("ValueError", diag.RankMismatch, "multivariate_normal(): cov must be a matrix, not %s", cov)
	}
	for _, d := range r {
		if _, ok := c.Same(d, r[0]); !ok {
			return c.Errorf("ValueError", diag.ShapeMismatch, "multivariate_normal(): cov must be square, not %s", cov)
		}
	}
	if _, ok := c.Same(s[0], r[0]); !ok {
		return c.Errorf("ValueError", diag.ShapeMismatch, "multivariate_normal(): mean %s and cov %s do not fit", mean, cov)
	}
	if !c.AtLeast(s[0], 1) {
		return c.Errorf("ValueError", diag.InvalidSize, "multivariate_normal(): mean is empty")
	}
	if c.HasParam("method") {
		if m, ok := value.AsStr(c.Value("method")); ok && m != "svd" && m != "eigh" && m != "cholesky" {
			return c.Errorf("ValueError", diag.BadValue, "multivariate_normal(): method must be 'svd', 'eigh' or 'cholesky', not '%s'", m)
		}
	}
	if _, isBool := c.Value("size").(value.Bool); isBool {
		return c.Errorf("TypeError", diag.TypeMismatch, "multivariate_normal(): size must be an int or a tuple of ints, not bool")
	}
	if c.HasParam("method") && !c.Numpy1() && (mean.Type().DType.IsComplex() || cov.Type().DType.IsComplex()) {
		return c.Errorf("TypeError", diag.DTypeMismatch, "multivariate_normal(): mean and cov must be real")
	}
	out := sizedBefore(c, s[0])
	if !c.OK() {
		return nil
	}
	return c.Out(dtype.F64, out)
}

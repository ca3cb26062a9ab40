package torch

// This file holds the records of random numbers. Random numbers have no elements here: a draw's
// shape and dtype are followed, and whether the arguments are ones that PyTorch accepts. Trace:
// ops.Draws marks them for tracers, which may not draw at the time of the trace. Fillers (names
// with _) keep the tensor and are graph.Overwrites: what the tensor had before does not reach the
// result.

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

// The parameters that all functions that make tensors have after their own.
const randomTail = "*, any generator=None, ScalarType? dtype=None, any layout=None, Device? device=None, bool? pin_memory=None, bool requires_grad=False"

var randomOps = [...]ops.Op{
	{Names: spelled("torch.rand"), Sig: "(int[]* size, " + randomTail + ", any names=None)", Rule: randRule(ops.Inexact), Is: graph.Drawn,
		Out:   true,
		Trace: ops.ComparesNumbers | ops.Draws, Doc: "uniform in [0, 1)"},
	{Names: spelled("torch.randn"), Sig: "(int[]* size, " + randomTail + ", any names=None)", Rule: randRule(ops.Inexact), Is: graph.Drawn,
		Out:   true,
		Trace: ops.ComparesNumbers | ops.Draws, Doc: "normal"},
	{Names: spelled("torch.rand_like"), Sig: likeSig, Rule: randLikeRule(ops.Inexact), Is: graph.CutsGradient,
		Trace: ops.Draws, Doc: "uniform in [0, 1)"},
	{Names: spelled("torch.randn_like"), Sig: likeSig, Rule: randLikeRule(ops.Inexact), Is: graph.CutsGradient,
		Trace: ops.Draws, Doc: "normal"},
	{Names: spelled("torch.randint"), Sig: "(int high, int[] size, " + randomTail + ") | (int low, int high, int[] size, " + randomTail +
		")", Rule: randintRule, Is: graph.Drawn, Out: true,
		Trace: ops.ComparesNumbers | ops.Draws, Doc: "integers, int64"},
	{Names: spelled("torch.randint_like"), Sig: "(Tensor input, int high, " + likeTail + ") | (Tensor input, int low, int high, " +
		likeTail + ")", Rule: randintLikeRule, Is: graph.CutsGradient,
		Trace: ops.Draws, Doc: "integers of a tensor's dtype"},
	{Names: spelled("torch.randperm"), Sig: "(int n, " + randomTail + ")", Rule: randpermRule, Out: true,
		Trace: ops.Draws, Doc: "permutation"},
	{Names: spelled("torch.normal"),
		Sig: "(Tensor mean, Tensor std, *, any generator=None) | (Tensor mean, float std=1.0, *, any generator=None) | (float mean, Tensor std, *, any generator=None) | (float mean, float std, int[] size, " + randomTail + ")", Rule: normalRule, Out: true,
		Trace: ops.Draws, Doc: "normal with given means"},
	{Names: spelled("bernoulli"), Sig: "(Tensor input, *, any generator=None) | (Tensor input, Operand p, *, any generator=None)",
		Rule: bernoulliRule, Out: true, Ranges: []ops.Span{{Param: "p", Lo: 0, Hi: 1}},
		Trace: ops.LeavesSizes | ops.Draws, Floats: "p", Doc: "0 or 1 with the probabilities of input"},
	{Names: spelled("multinomial"), Sig: "(Tensor input, int num_samples, bool replacement=False, *, any generator=None)",
		Rule: multinomialRule, Form: graph.Sampling, Out: true,
		Trace: ops.Draws, Doc: "indices drawn with weights"},
	{Names: spelled("torch.poisson"), Sig: "(Tensor input, any generator=None)", Rule: sameRule(ops.RealFloats),
		Trace: ops.Draws, Doc: "Poisson numbers"},
	{Names: spelled(".uniform_"), Sig: "(Tensor input, float from=0.0, float to=1.0, *, any generator=None)", Rule: uniformRule,
		Is: graph.Overwrites, Trace: ops.Draws, Doc: "fills with uniform numbers"},
	{Names: spelled(".normal_"), Sig: "(Tensor input, float mean=0.0, float std=1.0, *, any generator=None)", Rule: normalFillRule,
		Is: graph.Overwrites, Ranges: []ops.Span{{Param: "std", Lo: 0, Hi: ops.Inf}}, Trace: ops.Draws, Doc: "fills with normal numbers"},
	{Names: spelled(".log_normal_"), Sig: "(Tensor input, float mean=1.0, float std=2.0, *, any generator=None)", Rule: normalFillRule,
		Is: graph.Overwrites, Ranges: []ops.Span{{Param: "std", Lo: 0, Hi: ops.Inf, Open: true}},
		Trace: ops.Draws, Doc: "fills with log-normal numbers"},
	{Names: spelled(".cauchy_"), Sig: "(Tensor input, float median=0.0, float sigma=1.0, *, any generator=None)",
		Rule: sameRule(ops.RealFloats),
		Is:   graph.Overwrites, Trace: ops.Draws, Doc: "fills with Cauchy numbers"},
	{Names: spelled(".exponential_"), Sig: "(Tensor input, float lambd=1.0, *, any generator=None)", Rule: sameRule(ops.RealFloats),
		Is: graph.Overwrites, Ranges: []ops.Span{{Param: "lambd", Lo: 0, Hi: ops.Inf}},
		Trace: ops.Draws, Doc: "fills with exponential numbers"},
	{Names: spelled(".geometric_"), Sig: "(Tensor input, float p, *, any generator=None)", Rule: sameRule(ops.RealNums),
		Is: graph.Overwrites, Ranges: []ops.Span{{Param: "p", Lo: 0, Hi: 1, Open: true, OpenHigh: true}},
		Trace: ops.Draws, Doc: "fills with geometric numbers"},
	{Names: spelled(".random_"), Sig: "(Tensor input, *, any generator=None) | (Tensor input, int to, *, any generator=None) | (Tensor input, int from, int? to, *, any generator=None)", Rule: randomRule,
		Trace: ops.Draws, Doc: "fills with integers"},
	{Names: spelled(".bernoulli_"), Sig: "(Tensor input, Operand p=0.5, *, any generator=None)", Rule: sameRule(realDTypes),
		Is: graph.Overwrites, Ranges: []ops.Span{{Param: "p", Lo: 0, Hi: 1}}, Trace: ops.Draws, Floats: "p", Doc: "fills with 0 and 1"},
}

// randRule makes the rule of a function that draws numbers of given sizes. accept are the dtypes
// that it draws in; the default is the run's float dtype. The sizes must not be negative, which
// size checks. A dtype outside of accept is a fault of dtype.
func randRule(accept ops.DTypeSet) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		s := size(c)
		if !c.OK() || !c.Accepts(accept, c.FactoryDType(c.DefaultDType())) {
			return nil
		}
		out := made(c, c.DefaultDType(), s)
		if out == nil {
			return nil
		}
		return out
	}
}

// randLikeRule makes the rule of one that draws as many numbers as another tensor has, in its
// dtype. likeRule makes the tensor; the input's shape may be unranked.
func randLikeRule(accept ops.DTypeSet) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := c.Tensor("input")
		if t == nil || !c.Accepts(accept, c.FactoryDType(t.Type().DType)) {
			return nil
		}
		return likeRule(nil)(c)
	}
}

// drawBounds checks low < high, which for symbols becomes a condition of the run. It reports
// whether there is no fault. low is 0 where it is not a parameter of the overload. A bound that is
// a float is refused by the signature before.
func drawBounds(c *ops.Call) bool {
	lo := c.Const(0)
	if c.HasParam("low") {
		lo = c.Dim("low")
	}
	hi := c.Dim("high")
	if !c.OK() {
		return false
	}
	if hi.Expr != nil && lo.Expr != nil && c.Th.Require(c.P.Gt(hi.Expr, lo.Expr), "") == symshape.No {
		c.Errorf("RuntimeError", diag.BadValue, "%s(): high must be greater than low, but they are %s and %s", c.Short(), hi, lo)
		return false
	}
	return true
}

// randintRule draws int64 of given sizes, unless dtype= names another dtype. The bounds are checked
// before the dtype, as in PyTorch.
func randintRule(c *ops.Call) value.Value {
	s := size(c)
	if !drawBounds(c) || !c.Accepts(realDTypes, c.FactoryDType(dtype.I64)) {
		return nil
	}
	out := made(c, dtype.I64, s)
	if out == nil {
		return nil
	}
	return out
}

// randintLikeRule checks also that the numbers fit the dtype of the tensor. Only dtypes of one byte
// are checked: their limit is high ≤ 2, 256 or 128, as high itself is not drawn.
func randintLikeRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil || !drawBounds(c) || !c.Accepts(realDTypes, c.FactoryDType(t.Type().DType)) {
		return nil
	}
	d := c.FactoryDType(t.Type().DType)
	if n, ok := c.Dim("high").Const(); ok && d.IsIntegralOrBool() && d.Size() == 1 &&
		n > map[dtype.DType]int64{dtype.Bool: 2, dtype.U8: 256, dtype.I8: 128}[d] {
		return c.Errorf("RuntimeError", diag.BadValue, "randint_like(): numbers below %d do not fit into %s", n, d)
	}
	return likeRule(nil)(c)
}

// randpermRule gives the n numbers below n as a vector. Its dtype is int64 unless dtype= is given;
// n = 0 gives an empty vector.
func randpermRule(c *ops.Call) value.Value {
	n := c.Dim("n")
	if !c.AtLeast(n, 0) {
		return c.Errorf("RuntimeError", diag.BadValue, "randperm(): n must not be negative, but is %s", n)
	}
	if !c.OK() || !c.Accepts(ops.RealNums, c.FactoryDType(dtype.I64)) {
		return nil
	}
	out := made(c, dtype.I64, symshape.Shape{n})
	if out == nil {
		return nil
	}
	return out
}

// normalRule needs a std that is not negative and real, and a mean that is floating or complex where it is
// a tensor; both broadcast. The dtype is that of mean, else of std, or of a floating out=. With size= both
// are numbers, and the result is made as by rand. The order of the checks is PyTorch's.
func normalRule(c *ops.Call) value.Value {
	if v, known := c.Float("std"); known && v < 0 {
		return c.Errorf("RuntimeError", diag.BadValue, "normal(): std must not be negative, but is %v", v)
	}
	if c.HasParam("size") {
		return randRule(ops.Inexact)(c)
	}
	mean, std := c.Value("mean"), c.Value("std")
	d := dtype.Unknown
	// The mean is looked at last, as its dtype comes first.
	for _, v := range [...]value.Value{std, mean} {
		if t, ok := v.(*value.Tensor); ok {
			d = t.Type().DType
			accept := ops.Inexact
			if v == std {
				accept = ops.RealFloats
				if ops.IsTensor(mean) { // it only multiplies
					accept = realDTypes
				}
				if d.IsComplex() {
					return c.Errorf("RuntimeError", diag.DTypeMismatch, "normal(): std must be real, not %s", t)
				}
			}
			if !c.OutDType.IsFloat() && !c.Empty(t) && !c.Accepts(accept, d) { // a tensor out= gives the dtype
				return nil
			}
		}
	}
	if c.OutDType.IsFloat() {
		d = c.OutDType
	}
	// A number as std with out=: the noise takes out's shape as it was before the call.
	if _, one := std.(*value.Tensor); !one && c.OutShape != nil { // noise of the size of out, to which the mean is added
		out := symshape.Shape(slices.Clone(c.OutShape))
		t := c.Out(d, out)
		shape := c.BroadcastTensors(t, mean.(*value.Tensor))
		if !c.OK() {
			return nil
		}
		return c.Out(d, shape)
	}
	out := c.BroadcastOut(d, []value.Value{mean, std})
	if out == nil {
		return nil
	}
	// The result is a new tensor in row-major order, whatever the strides of mean are.
	out.Type().Strides = nil
	return out
}

// bernoulliRule: without p the elements are probabilities, and floats; with p only the shape
// matters. The result has the input's dtype and shape. A tensor p is only for the method in place.
func bernoulliRule(c *ops.Call) value.Value {
	if c.HasParam("p") && ops.IsTensor(c.Value("p")) && !ops.FitsType(ops.FloatType, c.Value("p")) && !ops.IsInPlace(c.Name) {
		return c.Errorf("TypeError", diag.TypeMismatch, "bernoulli(): argument 'p' must be float, not Tensor")
	}
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	d := t.Type().DType
	// The dtype of out= is that of the result, as numbers of 0 and 1 fit any.
	if c.OutDType != dtype.Unknown {
		d = c.OutDType
	}
	// The elements must be floats, as they are probabilities; PyTorch 2 does not look at an empty
	// tensor.
	if !c.HasParam("p") {
		if !(c.Empty(t) && !c.Torch1()) && !c.Accepts(ops.RealFloats, t.Type().DType) {
			return nil
		}
		return c.Like(t, d)
	}
	if ops.NumberKind(c.Value("p")) == dtype.KindComplex {
		return c.Errorf("TypeError", diag.TypeMismatch, "bernoulli(): p must be a float, not complex")
	}
	return c.BroadcastOut(d, []value.Value{t})
}

// multinomialRule: a vector of weights, or a matrix with a row of them for each draw; the last axis
// becomes the number of samples, which without replacement is at most that of the weights. The
// result is int64. The weights must be floating, the number of samples at least 1, and there must
// be something to choose from.
func multinomialRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	s := c.Shape(t)
	n := c.Dim("num_samples")
	if t == nil || !c.OK() {
		return nil
	}
	if len(s) != 1 && len(s) != 2 {
		return c.FixingRank().Errorf("RuntimeError", diag.RankMismatch, "multinomial() needs a tensor of 1 or 2 dimensions, but got %s", t)
	}
	if !c.Accepts(ops.RealFloats, t.Type().DType) {
		return nil
	}
	if !c.AtLeast(n, 1) {
		return c.Errorf("RuntimeError", diag.BadValue, "multinomial(): the number of samples must be positive, but is %s", n)
	}
	last := s[len(s)-1]
	if ops.IsConst(last, 0) {
		return c.Errorf("RuntimeError", diag.InvalidSize, "multinomial(): there is nothing to choose from: %s", t)
	}
	// selects demands n ≤ last, as a condition for symbols.
	if !c.Bool("replacement") && c.OK() && !selects(c, n, last, t, len(s)-1, 1) {
		return nil
	}
	if c.OutDType != dtype.Unknown && c.OutDType != dtype.I64 && c.OutMismatch(dtype.I64) {
		return nil
	}
	return c.Out(dtype.I64, ops.With(s, len(s)-1, n))
}

// sameRule gives a tensor of the input's type, whose dtype must be one of accept. It serves those
// without demands of their own on numbers, or whose demands the record states by Ranges.
func sameRule(accept ops.DTypeSet) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		t := c.Tensor("input")
		if t == nil || !c.Accepts(accept, t.Type().DType) {
			return nil
		}
		return c.BroadcastOut(t.Type().DType, []value.Value{t})
	}
}

// uniformRule: both bounds must be numbers of the dtype, in order. An infinite bound or NaN is out
// of bounds too. The tensor may be complex: then its real type counts.
func uniformRule(c *ops.Call) value.Value {
	lo, ok1 := c.Float("from")
	hi, ok2 := c.Float("to")
	if t := c.Tensor("input"); t != nil && c.OK() {
		for _, name := range [...]string{"from", "to"} {
			if f, ok := c.Float(name); ok && (math.IsInf(f, 0) || f != f || !ops.FitsFloat(f, t.Type().DType.Real())) {
				return c.Errorf("RuntimeError", diag.BadValue, "uniform_(): %s=%g is out of bounds for %s", name, f, t.Type().DType)
			}
		}
	}
	if ok1 && ok2 && lo > hi {
		return c.Errorf("RuntimeError", diag.BadValue, "uniform_(): from must not be greater than to, but they are %v and %v", lo, hi)
	}
	return sameRule(ops.Inexact)(c)
}

// normalFillRule: the deviation must not be negative. It serves normal_ and log_normal_. A std that
// is not known is not checked.
func normalFillRule(c *ops.Call) value.Value {
	if v, known := c.Float("std"); known && v < 0 {
		return c.Errorf("RuntimeError", diag.BadValue, "%s(): std must not be negative, but is %v", c.Short(), v)
	}
	return sameRule(ops.Inexact)(c)
}

// randomRule: from must be less than to; both default to the range of the dtype. Where to is not
// given, nothing is to be checked. Bounds must be known integers to be compared.
func randomRule(c *ops.Call) value.Value {
	if c.HasParam("to") && c.Has("to") {
		from, ok1 := int64(0), true
		if c.HasParam("from") {
			from, ok1 = value.AsInt(c.Value("from"))
		}
		to, ok2 := value.AsInt(c.Value("to"))
		if ok1 && ok2 && from >= to {
			return c.Errorf("RuntimeError", diag.BadValue, "random_(): from=%d must be less than to=%d", from, to)
		}
	}
	return sameRule(realDTypes)(c)
}

package torch

// This file holds activation functions. Where a function of torch.nn.functional
// has an inplace argument, the input itself is the result then. The dtypes are
// those of PyTorch's CPU kernels. All functions but glu keep the shape, and all but those with
// dtype= keep the dtype; softsign and tanhshrink, which are written in Python, promote integers to
// floats. Bounds on the number parameters are from the Python code of torch.nn.functional or the
// kernels, and are checked where the numbers are known. Functions along an axis (softmax and its
// kin) check that the axis exists.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// The functions of this file are mostly those of torch.nn.functional.
const nnf = "torch.nn.functional."

var activationOps = [...]ops.Op{
	{Names: []string{nnf + "relu"}, Sig: "(Tensor input, any inplace=False)", Rule: activation(ops.RealNums | ops.Unsigned), InPlace: true,
		Is: graph.KeepsAxes | graph.OneTensor, Doc: "max(x, 0)"},
	{Names: []string{"torch.relu", "torch.Tensor.relu"}, Sig: "(Tensor input)", Rule: activation(ops.RealNums | ops.Unsigned), InPlace: true,
		Is: graph.KeepsAxes | graph.OneTensor, Doc: "max(x, 0)"},
	{Names: []string{nnf + "relu6"}, Sig: "(Tensor input, any inplace=False)", Rule: activation(ops.RealNums | ops.Unsigned),
		Trace: ops.ClonesInPlace, Doc: "min(max(x, 0), 6)"},
	{Names: []string{nnf + "hardtanh"}, Sig: "(Tensor input, Scalar min_val=-1.0, Scalar max_val=1.0, any inplace=False)", Rule: hardtanh,
		InPlace: true, Numbers: []ops.Converted{{Param: "min_val", To: ops.ToLong, Bounds: ops.Lower},
			{Param: "max_val", To: ops.ToLong, Bounds: ops.Upper}},
		Trace: ops.ClonesInPlace, Doc: "x limited to a range"},
	{Names: []string{nnf + "threshold"}, Sig: "(Tensor input, Scalar threshold, Scalar value, any inplace=False)",
		Rule:    activation(ops.RealNums),
		InPlace: true, Repeats: true, Numbers: []ops.Converted{{Param: "threshold"}, {Param: "value"}}, Doc: "x above a threshold, else a value"},
	{Names: []string{"torch.threshold"}, Sig: "(Tensor input, Scalar threshold, Scalar value)", Rule: activation(ops.RealNums),
		InPlace: true, Repeats: true, Out: true, Numbers: []ops.Converted{{Param: "threshold"}, {Param: "value"}},
		Doc: "x above a threshold, else a value"},
	{Names: []string{nnf + "hardswish"}, Sig: "(Tensor input, any inplace=False)", Rule: activation(ops.RealFloats),
		Trace: ops.ClonesInPlace, Doc: "x·relu6(x+3)/6"},
	{Names: []string{nnf + "hardsigmoid"}, Sig: "(Tensor input, any inplace=False)", Rule: activation(ops.RealFloats),
		Trace: ops.ClonesInPlace, Doc: "relu6(x+3)/6"},
	{Names: []string{nnf + "silu"}, Sig: "(Tensor input, any inplace=False)", Rule: activation(ops.Inexact),
		Is:    graph.KeepsAxes | graph.OneTensor,
		Trace: ops.ClonesInPlace, Doc: "x·sigmoid(x)"},
	{Names: []string{nnf + "mish"}, Sig: "(Tensor input, any inplace=False)", Rule: activation(ops.RealFloats),
		Trace: ops.ClonesInPlace, Doc: "x·tanh(softplus(x))"},
	{Names: []string{nnf + "elu"}, Sig: "(Tensor input, Scalar alpha=1.0, any inplace=False)", Rule: activation(ops.RealFloats), InPlace: true,
		Numbers: []ops.Converted{{Param: "alpha", To: ops.ToComputed}}, Doc: "x, or α(exp(x)-1) below zero"},
	{Names: []string{nnf + "selu"}, Sig: "(Tensor input, any inplace=False)", Rule: activation(ops.RealFloats), InPlace: true,
		Doc: "scaled elu"},
	{Names: []string{"torch.selu"}, Sig: "(Tensor input)", Rule: activation(ops.RealFloats), InPlace: true, Doc: "scaled elu"},
	{Names: []string{nnf + "celu"}, Sig: "(Tensor input, Scalar alpha=1.0, any inplace=False)", Rule: celu, InPlace: true,
		Numbers: []ops.Converted{{Param: "alpha", To: ops.ToComputed}}, Doc: "max(0,x) + min(0, α(exp(x/α)-1))"},
	{Names: []string{"torch.celu"}, Sig: "(Tensor input, Scalar alpha=1.0)", Rule: celu, InPlace: true,
		Numbers: []ops.Converted{{Param: "alpha", To: ops.ToComputed}}, Doc: "max(0,x) + min(0, α(exp(x/α)-1))"},
	{Names: []string{nnf + "gelu", "torch._C._nn.gelu"}, Sig: "(Tensor input, *, str approximate='none')", Rule: gelu, Out: true,
		ExactOut: true,
		Is:       graph.KeepsAxes | graph.OneTensor, Quirks: ops.Compiled, Doc: "x·Φ(x)"},
	{Names: []string{nnf + "leaky_relu"}, Sig: "(Tensor input, Scalar negative_slope=0.01, any inplace=False)",
		Rule:    activation(ops.RealFloats),
		InPlace: true, Numbers: []ops.Converted{{Param: "negative_slope", To: ops.ToComputed}}, Doc: "x, or slope·x below zero"},
	{Names: []string{nnf + "rrelu"},
		Sig:  "(Tensor input, Scalar lower=0.125, Scalar upper=0.3333333333333333, any training=False, any inplace=False)",
		Rule: rrelu, InPlace: true, Numbers: []ops.Converted{{Param: "lower", To: ops.ToComputed}, {Param: "upper", To: ops.ToComputed}},
		Doc: "leaky_relu with a random slope"},
	{Names: []string{"torch.rrelu"},
		Sig:  "(Tensor input, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, Generator? generator=None)",
		Rule: rrelu, InPlace: true, Numbers: []ops.Converted{{Param: "lower", To: ops.ToComputed}, {Param: "upper", To: ops.ToComputed}},
		Doc: "leaky_relu with a random slope"},
	{Names: []string{nnf + "softplus", "torch._C._nn.softplus"}, Sig: "(Tensor input, Scalar beta=1, Scalar threshold=20)",
		Rule: activation(ops.RealFloats),
		Out:  true, ExactOut: true, Numbers: []ops.Converted{{Param: "beta", To: ops.ToComputed}, {Param: "threshold", To: ops.ToComputed}},
		Quirks: ops.Compiled, Doc: "log(1+exp(βx))/β"},
	{Names: []string{nnf + "softshrink", "torch._C._nn.softshrink"}, Sig: "(Tensor input, Scalar lambd=0.5)", Rule: softshrink, Out: true,
		ExactOut: true,
		Numbers:  []ops.Converted{{Param: "lambd", To: ops.ToComputed}}, Ranges: []ops.Span{{Param: "lambd", Lo: 0, Hi: ops.Inf}},
		Quirks: ops.Compiled, Doc: "x moved towards zero by λ"},
	{Names: []string{nnf + "hardshrink", "torch.hardshrink", "torch.Tensor.hardshrink"}, Sig: "(Tensor input, Scalar lambd=0.5)",
		Rule: activation(ops.RealFloats), Out: true, ExactOut: true, Numbers: []ops.Converted{{Param: "lambd", To: ops.ToComputed}},
		Quirks: ops.Compiled, Doc: "x, or 0 within ±λ"},
	{Names: []string{nnf + "logsigmoid", "torch._C._nn.log_sigmoid"}, Sig: "(Tensor input)", Rule: logsigmoid, Out: true, ExactOut: true,
		Quirks: ops.Compiled, Doc: "log(sigmoid(x))"},
	{Names: []string{nnf + "softsign"}, Sig: "(Tensor input)", Rule: softsign, Doc: "x/(1+|x|)"},
	{Names: []string{nnf + "tanhshrink"}, Sig: "(Tensor input)", Rule: tanhshrink, Doc: "x-tanh(x)"},
	{Names: []string{nnf + "glu", "torch._C._nn.glu"}, Sig: "(Tensor input, int dim=-1)", Rule: glu,
		Trace: ops.ComparesResult, Doc: "first half times the sigmoid of the second"},
	{Names: []string{nnf + "prelu", "torch.prelu", "torch.Tensor.prelu"}, Sig: "(Tensor input, Tensor weight)", Rule: prelu,
		Quirks: ops.OneDevice | ops.Compiled, Doc: "leaky_relu with a slope for each channel"},
	{Names: []string{nnf + "softmax"}, Sig: "(Tensor input, int? dim=None, int _stacklevel=3, ScalarType? dtype=None)", Rule: softmax,
		Form: graph.Softmax, Is: graph.KeepsAxes | graph.AlongDim | graph.ImplicitDim | graph.OneTensor,
		Trace: ops.LeavesSizes, Doc: "exponentials along an axis that sum to 1"},
	{Names: []string{nnf + "softmin"}, Sig: "(Tensor input, int? dim=None, any _stacklevel=3, ScalarType? dtype=None)", Rule: softmin,
		Is: graph.AlongDim | graph.ImplicitDim, Doc: "softmax(-x)"},
	{Names: []string{nnf + "log_softmax"}, Sig: "(Tensor input, int? dim=None, int _stacklevel=3, ScalarType? dtype=None)", Rule: softmax,
		Is: graph.AlongDim | graph.ImplicitDim, Doc: "logarithm of softmax"},
	{Names: []string{"torch.softmax", "torch.Tensor.softmax"}, Sig: "(Tensor input, int dim, ScalarType? dtype=None)", Rule: softmax,
		Out: true, ExactOut: true,
		Form: graph.Softmax, Is: graph.KeepsAxes | graph.AlongDim | graph.OneTensor, Quirks: ops.NamedDims, Variant: dimGiven,
		Trace: ops.LeavesSizes, Doc: "exponentials along an axis that sum to 1"},
	{Names: []string{"torch.log_softmax", "torch.Tensor.log_softmax"}, Sig: "(Tensor input, int dim, ScalarType? dtype=None)", Rule: softmax,
		Out: true, ExactOut: true,
		Is: graph.AlongDim, Quirks: ops.NamedDims, Variant: dimGiven, Doc: "logarithm of softmax"},
	{Names: []string{"torch.special.softmax"}, Sig: "(Tensor input, int dim, ScalarType? dtype=None)", Rule: softmax,
		Form: graph.Softmax, Is: graph.KeepsAxes | graph.AlongDim | graph.OneTensor, Trace: ops.LeavesSizes,
		Doc: "exponentials along an axis that sum to 1"},
	{Names: []string{"torch.special.log_softmax"}, Sig: "(Tensor input, int dim, *, ScalarType? dtype=None)", Rule: softmax,
		Is: graph.AlongDim, Doc: "logarithm of softmax"},
	{Names: []string{nnf + "gumbel_softmax"}, Sig: "(Tensor logits, Scalar tau=1, any hard=False, Scalar eps=1e-10, int dim=-1)",
		Rule: gumbelSoftmax,
		Is:   graph.AlongDim, Doc: "softmax with Gumbel noise"},
}

// activation gives the rule of a function of each element that keeps the dtype, which must be one
// of set.
func activation(set ops.DTypeSet) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value { return activate(c, set) }
}

// activate is the common part of the rules: the input has a dtype of set, and the result its shape
// and dtype. It gives nil after a fault; with inplace=True the result is the input itself (finish).
func activate(c *ops.Call, set ops.DTypeSet) value.Value {
	x := c.Tensor("input")
	if x == nil || !wantDType(c, x, "the input", set) {
		return nil
	}
	out := c.Pointwise(x.Type().DType, nil, x)
	if out == nil {
		return nil
	}
	return finish(c, out)
}

// hardtanh: crossed limits are a ValueError since PyTorch 2, and before it a limit below 0 does not
// fit u8.
func hardtanh(c *ops.Call) value.Value {
	x := c.Tensor("input")
	if x == nil {
		return nil
	}
	lo, known := c.Float("min_val")
	if hi, ok := c.Float("max_val"); known && ok && lo > hi && !c.Torch1() && !c.InPlace {
		return c.Errorf("ValueError", diag.BadValue, "%s: min_val=%g is greater than max_val=%g", c.Short(), lo, hi)
	}
	for _, name := range [...]string{"min_val", "max_val"} {
		if f, ok := c.Float(name); ok && f <= -1 && x.Type().DType == dtype.U8 && c.Torch1() {
			return c.Errorf("RuntimeError", diag.BadValue, "%s: %s=%g does not fit an unsigned input", c.Short(), name, f)
		}
	}
	return activate(c, ops.RealNums)
}

// celu divides by alpha.
func celu(c *ops.Call) value.Value {
	if f, ok := c.Float("alpha"); ok && f == 0 {
		return c.Errorf("RuntimeError", diag.BadValue, "%s: alpha must not be 0", c.Short())
	}
	return activate(c, ops.RealFloats)
}

// gelu has an exact form and one by tanh; other texts are refused by the kernel.
func gelu(c *ops.Call) value.Value {
	if a := c.Str("approximate"); c.OK() && a != "none" && a != "tanh" {
		return c.Errorf("RuntimeError", diag.BadValue, "gelu: approximate must be 'none' or 'tanh', not '%s'", a)
	}
	return activate(c, ops.RealFloats)
}

// rrelu draws slopes between lower and upper. How its result lies in memory depends on the kernel.
func rrelu(c *ops.Call) value.Value {
	lo, ok1 := c.Float("lower")
	hi, ok2 := c.Float("upper")
	if ok1 && ok2 && lo > hi {
		return c.Errorf("RuntimeError", diag.BadValue, "%s: lower=%g must not exceed upper=%g", c.Short(), lo, hi)
	}
	out, ok := activate(c, ops.RealFloats).(*value.Tensor)
	if !ok {
		return nil
	}
	if !c.InPlace && out != c.Tensor("input") {
		return c.Unsure(out, c.Tensor("input"))
	}
	return out
}

// logsigmoid: how the result lies in memory is left open.
func logsigmoid(c *ops.Call) value.Value {
	out, ok := activate(c, ops.RealFloats).(*value.Tensor)
	if !ok {
		return nil
	}
	return c.Unsure(out, c.Tensor("input"))
}

// softshrink moves towards zero by lambd, which so must not be negative.
func softshrink(c *ops.Call) value.Value {
	if l, ok := c.Float("lambd"); ok && l < 0 {
		return c.Errorf("RuntimeError", diag.BadValue, "softshrink: lambd must not be negative, but it is %g", l)
	}
	return activate(c, ops.RealFloats)
}

// softsign is x / (1 + |x|), a division, so that integers become floats.
func softsign(c *ops.Call) value.Value {
	x := c.Tensor("input")
	if x == nil || !wantDType(c, x, "the input", ops.Numbers) {
		return nil
	}
	return c.Pointwise(c.ToFloat(x.Type().DType), nil, x)
}

// tanhshrink is x - tanh(x): integers become floats.
func tanhshrink(c *ops.Call) value.Value {
	x := c.Tensor("input")
	if x == nil || !wantDType(c, x, "the input", ops.Numbers) { // it subtracts
		return nil
	}
	return c.Pointwise(c.ToFloat(x.Type().DType), nil, x)
}

// glu halves the size of an axis, which must be even: (…, 2n, …) gives (…, n, …). For a symbol that
// it is even becomes a condition of the run. The input must be floating and have dimensions.
func glu(c *ops.Call) value.Value {
	x := c.Tensor("input")
	s := c.Shape(x)
	if !c.OK() {
		return nil
	}
	if len(s) == 0 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "glu needs an input with dimensions, but it is %s", x)
	}
	a := c.Axis("dim", len(s))
	if !c.OK() || !wantDType(c, x, "the input", ops.RealFloats) {
		return nil
	}
	two := c.Const(2)
	c.Blame(ops.Ref{Tensor: x, Axis: a})
	if !c.MultipleOf(s[a], two) {
		return c.Errorf("RuntimeError", diag.InvalidSize, "glu: dimension %d of the input %s must be even, to be halved, but its size is %s", a,
			x, s[a])
	}
	out := c.Out(x.Type().DType, ops.With(s, a, c.P.DimFloorDiv(s[a], two)))
	if x.Type().Strides != nil {
		out.Type().Strides = make([]*symshape.Expr, len(s))
	}
	return out
}

// prelu has one weight for all elements, or one for each channel, which is axis 1 (a vector has one
// channel). Input and weight have one dtype.
func prelu(c *ops.Call) value.Value {
	x, w := c.Tensor("input"), c.Tensor("weight")
	if x == nil || w == nil || !(x.Type().DType == dtype.BF16 && c.Torch1()) && !matchDType(c, x, "the input", w, "the weight") ||
		!wantDType(c, x, "the input", ops.RealFloats) {
		return nil
	}
	if w.Type().Ranked && x.Type().Ranked {
		ws, xs := w.Type().Shape, x.Type().Shape
		if len(ws) > 1 {
			return c.Errorf("RuntimeError", diag.RankMismatch, "prelu: the weight must have one dimension or none, but it is %s", w)
		}
		if len(ws) == 1 && !ops.IsConst(ws[0], 1) {
			channels := c.Const(1)
			if len(xs) == 0 {
				return c.Errorf("RuntimeError", diag.RankMismatch, "prelu: an input without dimensions needs a single weight, but there are %s", ws[0])
			}
			if len(xs) > 1 {
				channels = xs[1]
			}
			c.Blame(ops.Ref{Tensor: x, Axis: 1}, ops.Ref{Tensor: w, Axis: 0})
			if _, ok := c.Same(channels, ws[0]); !ok {
				return c.Shapef("prelu: the input %s has %s channels but there are %s weights", x, channels, ws[0])
			}
			c.Blame()
		}
	}
	if c.Torch1() {
		return c.Like(x, x.Type().DType) // it was made contiguous
	}
	return c.Pointwise(x.Type().DType, nil, x)
}

// dimGiven: dim may not be None.
const dimGiven ops.Variant = "dim given"

// softmaxAxis reads dim; torch.nn.functional chooses one when it is None.
func softmaxAxis(c *ops.Call, x *value.Tensor) {
	if !x.Type().Ranked {
		return
	}
	if c.Has("dim") {
		c.Axis("dim", x.Type().Rank())
	} else if c.Is(dimGiven) {
		c.Errorf("RuntimeError", diag.BadCall, "%s: dim must be given", c.Short())
	}
}

// softmax keeps the shape; dtype= converts first, so that with it integers are taken. An empty
// input is not looked at for its dtype.
func softmax(c *ops.Call) value.Value {
	x := c.Tensor("input")
	if x == nil {
		return nil
	}
	softmaxAxis(c, x)
	d := c.DType("dtype", x.Type().DType)
	if !c.OK() {
		return nil
	}
	if !ops.RealFloats.Has(d) && !c.Empty(x) {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s of %s is not defined: it takes a floating-point input, or dtype=", c.Short(), d)
	}
	return c.Like(x, d)
}

// softmin negates its input, which bools do not allow, and is then softmax.
func softmin(c *ops.Call) value.Value {
	x := c.Tensor("input")
	if x == nil || !wantDType(c, x, "the input", ops.Numbers) {
		return nil
	}
	return softmax(c)
}

// gumbelSoftmax keeps shape and dtype of the logits, which must be floats.
func gumbelSoftmax(c *ops.Call) value.Value {
	x := c.Tensor("logits")
	if x == nil || !wantDType(c, x, "logits", ops.RealFloats) {
		return nil
	}
	if x.Type().Ranked {
		c.Axis("dim", x.Type().Rank())
	}
	if !c.OK() {
		return nil
	}
	return c.Like(x, x.Type().DType)
}

// broadcastable checks that t fits into a shape without changing it: it has no more axes, and its
// sizes are those of the shape or 1. What has no known rank passes. It reports whether the call is
// without a fault.
func broadcastable(c *ops.Call, t *value.Tensor, what string, into symshape.Shape) bool {
	if t == nil || !t.Type().Ranked || !c.OK() {
		return c.OK()
	}
	out, axis, ok := c.Broadcast(into, t.Type().Shape)
	if !ok {
		c.Shapef("%s: %s %s does not fit the shape %s at dimension %d", c.Short(), what, t, into, -axis)
		return false
	}
	if len(out) != len(into) {
		c.Shapef("%s: %s %s has more dimensions than %s", c.Short(), what, t, into)
		return false
	}
	for i := range out {
		if ops.IsConst(into[i], 1) && !ops.IsConst(out[i], 1) {
			c.Shapef("%s: %s %s does not fit the shape %s", c.Short(), what, t, into)
			return false
		}
	}
	return true
}

package torch

// This file holds normalisation over groups of channels, over neighbouring
// channels and by norms. The checks follow torch/nn/functional.py and
// aten/src/ATen/native/{group_norm,WeightNorm}.cpp. Normalised inputs keep their shape and, but for local_response_norm, their dtype.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

var groupNormOps = [...]ops.Op{
	{Names: []string{"torch.nn.functional.group_norm"},
		Sig:  "(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05)",
		Rule: groupNorm, Is: graph.KeepsAxes | graph.BatchFirst | graph.OneTensor, Quirks: ops.OneDevice,
		Axes: "input: N C; input: N C W; input: N C H W; input: N C D H W", Variant: pythonNorm,
		Doc: "normalises over space and groups of channels, for each sample"},
	{Names: []string{"torch.group_norm"},
		Sig:  "(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool cudnn_enabled=True)",
		Rule: groupNorm, Is: graph.KeepsAxes | graph.OneTensor, Quirks: ops.OneDevice,
		Axes: "input: N C; input: N C W; input: N C H W; input: N C D H W",
		Doc:  "normalises over space and groups of channels, for each sample"},
	{Names: []string{"torch.native_group_norm"},
		Sig:  "(Tensor input, Tensor? weight, Tensor? bias, int N, int C, int HxW, int group, float eps)",
		Rule: nativeGroupNorm, Out: true, Doc: "group_norm, the mean and the inverse deviation"},
	{Names: []string{"torch.nn.functional.local_response_norm"}, Sig: "(Tensor input, any size, any alpha=0.0001, any beta=0.75, any k=1.0)",
		Rule: localResponseNorm, Doc: "divides by a mean over neighbouring channels"},
	{Names: []string{"torch.norm_except_dim"}, Sig: "(Tensor v, int pow=2, int dim=0)", Rule: normExceptDim,
		Doc: "norms of the slices along an axis, that of all at -1"},
	{Names: []string{"torch._weight_norm"}, Sig: "(Tensor v, Tensor g, int dim=0)", Rule: weightNorm,
		Doc: "v·g/|v|: the weight of torch.nn.utils.weight_norm"},
	{Names: []string{"torch.nn.functional.normalize"}, Sig: "(Tensor input, Scalar p=2.0, any dim=1, Scalar eps=1e-12)",
		Rule: normalize, Out: true, Form: graph.Normalize, Is: graph.AlongDim, Doc: "divides by the norm over an axis"},
}

// groupNorm: the groups divide the channels, axis 1. F.group_norm asks for more than one value per group as
// batch_norm does per channel; torch.group_norm does not. weight and bias are vectors of the number
// of channels and may be missing. The groups, at least one, must divide the channels.
func groupNorm(c *ops.Call) value.Value {
	x, groups := c.Tensor("input"), c.Dim("num_groups")
	if x == nil || !c.OK() || !atLeastRank(c, x, 2) {
		return nil
	}
	if !need(c, groups, 1, "%s: num_groups must be positive, but it is %s", c.Short(), groups) {
		return nil
	}
	if x.Type().Ranked {
		s := x.Type().Shape
		c.Blame(ops.Ref{Tensor: x, Axis: 1})
		if !c.MultipleOf(s[1], groups) {
			c.Saying(c.OfSizes(diag.NotMultiple, s[1], groups))
			return c.Shapef("%s: the %s channels of the input %s are not divisible by num_groups=%s", c.Short(), s[1], x, groups)
		}
		// The Python function refuses a single value per group, as its mean and variance would say
		// nothing.
		if c.Is(pythonNorm) {
			n := c.P.DimFloorDiv(c.P.DimMul(s[0], s[1]), groups)
			for _, d := range s[2:] {
				n = c.P.DimMul(n, d)
			}
			if !moreThanOne(c, n, "", "%s: expected more than 1 value per group when training, but the input is %s with num_groups=%s", c.Short(), x,
				groups) {
				return nil
			}
		}
		for _, name := range [...]string{"weight", "bias"} {
			if !vector(c, c.Tensor(name), name, s[1], ops.Ref{Tensor: x, Axis: 1}, "the number of channels of the input "+x.String()+" is") {
				return nil
			}
		}
	}
	if !wantDType(c, x, "the input", ops.RealFloats) || !checkParams(c, x, "weight", "bias") {
		return nil
	}
	out := likeLaid(c, x, x.Type().DType)
	// A weight of known size tells the channels of an input that does not know them.
	if w := optional(c, "weight"); w != nil && w.Type().Rank() == 1 && x.Type().Rank() > 1 {
		return sized(out, 1, w.Type().Shape[0])
	}
	return out
}

// nativeGroupNorm is given N, C and HxW as numbers and trusts them but for their product; the input must be
// contiguous, as its kernel reads memory in order. The results are the normalised input, and mean
// and inverse deviation of shape [N, group].
func nativeGroupNorm(c *ops.Call) value.Value {
	x, n, ch, g := c.Tensor("input"), c.Dim("N"), c.Dim("C"), c.Dim("group")
	if x == nil || !c.OK() || !wantDType(c, x, "the input", ops.RealFloats) || !checkParams(c, x, "weight", "bias") ||
		!need(c, g, 1, "native_group_norm: group must be positive, but it is %s", g) ||
		!need(c, n, 0, "native_group_norm: N must not be negative, but it is %s", n) {
		return nil
	}
	if want := c.P.DimMul(c.P.DimMul(n, ch), c.Dim("HxW")); x.Type().Ranked && (c.Torch1() || !ops.IsConst(n, 0)) {
		if _, ok := c.Same(c.NumelOf(x), want); !ok {
			return c.Shapef("native_group_norm: N·C·HxW is %s, but the input %s has %s elements", want, x, c.NumelOf(x))
		}
	}
	if !c.MultipleOf(ch, g) {
		return c.Shapef("native_group_norm: C=%s is not divisible by group=%s", ch, g)
	}
	for _, name := range [...]string{"weight", "bias"} {
		if !vector(c, c.Tensor(name), name, ch, ops.Ref{}, "C is") {
			return nil
		}
	}
	if shuffled(c, x) {
		return c.Errorf("RuntimeError", diag.BadValue, "native_group_norm needs a contiguous input: call contiguous() first: %s", x)
	}
	stats, d := symshape.Shape{n, g}, x.Type().DType
	// Statistics are kept in the dtype of the weight for mixed precision.
	if w := c.Tensor("weight"); w != nil && w.Type().DType == dtype.F32 && !c.Torch1() {
		d = dtype.F32
	}
	return value.NewTuple(c.Like(x, x.Type().DType), c.Out(d, stats), c.Out(d, stats))
}

// localResponseNorm is Python in torch.nn.functional: it pads the channels and averages over a window of them,
// so it needs an axis behind them. size is the number of channels in the window; alpha, beta and k
// take part in the promotion of dtypes only.
func localResponseNorm(c *ops.Call) value.Value {
	x := c.Tensor("input")
	if x == nil || !c.OK() {
		return nil
	}
	if x.Type().Ranked && len(x.Type().Shape) < 3 {
		return c.FixingRank().Errorf("ValueError", diag.RankMismatch,
			"%s needs an input of 3 or more dimensions, but it is %s", c.Short(), x)
	}
	if c.Empty(x) {
		return x
	}
	size := c.Dim("size")
	if !need(c, size, 1, "%s: size must be positive, but it is %s", c.Short(), size) ||
		!wantDType(c, x, "the input", ops.RealFloats|1<<dtype.I64) {
		return nil
	}
	// The view in PyTorch 1 fails for strides that cannot be joined.
	if ty := x.Type(); ty.Ranked && ty.Strides != nil && c.Torch1() { // the axes from the fourth on are viewed as one
		for i := 3; i+1 < len(ty.Shape); i++ {
			a, b := ty.Strides[i], ty.Strides[i+1]
			if a == nil || b == nil || ty.Shape[i+1].Expr == nil || ops.IsConst(ty.Shape[i], 1) || ops.IsConst(ty.Shape[i+1], 1) {
				continue
			}
			if c.Decide(c.P.Eq(a, c.P.Mul(b, ty.Shape[i+1].Expr))) == symshape.No {
				return c.Errorf("RuntimeError", diag.BadValue, "%s needs an input whose memory is contiguous from dimension 3 on: %s", c.Short(), x)
			}
		}
	}
	d := c.ResultType(x, c.Value("alpha"), c.Value("beta"), c.Value("k"))
	return likeLaid(c, x, c.ToFloat(d))
}

// normalize divides by a norm along dim, which may be several axes, each of them once; the shape
// stays. p and eps matter for elements only. Unknown axes pass.
func normalize(c *ops.Call) value.Value {
	x := c.Tensor("input")
	if x == nil || !c.OK() || !wantDType(c, x, "the input", ops.Inexact) {
		return nil
	}
	if x.Type().Ranked {
		dims, ok := c.Elems("dim")
		if !ok && c.Has("dim") {
			return nil
		}
		seen := map[int]bool{}
		for _, e := range dims {
			n, known := ops.DimVal(c.ToDim("dim", e))
			if !known {
				continue
			}
			a := c.WrapAxis(int(n), x.Type().Rank())
			if seen[a] && c.OK() {
				return c.Errorf("RuntimeError", diag.DimOutOfRange, "%s: dimension %d appears twice in dim", c.Short(), a)
			}
			seen[a] = true
		}
	}
	if !c.OK() {
		return nil
	}
	return c.Pointwise(x.Type().DType, nil, x)
}

// normExceptDim is the norm over all axes but one, of which the sizes stay as 1; -1 stands for none
// kept. The result has the shape of v with 1 for each other axis, or none at all for -1. The dtype
// is real.
func normExceptDim(c *ops.Call) value.Value {
	v, axis := c.Tensor("v"), c.Int("dim")
	s := c.Shape(v)
	if !c.OK() || !wantDType(c, v, "the input", ops.Inexact) {
		return nil
	}
	d := v.Type().DType.Real()
	if axis == -1 {
		return c.Out(d, symshape.Shape{})
	}
	a := c.WrapAxis(axis, len(s))
	if !c.OK() {
		return nil
	}
	out := make(symshape.Shape, len(s))
	for i := range out {
		out[i] = c.Const(1)
	}
	if len(out) > 0 {
		out[a] = s[a]
		if ops.IsConst(s[a], 0) { // it views the tensor as (size, -1)
			return c.Errorf("RuntimeError", diag.InvalidSize, "norm_except_dim: dimension %d of %s is empty", a, v)
		}
	}
	return c.Out(d, out)
}

// weightNorm scales v to the norms g: the shape of v. That g fits is left to the kernel. The two
// must have one real floating dtype.
func weightNorm(c *ops.Call) value.Value {
	v, g := c.Tensor("v"), c.Tensor("g")
	if v == nil || g == nil || !matchDType(c, v, "v", g, "g") || !wantDType(c, v, "v", ops.RealFloats) {
		return nil
	}
	s, axis := c.Shape(v), c.Int("dim")
	if len(s) == 0 && c.OK() {
		return c.Errorf("IndexError", diag.RankMismatch, "_weight_norm: v must have dimensions, but it is %s", v)
	}
	if axis != -1 {
		c.WrapAxis(axis, len(s))
	}
	if !c.OK() {
		return nil
	}
	return c.Out(v.Type().DType, s)
}

// shuffled reports whether the memory of t is surely neither contiguous nor in the
// order channels_last. Strides that are not known count as contiguous.
func shuffled(c *ops.Call, t *value.Tensor) bool {
	ty := t.Type()
	if ty.Strides == nil || !ty.Ranked || c.Empty(t) {
		return false
	}
	same := func(want []*symshape.Expr) bool {
		for i, s := range ty.Strides {
			if s == nil || want[i] == nil {
				return true // not known
			}
			if s != want[i] && !ops.IsConst(ty.Shape[i], 1) {
				return false
			}
		}
		return true
	}
	if same(c.RowMajor(ty.Shape)) {
		return false
	}
	return len(ty.Shape) < 4 || len(ty.Shape) > 5 || !same(channelsLast(c, ty.Shape))
}

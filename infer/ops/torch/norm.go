package torch

// This file holds normalisation layers. The checks follow
// torch/nn/functional.py and aten/src/ATen/native/{Normalization,layer_norm}.cpp. The result has
// the shape of the input. What the checks compare is the number of channels (axis 1) or the last
// axes with the parameters, and whether there is more than one value to normalise, which fails in
// training with a batch of one.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

var normOps = [...]ops.Op{
	{Names: []string{"torch.nn.functional.batch_norm"},
		Sig:  "(Tensor input, Tensor? running_mean, Tensor? running_var, Tensor? weight=None, Tensor? bias=None, any training=False, float momentum=0.1, float eps=1e-05)",
		Rule: batchNorm, Variant: pythonBatch, Is: graph.KeepsAxes | graph.BatchFirst | graph.OneTensor, Quirks: ops.OneDevice,
		Axes: "input: N C; input: N C W; input: N C H W; input: N C D H W; running_mean: C; weight: C; bias: C",
		Doc:  "normalises over the batch and space, for each channel"},
	{Names: []string{"torch.batch_norm"},
		Sig:  "(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled)",
		Rule: batchNormNative,
		Is:   graph.KeepsAxes | graph.OneTensor, Quirks: ops.OneDevice,
		Axes: "input: N C; input: N C W; input: N C H W; input: N C D H W; running_mean: C; weight: C; bias: C",
		Doc:  "batch_norm without the check of the batch's size"},
	{Names: []string{"torch.native_batch_norm"},
		Sig:  "(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps)",
		Rule: nativeBatchNorm, Out: true, Variant: nativeNorm, Doc: "batch_norm, the mean and the inverse deviation"},
	{Names: []string{"torch._native_batch_norm_legit"},
		Sig: "(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, bool training, float momentum, float eps) | " +
			"(Tensor input, Tensor? weight, Tensor? bias, bool training, float momentum, float eps)",
		Rule: nativeBatchNorm, Out: true, Variant: legitNorm, Doc: "batch_norm, the mean and the inverse deviation"},
	{Names: []string{"torch.nn.functional.instance_norm"},
		Sig: "(Tensor input, Tensor? running_mean=None, Tensor? running_var=None, Tensor? weight=None, Tensor? bias=None, any use_input_stats=True, " +
			"float momentum=0.1, float eps=1e-05)", Rule: instanceNorm, Is: graph.KeepsAxes | graph.BatchFirst | graph.OneTensor,
		Axes: "input: N C W; input: N C H W; input: N C D H W", Variant: pythonNorm,
		Doc: "normalises over space, for each sample and channel"},
	{Names: []string{"torch.instance_norm"},
		Sig:  "(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled)",
		Rule: instanceNorm, Is: graph.KeepsAxes | graph.OneTensor, Axes: "input: N C W; input: N C H W; input: N C D H W",
		Doc: "normalises over space, for each sample and channel"},
	{Names: []string{"torch.nn.functional.layer_norm"},
		Sig:  "(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05)",
		Rule: layerNorm, Is: graph.KeepsAxes | graph.OneTensor | graph.NormalizesLast, Quirks: ops.OneDevice,
		Doc: "normalises over the last axes"},
	{Names: []string{"torch.layer_norm"},
		Sig:  "(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool cudnn_enable=True)",
		Rule: layerNorm, Is: graph.KeepsAxes | graph.OneTensor | graph.NormalizesLast, Quirks: ops.OneDevice,
		Doc: "normalises over the last axes"},
	{Names: []string{"torch.native_layer_norm"}, Sig: "(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, float eps)",
		Rule: nativeLayerNorm, Out: true, Doc: "layer_norm, the mean and the inverse deviation"},
	{Names: []string{"torch.nn.functional.rms_norm", "torch.rms_norm"},
		Sig:  "(Tensor input, int[] normalized_shape, Tensor? weight=None, float? eps=None)",
		Rule: layerNorm, Variant: rmsNorm, Doc: "divides by the root mean square over the last axes"},
}

// moreThanOne is the refusal of batch_norm and others: n values for each channel
// are normalised, and one value would only give zero. why says what needs it, where the operation
// does not always. Known sizes of 1 are refused; sizes that may be 1 get the condition that they
// are not, which becomes part of the contract with why as its reason. False after a report.
func moreThanOne(c *ops.Call, n symshape.Dim, why, format string, args ...any) bool {
	if !c.OK() {
		return false
	}
	ok := true
	switch lo, _ := bounds(n.Expr); {
	case n.Known && n.Val == 1:
		ok = false
	case n.Expr == nil:
	// At least 1 for all sizes, so the condition is that it is at least 2.
	case lo >= 1:
		ok = c.AtLeastFor(n, 2, why)
	default: // an empty batch is accepted
		ok = c.Th.Require(c.P.Ne(n.Expr, c.P.Const(1)), why) != symshape.No
	}
	if !ok {
		c.Errorf("ValueError", diag.InvalidSize, format, args...)
	}
	return ok
}

// The widest bounds for an unknown size.
func bounds(e *symshape.Expr) (lo, hi int64) {
	if e == nil {
		return symshape.NegInf, symshape.PosInf
	}
	return e.Bounds()
}

// batchNorm is F.batch_norm: when training, Python's _verify_batch_size refuses inputs with one value per
// channel, since their variance is 0. It is asked before anything else. The usual cause is a model in training
// mode that is called with a batch of one.
func batchNorm(c *ops.Call) value.Value {
	x := c.Tensor("input")
	if x == nil || !c.OK() {
		return nil
	}
	if x.Type().Ranked && truthy(c, "training") {
		s := x.Type().Shape
		if len(s) == 0 {
			return c.Errorf("IndexError", diag.RankMismatch, "%s: the input must have a batch axis, but it is %s", c.Short(), x)
		}
		n := s[0]
		// The values per channel are those of the batch and of space.
		for _, d := range s[min(2, len(s)):] {
			n = c.P.DimMul(n, d)
		}
		c.Blame(ops.Ref{Tensor: x, Axis: 0})
		if !moreThanOne(c, n, value.WhyTraining, "%s: expected more than 1 value per channel when training, but the input is %s", c.Short(), x) {
			return nil
		}
		c.Blame()
	}
	return batchNormNative(c)
}

// batchNormNative is torch.batch_norm. Of an input without elements the parameters take part in the promotion
// of dtypes, as they are multiplied and added as numbers. Channels may become known from the
// parameters' size.
func batchNormNative(c *ops.Call) value.Value {
	x := c.Tensor("input")
	if !checkBatchNorm(c, x) {
		return nil
	}
	d := x.Type().DType
	if c.Empty(x) { // the first weight and bias are multiplied and added as numbers
		ops := []value.Value{x}
		for _, name := range [...]string{"weight", "bias"} {
			if t := c.Tensor(name); t != nil && t.Type().DType != dtype.Unknown {
				ops = append(ops, c.OutType(graph.TensorType{DType: t.Type().DType, Ranked: true}))
			}
		}
		d = c.ResultType(ops...)
	}
	out := likeLaid(c, x, d)
	for _, name := range [...]string{"running_mean", "weight"} {
		if t := optional(c, name); t != nil && t.Type().Rank() == 1 && x.Type().Rank() > 1 {
			return sized(out, 1, t.Type().Shape[0])
		}
	}
	return out
}

// nativeBatchNorm is torch.native_batch_norm, which gives the mean and the inverse deviation that the backward
// pass needs as well; when not training those are empty. The statistics have one element per
// channel.
func nativeBatchNorm(c *ops.Call) value.Value {
	x := c.Tensor("input")
	if !checkBatchNorm(c, x) {
		return nil
	}
	s := c.Shape(x)
	if !c.OK() {
		return nil
	}
	if len(s) < 2 { // an empty input is not checked, and has no channels to count
		return c.Lose("the input has one dimension")
	}
	saved, d := symshape.Shape{s[1]}, x.Type().DType
	if !truthy(c, "training") {
		saved = symshape.Shape{c.Const(0)}
	}
	// Statistics are kept in float32 for a bfloat16 input.
	if w := c.Tensor("weight"); w != nil && w.Type().DType == dtype.F32 && d == dtype.BF16 {
		d = dtype.F32
	}
	return value.NewTuple(c.Like(x, x.Type().DType), c.Out(d, saved), c.Out(d, saved))
}

// The functions of a rule that differ from the others.
const (
	nativeNorm  ops.Variant = "native"       // looks at empty inputs, and not at sizes
	legitNorm   ops.Variant = "legit"        // does too, and takes no empty input
	pythonBatch ops.Variant = "python batch" // checks eps in Python
	pythonNorm  ops.Variant = "python"       // checks in Python that there are several values
	rmsNorm     ops.Variant = "rms"
)

// isNative reports whether the function looks at empty inputs, and not at sizes. Both variants
// leave sizes to the kernel.
func isNative(c *ops.Call) bool { return c.Is(nativeNorm) || c.Is(legitNorm) }

// optional is an argument that not all overloads have, or nil. An argument that is None is nil,
// too.
func optional(c *ops.Call, name string) *value.Tensor {
	if !c.HasParam(name) {
		return nil
	}
	return c.Tensor(name)
}

// checkBatchNorm: the statistics and the parameters have one dimension and one element for each channel, axis 1
// of the input. The native functions leave that to their kernels and check less. Without training the
// statistics must be there, since nothing else could normalise. False after a report.
func checkBatchNorm(c *ops.Call, x *value.Tensor) bool {
	if x == nil || !c.OK() {
		return false
	}
	if c.Empty(x) && (x.Type().Rank() == 1 || !isNative(c)) {
		return true // batch_norm returns such an input before it checks the rest
	}
	if !atLeastRank(c, x, 2) {
		return false
	}
	for _, name := range [...]string{"running_mean", "running_var", "weight", "bias"} {
		t := optional(c, name)
		if t == nil {
			continue
		}
		// Only running statistics are checked for their rank here.
		if r := t.Type().Rank(); r >= 0 && r != 1 && name[0] == 'r' && !c.Empty(x) {
			c.Errorf("RuntimeError", diag.RankMismatch, "%s: %s must have one dimension, but it is %s", c.Short(), name, t)
			return false
		}
		if c.Empty(x) || isNative(c) { // sizes are not checked
			continue
		}
		if x.Type().Ranked && !numelIs(c, t, name, x.Type().Shape[1], ops.Ref{Tensor: x, Axis: 1}, "the number of channels of the input %s is",
			x) {
			return false
		}
	}
	if eps, known := c.Float("eps"); known && c.Is(pythonBatch) && !c.Torch1() && (eps < 0 || eps == 0 && c.Surely("training")) {
		c.Errorf("ValueError", diag.BadValue, "%s: eps must be positive when training, else not negative, but it is %g", c.Short(), eps)
		return false
	}
	if c.Is(legitNorm) && c.Empty(x) && truthy(c, "training") {
		c.Errorf("RuntimeError", diag.InvalidSize, "%s: the input %s is empty", c.Short(), x)
		return false
	}
	if !truthy(c, "training") && !(c.Has("running_mean") && c.Has("running_var")) && c.OK() {
		c.Errorf("RuntimeError", diag.BadCall, "%s: running_mean and running_var must be given when not training", c.Short())
		return false
	}
	return wantDType(c, x, "the input", ops.RealFloats) && checkParams(c, x, "running_mean", "running_var", "weight", "bias")
}

// checkParams checks the dtypes of parameters: all the input's, or all float32
// with an input of lower precision. PyTorch 1 has the mixture for batches only. The names are in
// the order in which faults are reported. False after a report.
func checkParams(c *ops.Call, x *value.Tensor, names ...string) bool {
	var first *value.Tensor
	for _, name := range names {
		t := optional(c, name)
		if t == nil {
			continue
		}
		d := x.Type().DType
		mixed := (d == dtype.BF16 || d == dtype.F16) && t.Type().DType == dtype.F32 && (len(names) > 2 || !c.Torch1())
		if !mixed && !matchDType(c, x, "the input", t, name) {
			return false
		}
		if first == nil {
			first = t
		} else if !matchDType(c, first, "one parameter", t, name) {
			return false
		}
	}
	return c.OK()
}

// instanceNorm needs an input (batch, channels, ...) of real floats; statistics, weight and bias are
// vectors with an element for each channel. With statistics of the input F.instance_norm needs more than
// one spatial element, and without them both running statistics are needed. The result has the input's
// type. Without elements some checks are left out, as PyTorch computes nothing.
func instanceNorm(c *ops.Call) value.Value {
	x := c.Tensor("input")
	stats := truthy(c, "use_input_stats")
	if x == nil || !c.OK() || !atLeastRank(c, x, 2) {
		return nil
	}
	if x.Type().Ranked {
		s := x.Type().Shape
		if stats && c.Is(pythonNorm) {
			c.Blame(ops.Ref{Tensor: x, Axis: len(s) - 1})
			if !moreThanOne(c, c.Numel(s[2:]), "", "%s: expected more than 1 spatial element when training, but the input is %s", c.Short(), x) {
				return nil
			}
			c.Blame()
		}
		for _, name := range [...]string{"running_mean", "running_var", "weight", "bias"} {
			t := c.Tensor(name)
			if t == nil {
				continue
			}
			if r := t.Type().Rank(); r > 1 {
				return c.Errorf("RuntimeError", diag.RankMismatch, "%s: %s must have one dimension, but it is %s", c.Short(), name, t)
			}
			if c.Empty(x) && (name[0] != 'r' || ops.IsConst(s[0], 0)) {
				continue
			}
			if !numelIs(c, t, name, s[1], ops.Ref{Tensor: x, Axis: 1}, "the number of channels of the input %s is", x) {
				return nil
			}
		}
		// PyTorch reads the first weight and bias, repeated for the batch.
		if (c.Has("weight") || c.Has("bias")) && !need(c, s[0], 1, "%s: dimension 0 of the input %s is empty", c.Short(), x) {
			return nil
		}
		for _, name := range [...]string{"weight", "bias"} {
			if t := c.Tensor(name); t != nil && c.Empty(t) {
				return c.Errorf("IndexError", diag.InvalidSize, "%s: %s is empty", c.Short(), name)
			}
		}
	}
	if !stats && !(c.Has("running_mean") && c.Has("running_var")) && c.OK() {
		return c.Errorf("RuntimeError", diag.BadCall, "%s: running_mean and running_var must be given when use_input_stats is false", c.Short())
	}
	params := []string{"running_mean", "running_var", "weight", "bias"}
	if stats && !c.Torch1() { // what is tracked may have any dtype
		params = params[2:]
	}
	if !c.Empty(x) && !wantDType(c, x, "the input", ops.RealFloats) || !checkParams(c, x, params...) {
		return nil
	}
	return likeLaid(c, x, x.Type().DType)
}

// layerNorm: the last axes must be exactly normalized_shape, which checkLayerNorm compares from the
// end. A size that is a symbol gets that of normalized_shape.
func layerNorm(c *ops.Call) value.Value {
	x := c.Tensor("input")
	n, ok := checkLayerNorm(c, x)
	if !ok {
		return nil
	}
	shape := c.Ints("normalized_shape")
	return sized(c.Like(x, x.Type().DType), len(x.Type().Shape)-n, shape...)
}

// nativeLayerNorm gives mean and inverse deviation, too, with a 1 in place of each normalised axis.
// The dtype of both is float32 for a bfloat16 input with float32 parameters.
func nativeLayerNorm(c *ops.Call) value.Value {
	x := c.Tensor("input")
	n, ok := checkLayerNorm(c, x)
	if !ok {
		return nil
	}
	ones := make(symshape.Shape, n)
	for i := range ones {
		ones[i] = c.Const(1)
	}
	d := x.Type().DType
	if w := c.Tensor("weight"); w != nil && w.Type().DType == dtype.F32 && d == dtype.BF16 {
		d = dtype.F32
	}
	return value.NewTuple(c.Like(x, x.Type().DType), retail(c, x, d, n, ones...), retail(c, x, d, n, ones...))
}

// checkLayerNorm demands a normalized_shape that is not empty, in which the input's shape ends, and a
// weight and bias of just that shape. The input is of real floats, for rms_norm also complex. It returns
// the number of dimensions. ok is false after a report.
func checkLayerNorm(c *ops.Call, x *value.Tensor) (n int, ok bool) {
	shape := c.Ints("normalized_shape")
	if x == nil || !c.OK() {
		return 0, false
	}
	n = len(shape)
	if n == 0 {
		c.Errorf("RuntimeError", diag.BadValue, "%s: normalized_shape must not be empty", c.Short())
		return 0, false
	}
	for _, name := range [...]string{"weight", "bias"} {
		if !c.HasParam(name) || !c.Has(name) {
			continue
		}
		t := c.Tensor(name)
		s := c.Shape(t)
		if !c.OK() {
			return 0, false
		}
		fits := len(s) == n
		for i := 0; fits && i < n; i++ {
			_, fits = c.Same(s[i], shape[i])
		}
		if !fits {
			c.Shapef("%s: %s must have the shape normalized_shape = %s, but it is %s", c.Short(), name, listOf(shape), t)
			return 0, false
		}
	}
	xs := x.Type().Shape
	if x.Type().Ranked && len(xs) < n {
		c.Errorf("RuntimeError", diag.RankMismatch, "%s: the input must end in normalized_shape = %s, but it is %s", c.Short(),
			listOf(shape), x)
		return 0, false
	}
	// From the last axis on.
	for i := 1; i <= n && i <= len(xs); i++ {
		c.Blame(ref(x, i))
		if _, ok := c.Same(xs[len(xs)-i], shape[n-i]); !ok {
			c.Shapef("%s: dimension %d of the input %s has size %s, but normalized_shape = %s expects %s", c.Short(), -i, x,
				xs[len(xs)-i], listOf(shape), shape[n-i])
			return 0, false
		}
	}
	c.Blame()
	set := ops.RealFloats
	if c.Is(rmsNorm) {
		return n, wantDType(c, x, "the input", ops.Inexact)
	}
	return n, wantDType(c, x, "the input", set) && checkParams(c, x, "weight", "bias")
}

package torch

// This file holds dropout in all its forms. The checks follow
// torch/nn/functional.py and aten/src/ATen/native/Dropout.cpp. Dropout keeps shape and dtype. What
// varies is which argument is looked at when: a probability of 0, evaluation mode and an empty
// input return early in PyTorch, so later demands are not made of them.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// any is the type of p and of the flags of the Python functions, which check them by hand; the
// functions in C++ have types.
const (
	dropoutSig  = "(Tensor input, any p=0.5, any training=True, any inplace=False)"
	alphaSig    = "(Tensor input, any p=0.5, any training=False, any inplace=False)"
	dropoutTSig = "(Tensor input, float p, bool train)"
)

var dropoutOps = [...]ops.Op{
	{Names: []string{"torch.nn.functional.dropout"}, Sig: dropoutSig, Rule: dropout(0),
		Is:    graph.View | graph.Ordered | graph.KeepsAxes | graph.OneTensor,
		Trace: ops.DrawsInTraining, Floats: "p", Doc: "zeroes elements at random when training"},
	{Names: []string{"torch.nn.functional.dropout1d"}, Sig: dropoutSig, Rule: dropout1d,
		Trace: ops.DrawsInTraining, Floats: "p", Doc: "zeroes channels at random when training"},
	{Names: []string{"torch.nn.functional.dropout2d"}, Sig: dropoutSig, Rule: dropout(2), Is: graph.View,
		Trace: ops.DrawsInTraining, Floats: "p", Doc: "zeroes channels at random when training"},
	{Names: []string{"torch.nn.functional.dropout3d"}, Sig: dropoutSig, Rule: dropout(1), Is: graph.View,
		Trace: ops.DrawsInTraining, Floats: "p", Doc: "zeroes channels at random when training"},
	{Names: []string{"torch.nn.functional.alpha_dropout"}, Sig: alphaSig, Rule: dropout(0),
		Trace: ops.DrawsInTraining, Floats: "p", Doc: "dropout that keeps mean and variance"},
	{Names: []string{"torch.nn.functional.feature_alpha_dropout"}, Sig: alphaSig, Rule: dropout(2), Is: graph.View,
		Trace: ops.DrawsInTraining, Floats: "p", Doc: "alpha_dropout of whole channels"},
	{Names: []string{"torch.dropout", "torch.alpha_dropout"}, Sig: dropoutTSig, Rule: dropout(0), InPlace: true,
		Is: graph.View | graph.Ordered | graph.KeepsAxes | graph.OneTensor, Trace: ops.DrawsInTraining,
		Doc: "zeroes elements at random when training"},
	{Names: []string{"torch.feature_dropout", "torch.feature_alpha_dropout"}, Sig: dropoutTSig, Rule: dropout(2), InPlace: true,
		Is: graph.View, Trace: ops.DrawsInTraining, Doc: "zeroes channels at random when training"},
	{Names: []string{"torch.native_dropout"}, Sig: "(Tensor input, float p, bool? train)", Rule: nativeDropout, Out: true,
		Trace: ops.DrawsInTraining, Doc: "dropout, and the mask"},
}

// dropout gives the rule of a dropout that needs an input of minRank dimensions
// where it does anything. p lies between 0 and 1 (ValueError). minRank is 2 for those that drop
// whole channels; the input must be floating. The demands hold only when training with a p that is
// neither 0 nor 1, of an input with elements.
func dropout(minRank int) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		x := c.Tensor("input")
		p, known, ok := dropoutP(c)
		if x == nil || !ok {
			return nil
		}
		name := "training"
		if !c.HasParam(name) {
			name = "train"
		}
		// training must be a bool; a number or text is a TypeError of the binding.
		switch v := value.Plain(c.Value(name)).(type) {
		case value.NoneType, value.Int, value.Float, value.Str, *value.Tuple, *value.List:
			return c.Errorf("TypeError", diag.TypeMismatch, "%s(): argument '%s' must be bool, not %s", c.Short(), name, ops.TypeName(v))
		}
		active := truthy(c, name)
		// A p that is not known may be 0, and then nothing is demanded.
		if n, ok := c.NumelOf(x).Const(); ok && n == 0 || known && p == 0 || !known {
			active = false
		}
		// With p = 1 all is multiplied by 0, whatever the dtype.
		if active && p != 1 {
			if !atLeastRank(c, x, minRank) || !wantDType(c, x, "the input", byVersion(c, ops.RealFloats, ops.Inexact)) {
				return nil
			}
		}
		// the tensor itself Where nothing is dropped the result is the input itself, as an alias.
		if !active && known && !c.InPlace && !(c.HasParam("inplace") && c.Bool("inplace")) && (p == 0 || decidedOff(c, name)) {
			return aliasOf(c, x)
		}
		return finish(c, c.Pointwise(x.Type().DType, nil, x))
	}
}

// decidedOff reports whether a flag is known to be false. An int of 0 counts, as the Python
// functions pass it on.
func decidedOff(c *ops.Call, name string) bool {
	switch v := value.Plain(c.Value(name)).(type) {
	case value.Bool:
		return !bool(v)
	case value.Int:
		return v == 0
	}
	return false
}

// dropoutP reads p. known says whether it has a value, ok is false after a fault. A tensor of one
// element is accepted for p.
func dropoutP(c *ops.Call) (p float64, known, ok bool) {
	if !c.OK() {
		return 0, false, false
	}
	switch v := value.Plain(c.Value("p")).(type) {
	case value.Float, value.Int, value.Bool, *value.SymFloat, *value.SymInt, *value.Tensor, *value.Unknown, *value.Choice:
	default:
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): argument 'p' must be float, not %s", c.Short(), ops.TypeName(v))
		return 0, false, false
	}
	p, known = c.Float("p")
	if known && !(p >= 0 && p <= 1) {
		c.Errorf("ValueError", diag.BadValue, "%s: the dropout probability must be between 0 and 1, but it is %g", c.Short(), p)
		return p, known, false
	}
	return p, known, c.OK()
}

// dropout1d takes a batch or a single sample with channels: 2 or 3 dimensions.
func dropout1d(c *ops.Call) value.Value {
	x := c.Tensor("input")
	if _, _, ok := dropoutP(c); !ok || !wantRank(c, x, 2, 3) {
		return nil
	}
	return dropout(2)(c)
}

// nativeDropout gives the result and the mask of what was kept, both with the order of the input's
// axes. train=None means training.
func nativeDropout(c *ops.Call) value.Value {
	x := c.Tensor("input")
	active := c.Value("train") == value.None || c.Bool("train")
	if p, known := c.Float("p"); active && known && !(p >= 0 && p <= 1) {
		return c.Errorf("RuntimeError", diag.BadValue, "native_dropout: p must be between 0 and 1, but it is %g", p)
	}
	if x == nil || !c.OK() || active && !c.Empty(x) && !wantDType(c, x, "the input", ops.Inexact) {
		return nil
	}
	mask := dtype.Bool
	if c.Empty(x) {
		mask = x.Type().DType // nothing is drawn
	}
	return value.NewTuple(c.Preserving(x, x.Type().DType), c.Preserving(x, mask))
}

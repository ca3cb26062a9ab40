package ops

// This file holds dropout in all its forms. The checks follow
// torch/nn/functional.py and aten/src/ATen/native/Dropout.cpp.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

const (
	dropoutSig  = "(Tensor input, any p=0.5, any training=True, any inplace=False)"
	alphaSig    = "(Tensor input, any p=0.5, any training=False, any inplace=False)"
	dropoutTSig = "(Tensor input, float p, bool train)"
)

var dropoutOps = [...]Op{
	{Names: []string{"torch.nn.functional.dropout"}, Sig: dropoutSig, Rule: dropout(0),
		Is: graph.View | graph.Ordered | graph.KeepsAxes, Doc: "zeroes elements at random when training"},
	{Names: []string{"torch.nn.functional.dropout1d"}, Sig: dropoutSig, Rule: dropout1d, Doc: "zeroes channels at random when training"},
	{Names: []string{"torch.nn.functional.dropout2d"}, Sig: dropoutSig, Rule: dropout(2), Is: graph.View, Doc: "zeroes channels at random when training"},
	{Names: []string{"torch.nn.functional.dropout3d"}, Sig: dropoutSig, Rule: dropout(1), Is: graph.View, Doc: "zeroes channels at random when training"},
	{Names: []string{"torch.nn.functional.alpha_dropout"}, Sig: alphaSig, Rule: dropout(0), Doc: "dropout that keeps mean and variance"},
	{Names: []string{"torch.nn.functional.feature_alpha_dropout"}, Sig: alphaSig, Rule: dropout(2), Is: graph.View, Doc: "alpha_dropout of whole channels"},
	{Names: []string{"torch.dropout", "torch.alpha_dropout"}, Sig: dropoutTSig, Rule: dropout(0), InPlace: true,
		Is: graph.View | graph.Ordered | graph.KeepsAxes, Doc: "zeroes elements at random when training"},
	{Names: []string{"torch.feature_dropout", "torch.feature_alpha_dropout"}, Sig: dropoutTSig, Rule: dropout(2), InPlace: true,
		Is: graph.View, Doc: "zeroes channels at random when training"},
	{Names: []string{"torch.native_dropout"}, Sig: "(Tensor input, float p, bool? train)", Rule: nativeDropout, Out: true, Doc: "dropout, and the mask"},
}

// dropout gives the rule of a dropout that needs an input of minRank dimensions
// where it does anything.
func dropout(minRank int) func(*Call) value.Value {
	return func(c *Call) value.Value {
		x := c.Tensor("input")
		p, known, ok := dropoutP(c)
		if x == nil || !ok {
			return nil
		}
		name := "training"
		if !c.HasParam(name) {
			name = "train"
		}
		switch v := value.Plain(c.Value(name)).(type) {
		case value.NoneType, value.Int, value.Float, value.Str, *value.Tuple, *value.List:
			return c.Errorf("TypeError", diag.TypeMismatch, "%s(): argument '%s' must be bool, not %s", c.short(), name, TypeName(v))
		}
		active := c.truthy(name)
		if n, ok := c.numel(x).Const(); ok && n == 0 || known && p == 0 || !known {
			active = false
		}
		if active && p != 1 {
			if !c.atLeastRank(x, minRank) || !c.wantDType(x, "the input", realFloats) {
				return nil
			}
		}
		if !active && known && !c.inout && !(c.HasParam("inplace") && c.Bool("inplace")) && (p == 0 || c.decidedOff(name)) { // the tensor itself
			return c.aliasOf(x)
		}
		return c.finish(c.pointwise(x.Type().DType, nil, x))
	}
}

// decidedOff reports whether a flag is known to be false.
func (c *Call) decidedOff(name string) bool {
	switch v := value.Plain(c.Value(name)).(type) {
	case value.Bool:
		return !bool(v)
	case value.Int:
		return v == 0
	}
	return false
}

func dropoutP(c *Call) (p float64, known, ok bool) {
	if !c.OK() {
		return 0, false, false
	}
	switch v := value.Plain(c.Value("p")).(type) {
	case value.Float, value.Int, value.Bool, *value.SymFloat, *value.SymInt, *value.Tensor, *value.Unknown, *value.Choice:
	default:
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): argument 'p' must be float, not %s", c.short(), TypeName(v))
		return 0, false, false
	}
	p, known = c.Float("p")
	if known && !(p >= 0 && p <= 1) {
		c.Errorf("ValueError", diag.BadValue, "%s: the dropout probability must be between 0 and 1, but it is %g", c.short(), p)
		return p, known, false
	}
	return p, known, c.OK()
}

func dropout1d(c *Call) value.Value {
	x := c.Tensor("input")
	if _, _, ok := dropoutP(c); !ok || !c.wantRank(x, 2, 3) {
		return nil
	}
	return dropout(2)(c)
}

func nativeDropout(c *Call) value.Value {
	x := c.Tensor("input")
	active := c.Value("train") == value.None || c.Bool("train")
	if p, known := c.Float("p"); active && known && !(p >= 0 && p <= 1) {
		return c.Errorf("RuntimeError", diag.BadValue, "native_dropout: p must be between 0 and 1, but it is %g", p)
	}
	if x == nil || !c.OK() || active && !c.empty(x) && !c.wantDType(x, "the input", inexact) {
		return nil
	}
	mask := dtype.Bool
	if c.empty(x) {
		mask = x.Type().DType // nothing is drawn
	}
	return value.NewTuple(c.preserving(x, x.Type().DType), c.preserving(x, mask))
}

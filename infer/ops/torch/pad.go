package torch

// This file holds padding. The rules follow aten/src/ATen/native/PadNd.cpp,
// ReflectionPad.cpp and ReplicationPadding.cpp. pad lists pairs for the axes from the last one
// back, so (1, 2, 3, 4) pads the last axis by 1 and 2 and the one before by 3 and 4. A size becomes
// n + left + right.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
)

var padOps = [...]ops.Op{
	{Names: []string{"torch.nn.functional.pad", "torch._C._nn.pad"}, Sig: "(Tensor input, int[] pad, str mode='constant', float? value=None)",
		Rule: padMode, Form: graph.Resize, Is: graph.KeepsAxes | graph.OneTensor, Numbers: []ops.Converted{{Param: "value", Real: true}},
		Doc: "pads the last axes, the last one first"},
	{Names: []string{"torch.constant_pad_nd"}, Sig: "(Tensor input, int[] pad, Scalar value=0)", Rule: padConstant,
		Form: graph.Resize, Numbers: []ops.Converted{{Param: "value"}}, Doc: "pads the last axes with a number"},
}

// padConstant is constant_pad_nd, the kernel of the mode.
func padConstant(c *ops.Call) value.Value { return padWith(c, "constant") }

// padMode is F.pad. Modes other than constant take no value but 0; another mode is a
// NotImplementedError.
func padMode(c *ops.Call) value.Value {
	mode := c.Str("mode")
	switch mode {
	case "constant", "reflect", "replicate", "circular", "":
	default:
		return c.Errorf("NotImplementedError", diag.BadValue, "%s: mode must be constant, reflect, replicate or circular, not '%s'", c.Short(),
			mode)
	}
	if mode != "constant" && c.OK() && c.Has("value") {
		if f, known := c.Float("value"); !known || f != 0 {
			if known {
				return c.Errorf("RuntimeError", diag.BadValue, "%s: mode '%s' takes no value", c.Short(), mode)
			}
		}
	}
	return padWith(c, mode)
}

// padWith needs a pair of paddings for each of the last dimensions, not more pairs than dimensions;
// negative ones cut. In mode reflect a padding is less than the size, in circular at most the size.
// Whether a size of 0 may result depends on the mode and on PyTorch's version (PadNd.cpp,
// ReflectionPad.cpp, ReplicationPadding.cpp). The dtype stays. Sizes may be symbols, for which the
// demands become conditions.
func padWith(c *ops.Call, mode string) value.Value {
	x, pads := c.Tensor("input"), c.Ints("pad")
	if !c.OK() || x == nil {
		return nil
	}
	n := len(pads) / 2
	switch {
	case len(pads)%2 != 0:
		return c.Errorf("RuntimeError", diag.BadValue, "%s: pad must have an even number of elements, but it has %d", c.Short(), len(pads))
	case x.Type().Ranked && n > len(x.Type().Shape):
		return c.Errorf("RuntimeError", diag.BadValue, "%s: pad has %d elements, for %d dimensions, but the input %s has %d", c.Short(),
			diag.Count(len(pads)), n, x,
			len(x.Type().Shape))
	}
	if mode != "constant" {
		if !padRanks(c, x, n, mode) {
			return nil
		}
	}
	cutOnly := true // then nothing is padded, and a size of 0 is accepted
	for _, d := range pads {
		if v, ok := d.Const(); !ok || v > 0 {
			cutOnly = false
		}
	}
	in := tail(x, n)
	out := make(symshape.Shape, n)
	p := c.P
	for i := range out {
		// The pair i belongs to the axis i from the end.
		axis := n - 1 - i
		l, r := pads[2*i], pads[2*i+1]
		c.Blame(ref(x, i+1))
		if mode == "reflect" || mode == "circular" {
			least := int64(1)
			if mode == "circular" {
				least = 0
			}
			for _, side := range [...]symshape.Dim{l, r} {
				if !need(c, p.DimSub(in[axis], side), least, "%s: padding %s is too large for mode '%s': dimension %d of the input %s has size %s",
					c.Short(), side, mode, axis-n, x, in[axis]) {
					return nil
				}
			}
		}
		out[axis] = p.DimAdd(p.DimAdd(in[axis], l), r)
		// least is the smallest size that the result may have.
		least := int64(1)
		if mode == "constant" && (cutOnly || !c.Torch1()) || mode == "circular" || n > 1 &&
			(mode == "reflect" || mode == "replicate" && c.Torch1()) {
			least = 0
		}
		if mode == "constant" && !padCut(c, x, axis-n, in[axis], l, r) {
			return nil
		}
		if !need(c, out[axis], least, "%s: dimension %d of the input %s, padded by %s and %s, would have size %s", c.Short(), axis-n, x, l, r,
			out[axis]) {
			return nil
		}
	}
	c.Blame()
	// Of several axes at least one must be left.
	if n > 1 && (mode == "reflect" || mode == "replicate") && !slices.ContainsFunc(out,
		func(d symshape.Dim) bool { return !ops.IsConst(d, 0) }) {
		return c.Errorf("RuntimeError", diag.InvalidSize, "%s: nothing is left of the input %s", c.Short(), x)
	}
	return retail(c, x, x.Type().DType, n, out...)
}

// padCut checks negative padding, which takes away on each side in turn before
// anything is added. It is for the mode constant. It reports whether there is no fault.
func padCut(c *ops.Call, x *value.Tensor, axis int, size, l, r symshape.Dim) bool {
	for _, d := range [...]symshape.Dim{l, r} {
		if v, ok := d.Const(); !ok || v >= 0 {
			continue
		}
		size = c.P.DimAdd(size, d)
		if !need(c, size, 0, "%s: padding by %s and %s takes more from dimension %d of the input %s than there is", c.Short(), l, r, axis, x) {
			return false
		}
	}
	return true
}

// padRanks checks what the modes other than constant need: n of the last axes
// are padded of an input with n+1 or n+2. It reports whether there is no fault. The dtypes differ
// by mode and version.
func padRanks(c *ops.Call, x *value.Tensor, n int, mode string) bool {
	set := ops.Numbers
	switch {
	case mode == "circular":
		set = ops.AnyDType
	case c.Torch1():
		set = ops.Inexact
	}
	ranked, rank := x.Type().Ranked, len(x.Type().Shape)
	if n < 1 || n > 3 || ranked && rank != n+1 && rank != n+2 || mode == "circular" && ranked && rank != n+2 && c.Torch1() {
		class := "NotImplementedError"
		if mode == "circular" && rank == n+1 {
			class = "RuntimeError"
		}
		c.Errorf(class, diag.RankMismatch, "%s: mode '%s' with %d numbers needs an input of %d or %d dimensions, but it is %s", c.Short(), mode,
			2*n, n+1, n+2, x)
		return false
	}
	// axes is how many of the last axes must have elements.
	axes := n + 1
	switch {
	case mode == "circular":
		axes = 0
	case mode == "reflect" && n < 3: // the first axis is taken for the batch
		axes = rank - 1
	}
	return nonEmpty(c, x, min(axes, rank)) && wantDType(c, x, "the input", set)
}

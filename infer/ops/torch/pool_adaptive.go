package torch

// This file holds pooling to a given size (adaptive, fractional) and its
// inverse, unpooling. Adaptive pooling divides each axis of space into as many windows as
// output_size says, so the result's size is output_size itself and no window arithmetic is needed:
// [N?, C, in…] becomes [N?, C, output_size…]. The input must have n+1 or n+2 dimensions for n axes
// of space. Fractional pooling gives output_size or a share of the size, and needs room for its
// windows. Unpooling inverts max pooling: (in-1)·stride - 2·padding + kernel.

import (
	"fmt"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// %d is the number of axes.
const (
	fractionalSig = "(Tensor input, int[%d] kernel_size, int[%[1]d]? output_size=None, any output_ratio=None, bool return_indices=False, Tensor? _random_samples=None)"
	unpoolSig     = "(Tensor input, Tensor indices, any kernel_size, any stride=None, any padding=0, int[]? output_size=None)"
)

var adaptivePoolOps = [...]ops.Op{
	{Names: []string{"torch.nn.functional.adaptive_avg_pool1d", "torch.adaptive_avg_pool1d"}, Sig: "(Tensor input, int[1] output_size)",
		Rule: adaptiveAvg(1), Spatial: 1, Is: graph.KeepsAxes | graph.BatchFirst,
		Trace: ops.FixesGiven | ops.Windows, Quirks: ops.Compiled, Doc: "mean over as many windows as asked for"},
	{Names: []string{"torch.nn.functional.adaptive_avg_pool2d", "torch._C._nn.adaptive_avg_pool2d", "torch.mkldnn_adaptive_avg_pool2d"},
		Sig: "(Tensor input, any output_size)", Rule: adaptiveAvg(2),
		Spatial: 2, Is: graph.KeepsAxes | graph.BatchFirst,
		Trace: ops.FixesGiven | ops.Windows, Doc: "mean over as many windows as asked for"},
	{Names: []string{"torch.nn.functional.adaptive_avg_pool3d", "torch._C._nn.adaptive_avg_pool3d"}, Sig: "(Tensor input, any output_size)",
		Rule: adaptiveAvg(3), Spatial: 3, Is: graph.KeepsAxes | graph.BatchFirst,
		Trace: ops.FixesGiven | ops.Windows, Doc: "mean over as many windows as asked for"},
	{Names: []string{"torch.nn.functional.adaptive_max_pool1d"}, Sig: "(Tensor input, int[1] output_size, any return_indices=False)",
		Rule: adaptiveMax(1), Spatial: 1, Is: graph.KeepsAxes,
		Trace: ops.FixesGiven | ops.Windows, Doc: "maximum over as many windows as asked for"},
	{Names: []string{"torch.nn.functional.adaptive_max_pool2d"}, Sig: "(Tensor input, any output_size, any return_indices=False)",
		Rule: adaptiveMax(2), Spatial: 2, Is: graph.KeepsAxes,
		Trace: ops.FixesGiven | ops.Windows, Doc: "maximum over as many windows as asked for"},
	{Names: []string{"torch.nn.functional.adaptive_max_pool3d"}, Sig: "(Tensor input, any output_size, any return_indices=False)",
		Rule: adaptiveMax(3), Spatial: 3, Is: graph.KeepsAxes,
		Trace: ops.FixesGiven | ops.Windows, Doc: "maximum over as many windows as asked for"},
	{Names: []string{"torch.nn.functional.adaptive_max_pool1d_with_indices", "torch.adaptive_max_pool1d"},
		Sig: "(Tensor input, int[1] output_size, bool return_indices=False)", Rule: adaptiveMaxIndices(1),
		Trace: ops.FixesGiven | ops.Windows, Doc: "adaptive maximum, and the indices"},
	{Names: []string{"torch.nn.functional.adaptive_max_pool2d_with_indices", "torch._C._nn.adaptive_max_pool2d"},
		Sig: "(Tensor input, any output_size, bool return_indices=False)", Rule: adaptiveMaxIndices(2),
		Trace: ops.FixesGiven | ops.Windows, Doc: "adaptive maximum, and the indices"},
	{Names: []string{"torch.nn.functional.adaptive_max_pool3d_with_indices", "torch._C._nn.adaptive_max_pool3d"},
		Sig: "(Tensor input, any output_size, bool return_indices=False)", Rule: adaptiveMaxIndices(3),
		Trace: ops.FixesGiven | ops.Windows, Doc: "adaptive maximum, and the indices"},
	{Names: []string{"torch.nn.functional.fractional_max_pool2d"}, Sig: fmt.Sprintf(fractionalSig, 2), Rule: fractional(2, false),
		Trace: ops.Windows, Doc: "maximum over windows at random places"},
	{Names: []string{"torch.nn.functional.fractional_max_pool3d"}, Sig: fmt.Sprintf(fractionalSig, 3), Rule: fractional(3, false),
		Trace: ops.Windows, Doc: "maximum over windows at random places"},
	{Names: []string{"torch.nn.functional.fractional_max_pool2d_with_indices"}, Sig: fmt.Sprintf(fractionalSig, 2), Rule: fractional(2, true),
		Trace: ops.Windows, Doc: "fractional maximum, and the indices"},
	{Names: []string{"torch.nn.functional.fractional_max_pool3d_with_indices"}, Sig: fmt.Sprintf(fractionalSig, 3), Rule: fractional(3, true),
		Trace: ops.Windows, Doc: "fractional maximum, and the indices"},
	{Names: []string{"torch.nn.functional.max_unpool1d"}, Sig: unpoolSig, Rule: unpool(1),
		Trace: ops.Windows, Doc: "the inverse of max_pool1d, zero elsewhere"},
	{Names: []string{"torch.nn.functional.max_unpool2d"}, Sig: unpoolSig, Rule: unpool(2),
		Trace: ops.Windows, Doc: "the inverse of max_pool2d, zero elsewhere"},
	{Names: []string{"torch.nn.functional.max_unpool3d"}, Sig: unpoolSig, Rule: unpool(3),
		Trace: ops.Windows, Doc: "the inverse of max_pool3d, zero elsewhere"},
}

// adaptiveSize reads output_size over n axes, where None keeps the size. False means that the fault
// is reported, or that the argument is not known. One number holds for all axes. The sizes may be
// symbolic, and must be at least 0.
func adaptiveSize(c *ops.Call, x *value.Tensor, n int) (symshape.Shape, bool) {
	if !c.OK() {
		return nil, false
	}
	// in are the last n sizes.
	in := tail(x, n)
	out := make(symshape.Shape, n)
	elems, isList := c.Elems("output_size")
	v := c.Value("output_size")
	switch {
	case v == value.None:
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): output_size must be an int or ints, not None", c.Short())
		return nil, false
	case !isList:
		return nil, false
	case ops.IsTensor(v) && n > 1: // one int is read by the function itself
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): output_size must be an int or ints, not a Tensor", c.Short())
		return nil, false
	// The appended slice must not write into the argument's own elements.
	case !ops.IsSequence(v):
		for len(elems) < n {
			elems = append(elems[:len(elems):len(elems)], v)
		}
	case len(elems) != n:
		c.Errorf("RuntimeError", diag.BadValue, "%s: output_size must have %d elements, but it has %d",
			c.Short(), n, diag.Count(len(elems)))
		return nil, false
	}
	for i := range out {
		if elems[i] == value.None {
			out[i] = in[i]
			continue
		}
		// A tensor of one integer counts as an int.
		if t, ok := elems[i].(*value.Tensor); ok && !ops.IsIndex(t) {
			c.Errorf("TypeError", diag.TypeMismatch, "%s(): output_size must be ints, not %s", c.Short(), t)
			return nil, false
		}
		switch elems[i].(type) {
		case value.Bool, *value.SymBool:
			if i > 0 { // PyTorch looks at the type of the first alone
				break
			}
			c.Errorf("TypeError", diag.TypeMismatch, "%s(): output_size must be ints, not %s", c.Short(), ops.TypeName(elems[i]))
			return nil, false
		// Python's own conversion refuses floats.
		case value.Float:
			c.Errorf("TypeError", diag.TypeMismatch, "%s(): output_size must be ints, not %s", c.Short(), ops.TypeName(elems[i]))
			return nil, false
		}
		out[i] = c.ToDim("output_size", elems[i])
		if !need(c, out[i], 0, "%s: output_size must not be negative, but it is %s", c.Short(), out[i]) {
			return nil, false
		}
	}
	return out, c.OK()
}

// adaptiveArgs reads and checks the arguments of adaptive pooling. spaceOnly
// says that only the axes of space must not be empty; then a result without
// elements is returned before the dtype is looked at. The rank of output_size is compared by
// torch.nn.functional._list_with_default before the rank of the input is.
func adaptiveArgs(c *ops.Call, n int, spaceOnly bool) (x *value.Tensor, out symshape.Shape, ok bool) {
	x = c.Tensor("input")
	if x == nil || !c.OK() {
		return nil, nil, false
	}
	rank := x.Type().Rank()
	if elems, isList := c.Elems("output_size"); isList && n > 1 && ops.IsSequence(c.Value("output_size")) && rank >= 0 && rank <= len(elems) {
		c.Errorf("ValueError", diag.RankMismatch, "%s: the input %s has no more dimensions than output_size has elements, %d", c.Short(), x,
			diag.Count(len(elems)))
		return nil, nil, false
	}
	if !wantRank(c, x, n+1, n+2) {
		return nil, nil, false
	}
	out, ok = adaptiveSize(c, x, n)
	axes := n
	// A 2-D input of adaptive_max_pool1d is taken as [C, L], but PyTorch checks all axes after the
	// first one.
	if !spaceOnly { // the first axis is taken for the batch, even where there is none
		axes = max(n, len(x.Type().Shape)-1)
	}
	// Whether a dtype is checked at all for nothing to compute differs between the kernels: in 3-D
	// it always is.
	ok = ok && nonEmpty(c, x, axes) && ((c.Empty(x) || spaceOnly && isEmpty(out)) && n < 3 || wantDType(c, x, "the input", ops.RealFloats))
	return x, out, ok
}

// adaptiveAvg makes the rule of adaptive_avg_pool over n axes, whose result has the sizes that are asked for.
// To one point it is computed as a mean, which takes more dtypes and inputs that pooling refuses.
func adaptiveAvg(n int) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		if x := c.Tensor("input"); x != nil && allOnes(c, "output_size", n) {
			return adaptiveMean(c, x, n)
		}
		x, out, ok := adaptiveArgs(c, n, n < 3)
		if !ok {
			return nil
		}
		return retail(c, x, x.Type().DType, n, out...)
	}
}

// allOnes reports whether an argument is 1 for each of n axes. Only constants count; a symbolic 1
// takes the general way.
func allOnes(c *ops.Call, name string, n int) bool {
	elems, ok := c.Elems(name)
	if !ok || ops.IsSequence(c.Value(name)) && len(elems) != n {
		return false
	}
	for _, e := range elems {
		if i, isInt := e.(value.Int); !isInt || i != 1 {
			return false
		}
	}
	return true
}

// adaptiveMean is adaptive_avg_pool to size 1, which PyTorch makes a mean over
// the last axes, of an input of any rank. For 1-D, the rank is checked as always; for the others
// only as far as at::mean over the last axes and _list_with_default need it.
func adaptiveMean(c *ops.Call, x *value.Tensor, n int) value.Value {
	rank := x.Type().Rank()
	switch {
	case n == 1 && !wantRank(c, x, 2, 3):
		return nil
	case rank >= 0 && ops.IsSequence(c.Value("output_size")) && n > 1 && rank <= n:
		c.Saying(diag.Fact{Kind: diag.WrongRank, Of: x.String(), Wants: int64(n + 2)})
		return c.Errorf("RuntimeError", diag.RankMismatch, "%s() expects an input of %dD or %dD, but got %dD: %s", c.Short(), n+1, n+2, rank, x)
	case !atLeastRank(c, x, n) || !wantDType(c, x, "the input", ops.Inexact):
		return nil
	}
	// The mean keeps the axes with size 1.
	ones := make(symshape.Shape, n)
	for i := range ones {
		ones[i] = c.Const(1)
	}
	return retail(c, x, x.Type().DType, n, ones...)
}

// adaptiveMax makes the rule of adaptive_max_pool; with return_indices it gives the positions in the input,
// too.
func adaptiveMax(n int) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		// Truth of any object, as Python's "if return_indices".
		if truthy(c, "return_indices") {
			return adaptiveMaxIndices(n)(c)
		}
		x, out, ok := adaptiveArgs(c, n, false)
		if !ok {
			return nil
		}
		return retail(c, x, x.Type().DType, n, out...)
	}
}

// The indices have the shape of the result and the dtype int64.
func adaptiveMaxIndices(n int) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		x, out, ok := adaptiveArgs(c, n, false)
		if !ok {
			return nil
		}
		return value.NewTuple(retail(c, x, x.Type().DType, n, out...), retail(c, x, dtype.I64, n, out...))
	}
}

// fractional is fractional_max_pool: output_size, or int(size·output_ratio). kernel_size has one
// number or n. With a ratio the size of the result is int(size·ratio), for each axis. Neither of
// the two is a ValueError. Every window must have room: in >= out + kernel - 1, and one more in
// 3-D. The places of windows are random and play no part in shapes.
func fractional(n int, indices bool) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		x, kernel := c.Tensor("input"), c.IntsN("kernel_size", n)
		if k := c.Value("kernel_size"); ops.IsSequence(k) {
			if elems, ok := c.Elems("kernel_size"); ok && len(elems) != n {
				return c.Errorf("RuntimeError", diag.BadValue, "%s: kernel_size must be a number or %d, but it has %d elements", c.Short(), n,
					diag.Count(len(elems)))
			}
		}
		if !wantRank(c, x, n+1, n+2) {
			return nil
		}
		in := tail(x, n)
		var out symshape.Shape
		switch {
		case c.Has("output_size"):
			elems, ok := c.Elems("output_size")
			if out = c.IntsN("output_size", n); ok && ops.IsSequence(c.Value("output_size")) && len(elems) != n {
				return c.Errorf("RuntimeError", diag.BadValue, "%s: output_size must be a number or %d, but it has %d elements", c.Short(), n,
					diag.Count(len(elems)))
			}
		case c.Has("output_ratio"):
			ratios := scales(c, "output_ratio", n, false)
			if !c.OK() {
				return nil
			}
			// The ratio may be known only as a float that is symbolic, then the size is not known.
			for i := range in {
				out = append(out, scaled(c, in[i], ratios[i]))
			}
		default:
			return c.Errorf("ValueError", diag.BadCall, "%s needs output_size or output_ratio", c.Short())
		}
		sizes := n + 1 // of a batch; without one, PyTorch does not look at the channels
		if x.Type().Rank() == n+1 {
			sizes = n
		}
		// Integer dtypes are not implemented.
		if !nonEmpty(c, x, sizes) || !needAll(c, "output_size", out, 0) || !wantDType(c, x, "the input", ops.RealFloats) {
			return nil
		}
		one := c.Const(1)
		for i := range in {
			c.Blame(ref(x, n-i))
			room := c.P.DimSub(in[i], c.P.DimSub(c.P.DimAdd(out[i], kernel[i]), one))
			// 3D asks for one more "%s: a window of %s is too large to be put %s times into size %s (dimension %d of %s)",
			if !need(c, room, int64(n-2),
				c.Short(), kernel[i], out[i], in[i], i-n, x) {
				return nil
			}
		}
		// Later faults concern no single axis any more.
		c.Blame()
		res := retail(c, x, x.Type().DType, n, out...)
		if indices || truthy(c, "return_indices") {
			return value.NewTuple(res, retail(c, x, dtype.I64, n, out...))
		}
		return res
	}
}

// unpool follows _unpool_output_size: output_size may differ from the default by
// less than the stride. n is the number of axes of space; indices must be int64 and have the shape
// of the input.
func unpool(n int) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		x, idx := c.Tensor("input"), c.Tensor("indices")
		if !wantRank(c, x, n+1, n+2) || !wantDType(c, idx, "indices", 1<<dtype.I64) {
			return nil
		}
		// Without stride it is the kernel size.
		in, asked := tail(x, n), c.Has("output_size")
		kernel, padding := unpoolNumbers(c, "kernel_size", n, asked && (n < 3 || c.Has("stride"))), unpoolNumbers(c, "padding", n, asked)
		stride := kernel
		if c.Has("stride") {
			stride = unpoolNumbers(c, "stride", n, asked)
		}
		p := c.P
		if !c.OK() {
			return nil
		}
		out := make(symshape.Shape, n)
		for i := range out {
			out[i] = p.DimAdd(p.DimSub(p.DimMul(p.DimSub(in[i], c.Const(1)), stride[i]), twice(c, padding[i])), kernel[i])
		}
		if asked {
			if out = unpoolAsked(c, out, stride); !c.OK() {
				return nil
			}
		}
		// The checks after the sizes come in the kernel's order: shapes, dtype, then emptiness.
		if !matchShapes(c, x, "the input", idx, "indices") || !wantDType(c, x, "the input", ops.RealFloats) || !nonEmpty(c, x, n) ||
			!needAll(c, "the output's size", out, 0) || !unpoolIndices(c, idx, out) {
			return nil
		}
		return retail(c, x, x.Type().DType, n, out...)
	}
}

// unpoolNumbers reads an argument of which only the default size is made. With
// an output_size nothing is made of that, and any numbers pass. name is kernel_size, stride or
// padding. One number holds for all axes; a sequence must have n elements, where PyTorch indexes
// it, and its surplus elements are refused only where it goes to a kernel. The result is nil after
// a report.
func unpoolNumbers(c *ops.Call, name string, n int, loose bool) []symshape.Dim {
	v := c.Value(name)
	if v == value.None {
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): argument '%s' must be ints, not None", c.Short(), name)
		return nil
	}
	elems, ok := c.Elems(name)
	if !ok {
		return nil
	}
	if !ops.IsSequence(v) {
		for len(elems) < n {
			elems = append(elems[:len(elems):len(elems)], v)
		}
	}
	if len(elems) < n {
		c.Errorf("IndexError", diag.BadValue, "%s: %s must have %d elements, but it has %d", c.Short(), name, n, diag.Count(len(elems)))
		return nil
	}
	loose = loose && (n < 3 || name == "kernel_size") // 3D passes stride and padding on to the kernel
	if len(elems) > n && (name == "kernel_size" || n == 3) {
		c.Errorf("IndexError", diag.BadValue, "%s: %s must have %d elements, but it has %d", c.Short(), name, n, diag.Count(len(elems)))
		return nil
	}
	out := make([]symshape.Dim, n)
	for i := range out {
		// A float as part of what is not used stays an unknown size.
		if _, isFloat := elems[i].(value.Float); isFloat && loose {
			continue
		}
		out[i] = c.ToDim(name, elems[i])
	}
	return out
}

// unpoolAsked checks output_size against the default. output_size may be the shape of the whole
// tensor, batch and channels included, of which only the sizes of space count. Each size lies
// strictly within one stride of the default: default - stride < size < default + stride.
func unpoolAsked(c *ops.Call, def symshape.Shape, stride []symshape.Dim) symshape.Shape {
	n, p := len(def), c.P
	asked := c.Ints("output_size")
	if len(asked) == n+2 {
		asked = asked[2:]
	}
	if len(asked) != n && c.OK() {
		c.Errorf("ValueError", diag.BadValue, "%s: output_size must have %d or %d elements, but it has %d",
			c.Short(), n, n+2, diag.Count(len(asked)))
	}
	for i := range asked {
		if !c.OK() {
			return nil
		}
		slack := p.DimSub(stride[i], c.Const(1))
		less, more := p.DimSub(p.DimAdd(asked[i], slack), def[i]), p.DimSub(p.DimAdd(def[i], slack), asked[i])
		if !c.AtLeast(less, 0) || !c.AtLeast(more, 0) {
			c.Errorf("ValueError", diag.BadValue, "%s: output_size %s must differ from %s by less than the stride %s", c.Short(),
				listOf(asked), listOf(def), listOf(stride))
		}
	}
	return asked
}

// unpoolIndices checks indices that are known against the size of the output. Indices count the
// positions within one plane of the output. Those that are unknown pass. The result is false after
// a report.
func unpoolIndices(c *ops.Call, idx *value.Tensor, out symshape.Shape) bool {
	n, ok := ops.DimVal(c.Numel(out))
	if !ok || n == 0 {
		return true
	}
	for _, e := range idx.Contents() {
		if i, ok := e.(value.Int); ok && (int64(i) < 0 || int64(i) >= n) {
			c.Errorf("RuntimeError", diag.DimOutOfRange, "%s: index %d is outside the output of %s elements (%s)", c.Short(), int64(i),
				c.Numel(out), blockOf(out))
			return false
		}
	}
	return true
}

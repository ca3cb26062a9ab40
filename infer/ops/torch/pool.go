package torch

// This file holds pooling with sliding windows. The rules follow
// aten/src/ATen/native/Pool.h (pooling_output_shape, pool2d_shape_check). The input is [N, C, in…]
// or [C, in…] with n axes of space. For each of them the number of windows is floor((in + 2·padding
// - dilation·(kernel-1) - 1) / stride) + 1, with ceil instead of floor in ceil mode. Checks come in
// PyTorch's order, as the first that fails gives the message: rank, kernel, stride, padding,
// dilation, emptiness, padding against the kernel, and the window against the input, axis by axis;
// the dtype is last.

import (
	"fmt"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// %d is the number of axes of space.
const (
	maxPoolSig  = "(Tensor input, int[%d] kernel_size, int[%[1]d]? stride=None, int[%[1]d] padding=0, int[%[1]d] dilation=1, bool ceil_mode=False"
	avgPool1Sig = "(Tensor input, int[1] kernel_size, int[1]? stride=None, int[1] padding=0, bool ceil_mode=False, bool count_include_pad=True)"
	avgPoolSig  = "(Tensor input, int[%d] kernel_size, int[%[1]d]? stride=None, int[%[1]d] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None)"
	lpPoolSig   = "(Tensor input, float norm_type, int[%d] kernel_size, int[%[1]d]? stride=None, bool ceil_mode=False)"
)

var poolOps = [...]ops.Op{
	{Names: []string{"torch.nn.functional.max_pool1d"}, Sig: maxPoolF(1), Rule: maxPool(1),
		Spatial: 1, Is: graph.KeepsAxes | graph.BatchFirst | graph.OneTensor, Axes: "input: N C W",
		Trace: ops.FixesLength | ops.FixesGiven | ops.Windows, Doc: "maximum over windows, with their indices on request"},
	{Names: []string{"torch.nn.functional.max_pool2d"}, Sig: maxPoolF(2), Rule: maxPool(2),
		Spatial: 2, Is: graph.KeepsAxes | graph.BatchFirst | graph.OneTensor, Axes: "input: N C H W",
		Trace: ops.FixesGiven | ops.Windows, Doc: "maximum over windows, with their indices on request"},
	{Names: []string{"torch.nn.functional.max_pool3d"}, Sig: maxPoolF(3), Rule: maxPool(3),
		Spatial: 3, Is: graph.KeepsAxes | graph.BatchFirst | graph.OneTensor,
		Trace: ops.FixesGiven | ops.Windows, Doc: "maximum over windows, with their indices on request"},
	{Names: []string{"torch.max_pool1d"}, Sig: maxPoolT(1), Rule: maxPool(1), Spatial: 1, Is: graph.KeepsAxes | graph.OneTensor,
		Axes:  "input: N C W",
		Trace: ops.FixesLength | ops.FixesGiven | ops.Windows, Doc: "maximum over windows"},
	{Names: []string{"torch.max_pool2d", "torch.mkldnn_max_pool2d"}, Sig: maxPoolT(2), Rule: maxPool(2),
		Spatial: 2, Is: graph.KeepsAxes | graph.OneTensor, Axes: "input: N C H W", Trace: ops.FixesGiven | ops.Windows,
		Doc: "maximum over windows"},
	{Names: []string{"torch.max_pool3d", "torch.mkldnn_max_pool3d"}, Sig: maxPoolT(3), Rule: maxPool(3), Spatial: 3,
		Is:    graph.KeepsAxes | graph.OneTensor,
		Trace: ops.FixesGiven | ops.Windows, Doc: "maximum over windows"},
	{Names: []string{"torch.nn.functional.max_pool1d_with_indices", "torch.max_pool1d_with_indices"}, Sig: maxPoolF(1),
		Rule:  maxPoolIndices(1),
		Trace: ops.Windows, Doc: "maximum over windows, and their indices"},
	{Names: []string{"torch.nn.functional.max_pool2d_with_indices", "torch._C._nn.max_pool2d_with_indices"}, Sig: maxPoolF(2),
		Rule:  maxPoolIndices(2),
		Trace: ops.Windows, Doc: "maximum over windows, and their indices"},
	{Names: []string{"torch.nn.functional.max_pool3d_with_indices", "torch._C._nn.max_pool3d_with_indices"}, Sig: maxPoolF(3),
		Rule:  maxPoolIndices(3),
		Trace: ops.Windows, Doc: "maximum over windows, and their indices"},
	{Names: []string{"torch.nn.functional.avg_pool1d", "torch.avg_pool1d"}, Sig: avgPool1Sig, Rule: avgPool(1),
		Spatial: 1, Is: graph.KeepsAxes | graph.BatchFirst | graph.OneTensor, Axes: "input: N C W",
		Trace: ops.FixesGiven | ops.Windows, Quirks: ops.Compiled, Doc: "mean over windows"},
	{Names: []string{"torch.nn.functional.avg_pool2d", "torch._C._nn.avg_pool2d"}, Sig: fmt.Sprintf(avgPoolSig, 2), Rule: avgPool(2),
		Out: true, ExactOut: true,
		Spatial: 2, Is: graph.KeepsAxes | graph.BatchFirst | graph.OneTensor, Axes: "input: N C H W",
		Trace: ops.FixesGiven | ops.Windows, Quirks: ops.Compiled, Doc: "mean over windows"},
	{Names: []string{"torch.nn.functional.avg_pool3d", "torch._C._nn.avg_pool3d"}, Sig: fmt.Sprintf(avgPoolSig, 3), Rule: avgPool(3),
		Out: true, ExactOut: true,
		Spatial: 3, Is: graph.KeepsAxes | graph.BatchFirst | graph.OneTensor, Trace: ops.FixesGiven | ops.Windows, Quirks: ops.Compiled,
		Doc: "mean over windows"},
	{Names: []string{"torch.nn.functional.lp_pool1d"},
		Sig:  "(Tensor input, float norm_type, int kernel_size, int[1]? stride=None, bool ceil_mode=False)",
		Rule: lpPool(1), Trace: ops.Windows, Floats: "-norm_type", Doc: "p-norm over windows"},
	{Names: []string{"torch.nn.functional.lp_pool2d"}, Sig: fmt.Sprintf(lpPoolSig, 2), Rule: lpPool(2),
		Trace: ops.Windows, Floats: "-norm_type", Doc: "p-norm over windows"},
	{Names: []string{"torch.nn.functional.lp_pool3d"}, Sig: fmt.Sprintf(lpPoolSig, 3), Rule: lpPool(3),
		Trace: ops.Windows, Floats: "-norm_type", Doc: "p-norm over windows"},
}

// The functional form has return_indices, and torch.max_pool2d has not.
func maxPoolF(n int) string { return fmt.Sprintf(maxPoolSig+", bool return_indices=False)", n) }
func maxPoolT(n int) string { return fmt.Sprintf(maxPoolSig+")", n) }

// A pool is the arguments of a pooling over n axes. It is made by newPool for one call. The default
// stride is the kernel's size, and an empty list stands for it, too.
type pool struct {
	*ops.Call
	n int
	x *value.Tensor
	// One size for each axis of space.
	kernel, stride, padding, dilation []symshape.Dim
	// The rule of count changes with it.
	ceil      bool
	mayVanish bool // a result of size 0 is accepted, as PyTorch 1 does
	bare      bool // the window must fit without padding
}

// Arguments that are wrong are reported by IntsN.
func newPool(c *ops.Call, n int) *pool {
	l := &pool{Call: c, n: n, x: c.Tensor("input"), kernel: c.IntsN("kernel_size", n), ceil: truthy(c, "ceil_mode")}
	l.stride = l.kernel
	if c.Has("stride") && len(c.Ints("stride")) > 0 {
		l.stride = c.IntsN("stride", n)
	}
	l.padding = l.numbers("padding", 0)
	l.dilation = l.numbers("dilation", 1)
	return l
}

// numbers reads an argument that not every kind of pooling has. def stands for all axes where the
// function has no such parameter.
func (l *pool) numbers(name string, def int64) []symshape.Dim {
	if l.HasParam(name) {
		return l.IntsN(name, l.n)
	}
	dims := make([]symshape.Dim, l.n)
	for i := range dims {
		dims[i] = l.Const(def)
	}
	return dims
}

// sizes checks the arguments and gives the sizes after pooling. False after a report. The windows
// must fit the padded input, and padding is at most half of the kernel.
func (l *pool) sizes() (symshape.Shape, bool) {
	c := l.Call
	if !c.OK() || !wantRank(l.Call, l.x, l.n+1, l.n+2) || !needAll(c, "kernel_size", l.kernel, 1) || !needAll(c, "stride", l.stride, 1) ||
		!needAll(c, "padding", l.padding, 0) || !needAll(c, "dilation", l.dilation, 1) || !nonEmpty(c, l.x, l.n+1) {
		return nil, false
	}
	in := tail(l.x, l.n)
	out := make(symshape.Shape, l.n)
	for i := range out {
		// Twice the padding is compared with the whole, so that no fraction is needed.
		if !need(c, c.P.DimSub(l.reach(i), twice(c, l.padding[i])), 0, "%s: padding %s must be at most half of kernel_size %s",
			c.Short(), listOf(l.padding), listOf(l.kernel)) {
			return nil, false
		}
		c.Blame(ref(l.x, l.n-i))
		// s is how far the last window may start from the first one.
		s := windowSpan(c, in[i], twice(c, l.padding[i]), l.dilation[i], l.kernel[i])
		least := c.Const(0)
		// In ceil mode the last window may reach over the end by less than a stride.
		if l.ceil {
			least = c.P.DimSub(c.Const(1), l.stride[i])
		}
		// A result of 0 windows is accepted.
		if l.mayVanish {
			least = c.P.DimSub(least, l.stride[i])
		}
		if l.bare && !need(c, c.P.DimSub(in[i], l.kernel[i]), 0, "%s: the window (size %s) is larger than the input %s", c.Short(),
			blockOf(l.kernel), l.x) {
			return nil, false
		}
		if !need(c, c.P.DimSub(s, least), 0,
			"%s: the window (size %s, dilation %s) is larger than the padded input: %s + 2·%s in dimension %d of %s",
			c.Short(), blockOf(l.kernel), listOf(l.dilation), in[i], l.padding[i], i-l.n, l.x) {
			return nil, false
		}
		out[i] = l.count(i, in[i], s)
	}
	c.Blame()
	return out, true
}

// reach is what the padding must not exceed half of: PyTorch 1 takes the kernel
// as it is, PyTorch 2 with its dilation.
func (l *pool) reach(i int) symshape.Dim {
	if l.Torch1() {
		return l.kernel[i]
	}
	one := l.Const(1)
	return l.P.DimAdd(l.P.DimMul(l.dilation[i], l.P.DimSub(l.kernel[i], one)), one)
}

// count is the number of windows. In ceil mode a last window that would start
// in the right padding is dropped: there are at most ceil((in + padding)/stride). floor(span /
// stride) + 1 without ceil mode. The limit is left out where it can be shown not to apply, since it
// doubles the expression.
func (l *pool) count(i int, in, span symshape.Dim) symshape.Dim {
	c, p, stride := l.Call, l.P, l.stride[i]
	if !l.ceil {
		return windows(c, span, stride)
	}
	n := p.DimAdd(p.DimCeilDiv(span, stride), c.Const(1))
	// With padding + stride ≤ dilation·(kernel-1) + 1 the last window starts inside.
	reach := p.DimNeg(windowSpan(c, c.Const(0), c.Const(0), l.dilation[i], l.kernel[i]))
	slack := p.DimSub(reach, p.DimAdd(l.padding[i], stride))
	if slack.Expr != nil && c.Decide(p.Ge(slack.Expr, p.Const(0))) == symshape.Yes {
		return n
	}
	// The last start must be inside of the input or the left padding.
	limit := p.DimCeilDiv(p.DimAdd(in, l.padding[i]), stride)
	if n.Expr != nil && limit.Expr != nil {
		switch c.Decide(p.Le(n.Expr, limit.Expr)) {
		case symshape.Yes:
			return n
		case symshape.No:
			return limit
		}
	}
	return p.DimMin(n, limit)
}

// The dtype stays; in newer versions integers are accepted for two and three axes.
func maxPool(n int) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		if c.HasParam("return_indices") && truthy(c, "return_indices") {
			return maxPoolIndices(n)(c)
		}
		l := newPool(c, n)
		l.mayVanish = n == 1 && c.Torch1() // max_pool1d has a kernel of its own
		out, ok := l.sizes()
		accept := ops.RealFloats
		if n > 1 {
			accept = byVersion(c, accept, ops.RealNums)
		}
		if !ok || !wantDType(c, l.x, "the input", accept) {
			return nil
		}
		return retail(c, l.x, l.x.Type().DType, n, out...)
	}
}

// The indices are int64 with the same shape.
func maxPoolIndices(n int) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		l := newPool(c, n)
		out, ok := l.sizes()
		if !ok || !wantDType(c, l.x, "the input", byVersion(c, ops.RealFloats, ops.RealNums)) {
			return nil
		}
		return value.NewTuple(retail(c, l.x, l.x.Type().DType, n, out...), retail(c, l.x, dtype.I64, n, out...))
	}
}

// Only int64 of the integers is implemented; avg_pool3d asks for a window within the input without
// padding.
func avgPool(n int) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		l := newPool(c, n)
		if c.HasParam("divisor_override") && c.Has("divisor_override") {
			if d, ok := c.Dim("divisor_override").Const(); ok && d == 0 {
				return c.Errorf("RuntimeError", diag.BadValue, "%s: divisor_override must not be zero", c.Short())
			}
		}
		l.bare = n == 3
		out, ok := l.sizes()
		if !ok || !wantDType(c, l.x, "the input", ops.RealFloats|1<<dtype.I64) {
			return nil
		}
		return retail(c, l.x, l.x.Type().DType, n, out...)
	}
}

// lpPool is avg_pool of the powers, as torch.nn.functional writes it. |x|^p is averaged, and the
// root is taken, so the result is a float even for integers.
func lpPool(n int) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		l := newPool(c, n)
		l.bare = n == 3
		// The number of elements is checked in Python, where kernel_size is unpacked.
		if elems, ok := c.Elems("kernel_size"); ok && ops.IsSequence(c.Value("kernel_size")) && len(elems) != n {
			return c.Errorf("ValueError", diag.BadValue, "%s: kernel_size must be a number or %d, but it has %d elements",
				c.Short(), n, diag.Count(len(elems)))
		}
		out, ok := l.sizes()
		if !ok {
			return nil
		}
		// The root has 1/norm_type.
		if p, known := c.Float("norm_type"); known && p == 0 {
			return c.Errorf("ZeroDivisionError", diag.BadValue, "%s: norm_type must not be 0", c.Short())
		}
		if power := c.ResultType(l.x, c.Value("norm_type")); !(ops.RealFloats | 1<<dtype.I64).Has(power) {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "%s: the input has dtype %s, but %s is needed", c.Short(), l.x.Type().DType,
				ops.RealFloats)
		}
		return retail(c, l.x, c.ToFloat(l.x.Type().DType), n, out...)
	}
}

package torch

// This file holds convolutions, unfold and fold. The conditions and their order
// follow aten/src/ATen/native/Convolution.cpp and im2col_shape_check.h. A convolution's weight is
// [out, in/groups, kernel…] and a transposed one's [in, out/groups, kernel…]. The formulas for each
// axis of space are those in the documentation of torch.nn.Conv2d and ConvTranspose2d: floor((n +
// 2p − d(k − 1) − 1)/s) + 1, and (n − 1)s − 2p + d(k − 1) + op + 1.

import (
	"fmt"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// The second overload has padding as a text.
const convSig = "(Tensor input, Tensor weight, Tensor? bias=None, int[%d] stride=1, int[%[1]d] padding=0, int[%[1]d] dilation=1, int groups=1) | " +
	"(Tensor input, Tensor weight, Tensor? bias=None, int[%[1]d] stride=1, str padding='valid', int[%[1]d] dilation=1, int groups=1)"

const convTransposeSig = "(Tensor input, Tensor weight, Tensor? bias=None, int[%d] stride=1, int[%[1]d] padding=0, int[%[1]d] output_padding=0, int groups=1, int[%[1]d] dilation=1)"

var convOps = [...]ops.Op{
	{Names: convNames("conv1d"), Sig: fmt.Sprintf(convSig, 1), Rule: conv(1),
		Form: graph.Conv, Spatial: 1, Is: graph.BatchFirst | graph.OneTensor, Quirks: ops.OneDevice | ops.Compiled,
		Axes: "weight: out_channels in_channels/groups kW; bias: out_channels; input: N C W; input: C W", Doc: "1-D convolution"},
	{Names: convNames("conv2d"), Sig: fmt.Sprintf(convSig, 2), Rule: conv(2),
		Form: graph.Conv, Spatial: 2, Is: graph.BatchFirst | graph.OneTensor, Quirks: ops.OneDevice | ops.Compiled,
		Axes: "weight: out_channels in_channels/groups kH kW; bias: out_channels; input: N C H W; input: C H W", Doc: "2-D convolution"},
	{Names: convNames("conv3d"), Sig: fmt.Sprintf(convSig, 3), Rule: conv(3),
		Form: graph.Conv, Spatial: 3, Is: graph.BatchFirst | graph.OneTensor, Quirks: ops.OneDevice | ops.Compiled,
		Axes: "weight: out_channels in_channels/groups kD kH kW; bias: out_channels; input: N C D H W; input: C D H W",
		Doc:  "3-D convolution"},
	{Names: convNames("conv_transpose1d"), Sig: fmt.Sprintf(convTransposeSig, 1), Rule: convTranspose(1),
		Form: graph.ConvTransp, Spatial: 1, Is: graph.BatchFirst | graph.OneTensor, Quirks: ops.OneDevice | ops.Compiled,
		Axes: "weight: in_channels out_channels/groups kW; bias: out_channels; input: N C W; input: C W",
		Doc:  "transposed 1-D convolution"},
	{Names: convNames("conv_transpose2d"), Sig: fmt.Sprintf(convTransposeSig, 2), Rule: convTranspose(2),
		Form: graph.ConvTransp, Spatial: 2, Is: graph.BatchFirst | graph.OneTensor, Quirks: ops.OneDevice | ops.Compiled,
		Axes: "weight: in_channels out_channels/groups kH kW; bias: out_channels; input: N C H W; input: C H W",
		Doc:  "transposed 2-D convolution"},
	{Names: convNames("conv_transpose3d"), Sig: fmt.Sprintf(convTransposeSig, 3), Rule: convTranspose(3),
		Form: graph.ConvTransp, Spatial: 3, Is: graph.BatchFirst | graph.OneTensor, Quirks: ops.OneDevice | ops.Compiled,
		Axes: "weight: in_channels out_channels/groups kD kH kW; bias: out_channels; input: N C D H W; input: C D H W",
		Doc:  "transposed 3-D convolution"},
	{Names: []string{"torch.convolution"},
		Sig:  "(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups)",
		Rule: convolution, Is: graph.Uncounted, Axes: "bias: out_channels", Doc: "convolution of any number of dimensions"},
	{Names: []string{"torch._convolution"},
		Sig:  "(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups, any benchmark, any deterministic, any cudnn_enabled, any allow_tf32=None)",
		Rule: convolution, Doc: "convolution as TorchScript records it"},
	{Names: convNames("conv_tbc"), Sig: "(Tensor input, Tensor weight, Tensor bias, int pad=0)", Rule: convTBC,
		Form: graph.ConvTime, Axes: "bias: out_channels", Quirks: ops.Compiled, Doc: "1-D convolution over (time, batch, channels)"},
	{Names: []string{"torch.nn.functional.unfold", "torch._C._nn.im2col"},
		Sig:  "(Tensor input, int[2] kernel_size, int[2] dilation=1, int[2] padding=0, int[2] stride=1)",
		Rule: unfold, Doc: "sliding blocks of a batch of images as columns"},
	{Names: []string{"torch.nn.functional.fold", "torch._C._nn.col2im"},
		Sig:  "(Tensor input, int[2] output_size, int[2] kernel_size, int[2] dilation=1, int[2] padding=0, int[2] stride=1)",
		Rule: fold, Doc: "sums columns of sliding blocks into images"},
}

func convNames(name string) []string {
	return []string{"torch.nn.functional." + name, "torch." + name}
}

// A convCall is the bound arguments of a convolution over n axes of space. Each list has n
// elements, one for each axis.
type convCall struct {
	*ops.Call
	n       int
	x, w, b *value.Tensor
	groups  symshape.Dim
	// In the order of the axes, from the first one of space on.
	stride, padding, dilation []symshape.Dim
	outPadding                []symshape.Dim
	same                      bool // padding='same'
	transposed                bool
}

// conv makes the rule of a convolution over n axes of space. The second overload has padding as a text: 'same'
// keeps the sizes, which PyTorch does by unequal padding on both sides where it must, and only with
// stride 1. Another text is a RuntimeError.
func conv(n int) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		v := newConv(c, n)
		if c.Overload == 1 {
			v.padding = make([]symshape.Dim, n)
			for i := range v.padding {
				v.padding[i] = c.Const(0)
			}
			switch mode := c.Str("padding"); mode {
			case "valid":
			case "same":
				v.same = true
			default:
				if c.OK() {
					c.Errorf("RuntimeError", diag.BadValue, "%s: padding must be 'valid', 'same' or numbers, not '%s'", c.Short(), mode)
				}
			}
		} else {
			v.padding = c.IntsN("padding", n)
		}
		return v.run()
	}
}

// convTranspose makes the rule of a transposed convolution. output_padding lengthens the result at one side: of
// several inputs that a strided convolution maps to one size it chooses one. Its padding is that of
// the convolution that it undoes, so it makes the result smaller.
func convTranspose(n int) func(*ops.Call) value.Value {
	return func(c *ops.Call) value.Value {
		v := newConv(c, n)
		v.transposed = true
		v.padding = c.IntsN("padding", n)
		v.outPadding = c.IntsN("output_padding", n)
		return v.run()
	}
}

// newConv reads what all convolutions have. A number stands for one on each axis, as c.IntsN has
// it. A fault of an argument is noted in the call; run looks for it first.
func newConv(c *ops.Call, n int) *convCall {
	return &convCall{Call: c, n: n, x: c.Tensor("input"), w: c.Tensor("weight"), b: c.Tensor("bias"), groups: c.Dim("groups"),
		stride: c.IntsN("stride", n), dilation: c.IntsN("dilation", n)}
}

// convolution is torch.convolution, whose input always has a batch axis. The number of axes of
// space follows from the weight. output_padding is only looked at by a transposed one.
func convolution(c *ops.Call) value.Value {
	w := c.Tensor("weight")
	s := c.Shape(w)
	if !c.OK() {
		return nil
	}
	n := len(s) - 2
	if n < 1 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "convolution: weight must have at least three dimensions, but it is %s", w)
	}
	v := newConv(c, n)
	v.padding, v.transposed = c.IntsN("padding", n), c.Bool("transposed")
	if op := c.IntsN("output_padding", n); v.transposed || !needAll(c, "output_padding", op, 0) {
		v.outPadding = op
	}
	if wantRank(c, v.x, n+2) {
		return v.run()
	}
	return nil
}

// run checks in the order of at::native's check_shape_forward: ranks, numbers, channels, then dtypes, and
// computes the sizes last. An input without the batch axis gives a result without it. Where nothing is
// computed, as of no elements, PyTorch looks at fewer dtypes (nothing, emptyDType). The result is
// laid out as the weight or the input is (laidOut); where backends differ the strides are unsure.
func (v *convCall) run() value.Value {
	c := v.Call
	if !c.OK() || !wantRank(v.Call, v.x, v.n+1, v.n+2) {
		return nil
	}
	w := c.Shape(v.w)
	if !c.OK() {
		return nil
	}
	if len(w) != v.n+2 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "%s: the weight must have %d dimensions (%s, …), but it is %s", c.Short(), v.n+2,
			v.weightAxes(), v.w)
	}
	d := knownDType(v.x, v.w)
	if !v.checkNumbers() || !v.checkChannels(w) {
		return nil
	}
	if v.nothing() {
		d = v.emptyDType(w)
	} else if !v.checkDTypes() {
		return nil
	}
	space := tail(v.x, v.n)
	var out symshape.Shape
	if v.transposed {
		out = v.grown(space, w[2:])
	} else {
		out = v.shrunk(space, w[2:])
	}
	if !c.OK() {
		return nil
	}
	channels := v.outChannels(w)
	if ops.IsConst(tail(v.x, v.n+1)[0], 0) {
		channels = c.Const(0)
	}
	res := retail(c, v.x, d, v.n+1, append(symshape.Shape{channels}, out...)...)
	return c.Unsure(laidOut(c, res, v.w), v.x, v.w)
}

// weightAxes names the first two axes of the weight for a message: transposed convolutions have them the other
// way round. They are for the message alone.
func (v *convCall) weightAxes() string {
	if v.transposed {
		return "input channels, output channels / groups"
	}
	return "output channels, input channels / groups"
}

// checkNumbers refuses numbers that no convolution has: with groups below 1 nothing could be divided, and
// strides and dilations of 0 do not move. It reports whether there is no fault.
func (v *convCall) checkNumbers() bool {
	c := v.Call
	if v.same {
		// padding='same' with a symbolic stride is not refused.
		for _, s := range v.stride {
			if n, ok := s.Const(); ok && n != 1 {
				c.Errorf("RuntimeError", diag.BadValue, "%s: padding='same' needs stride 1, but it is %s", c.Short(), listOf(v.stride))
				return false
			}
		}
	}
	for _, d := range v.dilation {
		if n, ok := d.Const(); ok && n < 1 && v.nothing() && c.Torch1() {
			c.Lose("of nothing PyTorch 1 takes any dilation")
			return false
		}
	}
	return need(c, v.groups, 1, "%s: groups must be positive, but it is %s", c.Short(), v.groups) &&
		needAll(c, "stride", v.stride, 1) && needAll(c, "padding", v.padding, 0) &&
		needAll(c, "output_padding", v.outPadding, 0) && needAll(c, "dilation", v.dilation, 1)
}

// checkDTypes: all of one dtype. What kernels there are differs between convolutions and transposed ones, and
// of the latter between versions; it was recorded, no document says it. It reports whether all
// agree.
func (v *convCall) checkDTypes() bool {
	set := ops.Numbers
	if v.transposed {
		set = ops.RealFloats | 1<<dtype.I64
		if v.n == 1 || !v.Torch1() {
			set |= ops.Complexes
		}
		if v.x.Type().DType == dtype.BF16 && v.Torch1() {
			v.Lose("the sizes of PyTorch 1 differ between its backends for bfloat16")
			return false
		}
	}
	return wantDType(v.Call, v.x, "the input", set) && matchDType(v.Call, v.x, "the input", v.w, "the weight") &&
		(!v.looksAtBias() || matchDType(v.Call, v.x, "the input", v.b, "the bias"))
}

// looksAtBias reports whether a bias of another dtype is surely refused. The plain
// kernels convert it, and only conv2d looks at it before; that of float32 is chosen for one sample
// without groups, and for kernels of size 1 by the number of threads
// (ConvParams::use_mkldnn). Where it is not sure the bias passes.
func (v *convCall) looksAtBias() bool {
	d := v.x.Type().DType
	switch {
	case v.n == 2 && !v.same || v.transposed || d == dtype.BF16 || d.IsComplex():
		return true
	case d != dtype.F32:
		return false
	}
	groups, ok := ops.DimVal(v.groups)
	several := ok && groups > 1
	if s := v.x.Type().Shape; len(s) == v.n+2 {
		batch, ok := ops.DimVal(s[0])
		several = several || ok && batch > 1
	}
	kernel, ok := ops.DimVal(tail(v.w, 1)[0])
	return several && ok && kernel > 1
}

// nothing reports whether the batch or the channels are empty, which PyTorch
// takes apart before it chooses a kernel (aten/src/ATen/native/Convolution.cpp,
// ConvBackend::Empty). An unranked input has no known batch.
func (v *convCall) nothing() bool {
	s := v.x.Type().Shape
	if !v.x.Type().Ranked || len(s) == v.n+2 && ops.IsConst(s[0], 0) {
		return v.x.Type().Ranked
	}
	return ops.IsConst(s[len(s)-v.n-1], 0)
}

// emptyDType is the dtype of an empty result: that of the input times a number of
// the weight, to which a number of the bias is added in place. Complex inputs are
// split before that, other than by the transposed forms of several axes. A fault is noted where the
// bias cannot be added.
func (v *convCall) emptyDType(w symshape.Shape) dtype.DType {
	c, d := v.Call, v.x.Type().DType
	if d.IsComplex() && !(v.transposed && v.n > 1) && !v.checkDTypes() {
		return dtype.Unknown
	}
	if !v.transposed && v.n == 2 && !v.same && !matchDType(c, v.x, "the input", v.b, "the bias") {
		return dtype.Unknown
	}
	if d == dtype.Unknown || v.w.Type().DType == dtype.Unknown {
		return dtype.Unknown
	}
	// The number of the weight counts as a tensor without dimensions, unless the channels are
	// empty.
	rank := 0
	if ops.IsConst(tail(v.x, v.n+1)[0], 0) {
		rank = 1
	}
	d = dtype.ResultType(c.DefaultDType(), dtype.TensorOp(d, 1), dtype.TensorOp(v.w.Type().DType, rank))
	if v.b == nil || v.b.Type().DType == dtype.Unknown {
		return d
	}
	if sum := dtype.ResultType(c.DefaultDType(), dtype.TensorOp(d, 1), dtype.TensorOp(v.b.Type().DType, 0)); !dtype.CanCast(sum, d) {
		c.Errorf("RuntimeError", diag.DTypeMismatch, "%s: the bias of %s cannot be added to %s", c.Short(), v.b.Type().DType, d)
	}
	return d
}

// outChannels: the weight is [out, in/groups, …], and transposed [in, out/groups, …]. Either may be
// a symbol.
func (v *convCall) outChannels(w symshape.Shape) symshape.Dim {
	if v.transposed {
		return v.P.DimMul(w[1], v.groups)
	}
	return w[0]
}

// checkChannels compares the channels of the input with those that the weight has for all its groups. The fault
// is the most frequent one of convolutional networks, so it says what the layer expects (diag.UnfitSize), by
// which advice and discovery propose the number. It also checks that the groups divide the
// channels, that the kernel is not empty, and the bias.
func (v *convCall) checkChannels(w symshape.Shape) bool {
	c := v.Call
	name := c.Short()
	for i := range v.n {
		if !need(c, w[2+i], 1, "%s: the kernel of the weight %s is empty", name, v.w) {
			return false
		}
	}
	if !need(c, c.P.DimSub(w[0], v.groups), 0, "%s: the weight %s must have at least groups=%s elements in dimension 0", name, v.w, v.groups) {
		return false
	}
	if !ops.IsConst(v.groups, 1) && !c.MultipleOf(w[0], v.groups) {
		c.Errorf("RuntimeError", diag.InvalidSize, "%s: dimension 0 of the weight %s is not divisible by groups=%s", name, v.w, v.groups)
		return false
	}
	if v.transposed && !need(c, w[1], 1, "%s: the weight %s has no output channels", name, v.w) {
		return false
	}
	// The channels that the weight expects.
	want := w[0]
	if !v.transposed {
		want = c.P.DimMul(w[1], v.groups)
	}
	have := tail(v.x, v.n+1)[0]
	axis := 1
	if v.transposed {
		axis = 0
	}
	// Both sizes are shown.
	c.Blame(ref(v.x, v.n+1), ops.Ref{Tensor: v.w, Axis: axis})
	if _, ok := c.Same(have, want); !ok {
		c.Saying(c.OfSizes(diag.UnfitSize, have, want)).Shapef("%s: input has %s channels but the weight %s expects %s (groups=%s)", name,
			have, w, want, v.groups)
		return false
	}
	c.Blame()
	return vector(v.Call, v.b, "the bias", v.outChannels(w), ops.Ref{Tensor: v.w, Axis: 1 - axis}, "the number of output channels is")
}

// shrunk gives the sizes after a convolution. It is nil after a fault. padding='same' keeps each
// size.
func (v *convCall) shrunk(in, kernel symshape.Shape) symshape.Shape {
	c := v.Call
	out := make(symshape.Shape, v.n)
	for i := range out {
		c.Blame(ref(v.x, v.n-i), ops.Ref{Tensor: v.w, Axis: 2 + i})
		if !v.nothing() && !need(c, in[i], 1, "%s: dimension %d of the input %s is empty", c.Short(), i-v.n, v.x) {
			return nil
		}
		if v.same {
			out[i] = in[i]
			continue
		}
		// windowSpan is n + 2p − d(k − 1) − 1.
		s := windowSpan(c, in[i], twice(c, v.padding[i]), v.dilation[i], kernel[i])
		if !need(c, s, 0, "%s: the kernel (size %s, dilation %s) is larger than the padded input: %s + 2·%s in dimension %d of %s",
			c.Short(), blockOf(kernel), listOf(v.dilation), in[i], v.padding[i], i-v.n, v.x) {
			return nil
		}
		out[i] = windows(c, s, v.stride[i])
	}
	c.Blame()
	return out
}

// grown gives the sizes after a transposed convolution. It is nil after a fault: output_padding
// must be below the stride or the dilation, and nothing may be left of a size.
func (v *convCall) grown(in, kernel symshape.Shape) symshape.Shape {
	c, p, one := v.Call, v.P, v.Const(1)
	out := make(symshape.Shape, v.n)
	for i := range out {
		op, ok1 := v.outPadding[i].Const()
		s, ok2 := v.stride[i].Const()
		d, ok3 := v.dilation[i].Const()
		if ok1 && ok2 && ok3 && op >= s && op >= d && !v.nothing() {
			c.Errorf("RuntimeError", diag.BadValue, "%s: output_padding %s must be smaller than the stride %s or the dilation %s", c.Short(),
				listOf(v.outPadding), listOf(v.stride), listOf(v.dilation))
			return nil
		}
		c.Blame(ref(v.x, v.n-i), ops.Ref{Tensor: v.w, Axis: 2 + i})
		least := int64(1)
		if v.nothing() {
			least = 0
		}
		if !need(c, in[i], least, "%s: dimension %d of the input %s is empty", c.Short(), i-v.n, v.x) {
			return nil
		}
		// The formula in the documentation of torch.nn.ConvTranspose2d.
		size := p.DimMul(p.DimSub(in[i], one), v.stride[i])
		size = p.DimSub(size, twice(c, v.padding[i]))
		size = p.DimAdd(size, p.DimMul(v.dilation[i], p.DimSub(kernel[i], one)))
		size = p.DimAdd(p.DimAdd(size, v.outPadding[i]), one)
		if !v.Torch1() && (1<<dtype.F64|ops.Integers)&(1<<v.x.Type().DType) == 0 {
			least = 0 // oneDNN and the complex kernels leave nothing
		}
		if !need(c, size, least, "%s: dimension %d of the output would have size %s (input %s, kernel %s, padding %s)",
			c.Short(), i-v.n, size, v.x, blockOf(kernel), listOf(v.padding)) {
			return nil
		}
		out[i] = size
	}
	c.Blame()
	return out
}

// convTBC is conv_tbc: input (time, batch, channels), weight (kernel, in, out). The result is (time
// + 2·pad − kernel + 1, batch, out).
func convTBC(c *ops.Call) value.Value {
	x, w, b := c.Tensor("input"), c.Tensor("weight"), c.Tensor("bias")
	pad := c.Dim("pad")
	if !c.Rank(x, "an input", 3) || !c.Rank(w, "a weight", 3) || !c.Rank(b, "a bias", 1) {
		return nil
	}
	xs, ws := x.Type().Shape, w.Type().Shape
	c.Blame(ops.Ref{Tensor: x, Axis: 2}, ops.Ref{Tensor: w, Axis: 1})
	if _, ok := c.Same(xs[2], ws[1]); !ok {
		c.Saying(c.OfSizes(diag.UnfitSize, xs[2], ws[1]))
		return c.Shapef("conv_tbc: input has %s channels but the weight %s expects %s", xs[2], ws, ws[1])
	}
	if !vector(c, b, "the bias", ws[2], ops.Ref{Tensor: w, Axis: 2}, "the number of output channels is") ||
		// without time or kernel there are no products
		!ops.IsConst(xs[0], 0) && !ops.IsConst(ws[0], 0) && !matchDType(c, x, "the input", w, "the weight") {
		return nil
	}
	s := windowSpan(c, xs[0], twice(c, pad), c.Const(1), ws[0])
	if !need(c, s, -1, "conv_tbc: the kernel of size %s is larger than the padded input: %s + 2·%s", ws[0], xs[0], pad) {
		return nil
	}
	return c.Out(x.Type().DType, symshape.Shape{c.P.DimAdd(s, c.Const(1)), xs[1], ws[2]})
}

// A blocks is the arguments that unfold and fold share. All lists have two elements, for height and
// width.
type blocks struct{ kernel, dilation, padding, stride []symshape.Dim }

// blockArgs reads the four numbers of fold and unfold, one for both axes or one for each. A list of
// another length is a RuntimeError. ok is false after a fault.
func blockArgs(c *ops.Call) (b blocks, ok bool) {
	for _, name := range [...]string{"kernel_size", "dilation", "padding", "stride", "output_size"} {
		if !c.HasParam(name) || !ops.IsSequence(c.Value(name)) {
			continue
		}
		if elems, ok := c.Elems(name); ok && len(elems) != 2 {
			c.Errorf("RuntimeError", diag.BadValue, "%s: %s must be a number or two, but it has %s", c.Short(), name,
				ops.CountWord(len(elems), "element"))
			return b, false
		}
	}
	b = blocks{c.IntsN("kernel_size", 2), c.IntsN("dilation", 2), c.IntsN("padding", 2), c.IntsN("stride", 2)}
	return b, c.OK() && needAll(c, "kernel_size", b.kernel, 1) && needAll(c, "dilation", b.dilation, 1) &&
		needAll(c, "padding", b.padding, 0) && needAll(c, "stride", b.stride, 1)
}

// count gives the number of blocks along each axis of an image. ok is false where a block is larger
// than the padded image.
func (b blocks) count(c *ops.Call, image []symshape.Dim) (n [2]symshape.Dim, ok bool) {
	for i := range n {
		s := windowSpan(c, image[i], twice(c, b.padding[i]), b.dilation[i], b.kernel[i])
		if !need(c, s, 0, "%s: the block (size %s, dilation %s) is larger than the padded image: %s + 2·%s in dimension %d",
			c.Short(), blockOf(b.kernel), listOf(b.dilation), image[i], b.padding[i], i-2) {
			return n, false
		}
		n[i] = windows(c, s, b.stride[i])
	}
	return n, true
}

// columnDTypes are the dtypes of unfold and fold. PyTorch 1 took bool as well.
func columnDTypes(c *ops.Call) ops.DTypeSet {
	return byVersion(c, ops.Inexact, ops.Inexact|ops.Booleans)
}

// unfold is F.unfold: [N, C, H, W] to [N, C·kernel, number of blocks]. How many blocks there are is the size of
// a convolution's result. A single image, [C, H, W], gives [C·kernel, blocks].
func unfold(c *ops.Call) value.Value {
	x := c.Tensor("input")
	b, ok := blockArgs(c)
	if !ok || !wantRank(c, x, 3, 4) || !wantDType(c, x, "the input", columnDTypes(c)) || !nonEmpty(c, x, 3) {
		return nil
	}
	t := tail(x, 3)
	c.Blame(ref(x, 2), ref(x, 1))
	n, ok := b.count(c, t[1:])
	if !ok {
		return nil
	}
	channels := c.P.DimMul(t[0], c.P.DimMul(b.kernel[0], b.kernel[1]))
	return retail(c, x, x.Type().DType, 3, channels, c.P.DimMul(n[0], n[1]))
}

// fold undoes unfold: the number of columns must be the number of blocks that an image of output_size has,
// since overlapping blocks are summed and nothing else could be done with more. The result is [N,
// C, height, width] with C the columns by the elements of a block.
func fold(c *ops.Call) value.Value {
	x := c.Tensor("input")
	image := c.IntsN("output_size", 2)
	b, ok := blockArgs(c)
	if !ok || !wantRank(c, x, 2, 3) || !wantDType(c, x, "the input", columnDTypes(c)) || !nonEmpty(c, x, 2) ||
		!needAll(c, "output_size", image, 1) {
		return nil
	}
	t := tail(x, 2)
	block := c.P.DimMul(b.kernel[0], b.kernel[1])
	c.Blame(ref(x, 2))
	if !c.MultipleOf(t[0], block) {
		return c.Shapef("fold: dimension -2 of the input %s is not divisible by the block size %s", x, blockOf(b.kernel))
	}
	n, ok := b.count(c, image)
	if !ok {
		return nil
	}
	want := c.P.DimMul(n[0], n[1])
	c.Blame(ref(x, 1))
	if _, ok := c.Same(t[1], want); !ok {
		return c.Shapef("fold: the input %s has %s blocks, but output_size %s has %s (%s)", x, t[1], listOf(image), want, blockOf(n[:]))
	}
	return retail(c, x, x.Type().DType, 2, c.P.DimFloorDiv(t[0], block), image[0], image[1])
}

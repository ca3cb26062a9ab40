package torch

// This file holds the records of discrete Fourier transforms (torch.fft) and of
// the transforms of frames (stft, istft). A transform of n points along an axis pads or cuts the
// axis to what it needs and gives n complex numbers. Because the transform of real numbers is
// symmetric, r2c keeps only its first n/2 + 1 numbers, and c2r takes that half and gives n real
// ones. n cannot be found from the half, since both 2(m-1) and 2(m-1)+1 points have a half of m;
// PyTorch assumes the even one unless n is given.
//
// Half precision exists on GPUs only. The dtype of the result is the complex one of the input's
// precision, or the real one for c2r; integers count as the default float.

import (
	"slices"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// A fftRule describes a transform by what it maps: complex numbers to complex
// ones, real ones to half of the complex ones, or half of them back to real ones.
type fftRule struct {
	fromReal bool // r2c: the last axis shrinks to n//2 + 1
	toReal   bool // c2r: the last axis grows to 2(n - 1)
}

// The signatures are those of torch.fft, with dim=-1 for one axis, the last two axes for the 2-D
// forms and all axes for the n-D forms.
const (
	fft1Sig = "(Tensor input, int? n=None, int dim=-1, str? norm=None)"
	fft2Sig = "(Tensor input, int[1]? s=None, int[1] dim=[-2,-1], str? norm=None)"
	fftnSig = "(Tensor input, int[1]? s=None, int[1]? dim=None, str? norm=None)"
)

// name is that under torch.fft.
func fft1(name string, r fftRule) ops.Op {
	return ops.Op{Names: spelled("fft." + name), Sig: fft1Sig, Rule: r.one, Out: true, Doc: "transform along one axis"}
}

// sig is fft2Sig or fftnSig.
func fftn(name, sig string, r fftRule) ops.Op {
	return ops.Op{Names: spelled("fft." + name), Sig: sig, Rule: r.several, Out: true, Doc: "transform along several axes"}
}

// The inverse transforms, which differ in their elements only, share the kinds; hfft is c2r, as it
// takes half of a symmetric signal.
var (
	c2c = fftRule{}
	r2c = fftRule{fromReal: true}
	c2r = fftRule{toReal: true}
)

var fftOps = [...]ops.Op{
	fft1("fft", c2c), fft1("ifft", c2c), fft1("rfft", r2c), fft1("irfft", c2r), fft1("hfft", c2r), fft1("ihfft", r2c),
	fftn("fft2", fft2Sig, c2c), fftn("ifft2", fft2Sig, c2c), fftn("rfft2", fft2Sig, r2c), fftn("irfft2", fft2Sig, c2r),
	fftn("hfft2", fft2Sig, c2r), fftn("ihfft2", fft2Sig, r2c),
	fftn("fftn", fftnSig, c2c), fftn("ifftn", fftnSig, c2c), fftn("rfftn", fftnSig, r2c), fftn("irfftn", fftnSig, c2r),
	fftn("hfftn", fftnSig, c2r), fftn("ihfftn", fftnSig, r2c),
	{Names: spelled("fft.fftshift"), Sig: "(Tensor input, int[1]? dim=None)", Rule: fftshiftRule, Doc: "the zero frequency in the middle"},
	{Names: spelled("fft.ifftshift"), Sig: "(Tensor input, int[1]? dim=None)", Rule: fftshiftRule, Doc: "inverse of fftshift"},
	{Names: spelled("fft.fftfreq"), Sig: "(int n, float d=1.0, " + factoryTail + ")", Rule: fftfreqRule, Out: true, Doc: "frequencies of fft"},
	{Names: spelled("fft.rfftfreq"), Sig: "(int n, float d=1.0, " + factoryTail + ")", Rule: fftfreqRule, Out: true, Variant: realFreq,
		Doc: "frequencies of rfft"},
	{Names: spelled("stft torch.functional.stft"),
		Sig: "(Tensor input, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, str? pad_mode='reflect', bool normalized=False, bool? onesided=None, bool? return_complex=None)", Form: graph.Spectrum, Rule: stftRule,
		Quirks: ops.InPython, Doc: "transforms of overlapping frames"},
	{Names: spelled("istft"), Sig: "(Tensor input, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, bool normalized=False, bool? onesided=None, int? length=None, bool return_complex=False)", Rule: istftRule,
		Quirks: ops.InPython, Doc: "inverse of stft"},
}

// dtype checks the input's dtype and the normalisation and returns the dtype of
// the result. False says that the fault is reported: a dtype that the transform does not take, a
// norm that is none of the three, or an out tensor that is real where the result is complex or the
// other way round.
func (r fftRule) dtype(c *ops.Call, t *value.Tensor) (dtype.DType, bool) {
	d := c.ToFloat(t.Type().DType)
	accept := ops.RealFloats | ops.Complexes
	// A complex input to rfft is refused, whereas a real input to fft or irfft is taken as complex.
	if r.fromReal {
		accept = ops.RealFloats
	}
	if dev := t.Type().Device; dev == "" || dev == "cpu" {
		accept &^= 1<<dtype.F16 | 1<<dtype.BF16 // half precision is for GPUs
	}
	if !c.Accepts(accept, d) {
		return d, false
	}
	switch n := c.Str("norm"); n {
	case "", "forward", "backward", "ortho":
	default:
		c.Errorf("RuntimeError", diag.BadValue, "%s(): norm must be forward, backward or ortho, not '%s'", c.Short(), n)
	}
	out := d.Complex()
	if r.toReal {
		out = d.Real()
	}
	if o := c.OutDType; o != dtype.Unknown && out != dtype.Unknown && (r.toReal && !o.IsFloat() || !r.toReal && !o.IsComplex()) {
		c.OutMismatch(out)
	}
	return out, c.OK()
}

// length is the size of the result along an axis: of size in, or n if given. The number of points
// must be at least 1. A size of -1 in s stands for the size of the axis. last says that the axis is
// the last of those that are transformed, which alone is halved or restored. The fault names the
// axis of the input.
func (r fftRule) length(c *ops.Call, n symshape.Dim, given bool, in symshape.Dim, last bool, t *value.Tensor, axis int) (symshape.Dim,
	bool) {
	if !given || ops.IsConst(n, -1) && c.HasParam("s") {
		n = in
		// 2(m-1) points for m given numbers.
		if r.toReal && last {
			n = c.P.DimMul(c.Const(2), c.P.DimSub(in, c.Const(1)))
		}
	}
	if !c.AtLeast(n, 1) {
		c.Blame(ops.Ref{Tensor: t, Axis: axis})
		c.Errorf("RuntimeError", diag.InvalidSize, "%s(): the transform along dimension %d would have %s points: %s", c.Short(), axis, n, t)
		return n, false
	}
	return n, true
}

// resultSize is the size of the axis that has n points. n, or n/2 + 1 on the last axis of a
// transform from real numbers.
func (r fftRule) resultSize(c *ops.Call, n symshape.Dim, last bool) symshape.Dim {
	if r.fromReal && last {
		return c.P.DimAdd(c.P.DimFloorDiv(n, c.Const(2)), c.Const(1))
	}
	return n
}

// one is the rule of a transform along one axis. n cuts the axis or pads it with zeros. What the axis then has
// depends on the kind: complex to complex keeps n, real to complex gives n/2+1, the inverse of that 2·(m-1)
// points unless n says otherwise. The rank must be at least 1; the sizes of other axes and the
// order of axes stay.
func (r fftRule) one(c *ops.Call) value.Value {
	t := c.Tensor("input")
	s := c.Shape(t)
	if t == nil || !c.OK() {
		return nil
	}
	d, ok := r.dtype(c, t)
	if !ok {
		return nil
	}
	axis := c.Axis("dim", len(s))
	if !c.OK() {
		return nil
	}
	if len(s) == 0 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "%s() needs at least one dimension, but got %s", c.Short(), t)
	}
	var n symshape.Dim
	if c.Has("n") {
		n = c.Dim("n")
	}
	n, ok = r.length(c, n, c.Has("n"), s[axis], true, t, axis)
	if !ok || !padded(c, s, ops.With(s, axis, r.points(c, n, true)), t) {
		return nil
	}
	return c.Out(d, ops.With(s, axis, r.resultSize(c, n, true)))
}

// points is the size that the input needs along an axis of which the transform
// has n points. A c2r transform reads n/2 + 1 numbers of the input and ignores others.
func (r fftRule) points(c *ops.Call, n symshape.Dim, last bool) symshape.Dim {
	if r.toReal && last {
		return c.P.DimAdd(c.P.DimFloorDiv(n, c.Const(2)), c.Const(1))
	}
	return n
}

// padded refuses to pad a tensor that stays empty: the padding of PyTorch 1 does not take it. It is
// asked with the sizes that are known. have is the shape of the input and want the one after
// padding.
func padded(c *ops.Call, have, want symshape.Shape, t *value.Tensor) bool {
	for i := range have {
		a, ok1 := have[i].Const()
		b, ok2 := want[i].Const()
		if ok1 && ok2 && b > a && numelIsZero(c, want) && c.Torch1() {
			c.Errorf("RuntimeError", diag.InvalidSize, "%s(): dimension %d of an empty tensor cannot be padded to %d: %s", c.Short(), i, b, t)
			return false
		}
	}
	return true
}

// several transforms the dimensions in dim, those at the end that s counts, or all of them; s and dim have
// one length. The real forms need at least one dimension, and halve or restore the last. Each size follows
// from s, or from the input.
func (r fftRule) several(c *ops.Call) value.Value {
	t := c.Tensor("input")
	s := c.Shape(t)
	if t == nil || !c.OK() {
		return nil
	}
	d, ok := r.dtype(c, t)
	if !ok {
		return nil
	}
	sizes, hasSizes := c.Ints("s"), c.Has("s")
	// Three ways to the axes: dim says them, s alone counts from the end, neither means all.
	var axes []int
	switch {
	case c.Has("dim"):
		if axes = c.Axes("dim", len(s)); c.OK() && hasSizes && len(sizes) != len(axes) {
			return c.Errorf("RuntimeError", diag.BadValue, "%s(): s has %d elements, but dim has %d",
				c.Short(), diag.Count(len(sizes)), diag.Count(len(axes)))
		}
	case hasSizes:
		if len(sizes) > len(s) {
			return c.Errorf("RuntimeError", diag.RankMismatch, "%s(): s has %d elements for %s", c.Short(), diag.Count(len(sizes)), t)
		}
		axes = ops.LastAxes(len(s), len(sizes))
	default:
		axes = ops.LastAxes(len(s), len(s))
	}
	if !c.OK() {
		return nil
	}
	// PyTorch 2 lets a tensor without dimensions pass as long as no axis is asked for.
	if len(s) == 0 && (len(axes) > 0 || c.Torch1()) {
		return c.Errorf("RuntimeError", diag.RankMismatch, "%s() needs dimensions, but got %s", c.Short(), t)
	}
	if len(axes) == 0 && (r.fromReal || r.toReal) {
		return c.Errorf("RuntimeError", diag.BadValue, "%s() must transform at least one dimension of %s", c.Short(), t)
	}
	out, in := slices.Clone(s), slices.Clone(s)
	for i, a := range axes {
		last := i == len(axes)-1
		// Only the last of the axes, in the order of dim, is halved or restored, even if it is not
		// the last one of the tensor.
		var n symshape.Dim
		if hasSizes {
			n = sizes[i]
		}
		n, ok := r.length(c, n, hasSizes, s[a], last, t, a)
		if !ok {
			return nil
		}
		in[a], out[a] = r.points(c, n, last), r.resultSize(c, n, last)
	}
	if !padded(c, s, in, t) {
		return nil
	}
	return c.Out(d, out)
}

// fftshiftRule rolls by half of each size, so nothing about the shape can fail. It needs an axis nevertheless,
// as torch.roll does. The shape and dtype of the input stay for both directions.
func fftshiftRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	if t == nil {
		return nil
	}
	if t.Type().Ranked {
		// dim is only checked for being in range.
		if c.Has("dim") {
			for _, d := range c.Ints("dim") {
				if n, ok := ops.DimVal(d); ok {
					c.WrapAxis(int(n), len(t.Type().Shape))
				}
			}
		}
		if (len(t.Type().Shape) == 0 || c.Has("dim") && len(c.Ints("dim")) == 0) && c.OK() {
			return c.Errorf("RuntimeError", diag.RankMismatch, "%s() needs a dimension to shift, but got %s", c.Short(), t)
		}
	}
	return c.Like(t, t.Type().DType)
}

// realFreq are the frequencies of a real transform, half of them. Half of the frequencies, with 0
// and the one in the middle.
const realFreq ops.Variant = "rfft"

// fftfreqRule: n frequencies, and n/2+1 for the transform of real numbers. PyTorch computes that with C's
// division, so that small negative n give empty results before it refuses them. d only scales the
// elements and is not looked at. The dtype must be floating or complex; the default is the default
// float.
func fftfreqRule(c *ops.Call) value.Value {
	n := c.Dim("n")
	half := c.Is(realFreq)
	least := int64(0)
	if half { // of which it makes n / 2 + 1, rounded to zero
		least = -3
	}
	if !c.AtLeast(n, least) {
		return c.Errorf("RuntimeError", diag.BadValue, "%s(): n must not be negative, but is %s", c.Short(), n)
	}
	// C rounds the quotient to zero, so -3/2 + 1 is 0, whereas floor division would give -1.
	if k, ok := n.Const(); ok && k < 0 && half {
		n = c.Const(k/2 + 1)
	} else if half {
		n = r2c.resultSize(c, n, true)
	}
	if !c.Accepts(ops.Inexact, c.FactoryDType(c.DefaultDType())) {
		return nil
	}
	out := made(c, c.DefaultDType(), symshape.Shape{n})
	if out == nil {
		return nil
	}
	return out
}

// frame reads the parameters that stft and istft share. n is the number of points of a frame and
// hop the distance between frames, by default a quarter of n. The window has win_length elements,
// by default n, and is padded to n in the middle, so that it must lie in [1, n]. False after a
// report.
func frame(c *ops.Call, t *value.Tensor) (n, hop symshape.Dim, ok bool) {
	n = c.Dim("n_fft")
	hop = c.P.DimFloorDiv(n, c.Const(4))
	if c.Has("hop_length") {
		hop = c.Dim("hop_length")
	}
	win := n
	if c.Has("win_length") {
		win = c.Dim("win_length")
	}
	if !c.OK() {
		return n, hop, false
	}
	switch {
	case !c.AtLeast(n, 1):
		c.Errorf("RuntimeError", diag.BadValue, "%s(): n_fft must be positive, but is %s", c.Short(), n)
	case !c.AtLeast(hop, 1):
		c.Errorf("RuntimeError", diag.BadValue, "%s(): hop_length must be positive, but is %s", c.Short(), hop)
	case !c.AtLeast(win, 1) || !c.AtLeast(c.P.DimSub(n, win), 0):
		c.Errorf("RuntimeError", diag.BadValue, "%s(): win_length must lie between 1 and n_fft, %s, but is %s", c.Short(), n, win)
	}
	if w := (*value.Tensor)(nil); c.OK() && c.Has("window") {
		// The size of the window is compared also where it is only known as an expression, which
		// makes a condition.
		if w = c.Tensor("window"); w != nil && c.Rank(w, "a window", 1) {
			if _, same := c.Same(w.Type().Shape[0], win); !same {
				c.Blame(ops.Ref{Tensor: w, Axis: 0})
				c.Shapef("%s(): the window has %s elements, but win_length is %s: %s", c.Short(), w.Type().Shape[0], win, w)
			}
		}
	}
	return n, hop, c.OK()
}

// stftRule follows at::stft (aten/src/ATen/native/SpectralOps.cpp). The signal is [samples] or
// [batch, samples]. The result is [batch?, frequencies, frames], with a last axis of 2 for the real
// and imaginary part where return_complex is False. With center the signal is padded by n/2 on both
// sides first. Frames: 1 + (samples - n) // hop.
func stftRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	s := c.Shape(t)
	if t == nil || !c.OK() {
		return nil
	}
	n, hop, ok := frame(c, t)
	if !ok || !c.Accepts(ops.Inexact, t.Type().DType) {
		return nil
	}
	// The length of a scalar is only used for the checks that PyTorch makes before that of the
	// rank.
	length := c.Const(1)
	if len(s) > 0 {
		length = s[len(s)-1]
	}
	// torch.stft in Python pads before it calls at::stft, and so the errors of padding come before
	// those of the rank.
	one := c.Const(1)
	half := c.P.DimFloorDiv(n, c.Const(2))
	if c.Bool("center") {
		if !c.Has("pad_mode") {
			return c.Errorf("TypeError", diag.TypeMismatch, "pad() argument 'mode' must be a str, not None")
		}
		if c.Str("pad_mode") == "reflect" && isEmpty(s) {
			return c.Errorf("RuntimeError", diag.InvalidSize, "stft(): an empty signal cannot be reflected: %s", t)
		}
		// A reflection by n/2 needs more samples than n/2, since the border is not repeated.
		if c.Str("pad_mode") == "reflect" && !c.AtLeast(c.P.DimSub(length, half), 1) {
			c.Blame(ops.Ref{Tensor: t, Axis: len(s) - 1})
			return c.Errorf("RuntimeError", diag.InvalidSize, "stft(): reflecting %s samples needs a signal that is longer, but it has %s: %s",
				half, length, t)
		}
		length = c.P.DimAdd(length, c.P.DimMul(c.Const(2), half))
	}
	if len(s) != 1 && len(s) != 2 {
		return c.FixingRank().Errorf("RuntimeError", diag.RankMismatch, "stft() needs a signal of 1 or 2 dimensions, but got %s", t)
	}
	// The signal must fill at least one frame.
	if !c.AtLeast(c.P.DimSub(length, n), 0) {
		c.Blame(ops.Ref{Tensor: t, Axis: len(s) - 1})
		return c.Errorf("RuntimeError", diag.InvalidSize, "stft(): n_fft is %s, but the signal has %s samples: %s", n, length, t)
	}
	// Half of the frequencies are kept for a real signal unless onesided says otherwise.
	isComplex := t.Type().DType.IsComplex()
	onesided := !isComplex
	if c.Has("onesided") {
		onesided = c.Bool("onesided")
	}
	asComplex := isComplex
	if c.Has("return_complex") {
		asComplex = c.Bool("return_complex")
	} else if !isComplex && !c.Torch1() {
		return c.Errorf("RuntimeError", diag.BadCall, "stft(): return_complex must be given for a real signal")
	}
	freqs := n
	if onesided {
		freqs = c.P.DimAdd(half, one)
	}
	frames := c.P.DimAdd(c.P.DimFloorDiv(c.P.DimSub(length, n), hop), one)
	shape := append(slices.Clone(s[:len(s)-1]), freqs, frames)
	d := t.Type().DType.Complex()
	if !asComplex {
		shape, d = append(shape, c.Const(2)), d.Real()
	}
	out := c.Out(d, shape)
	// The result is a transposed view of [batch?, frames, frequencies], which its strides show.
	k := len(s) - 1 // computed frame by frame: frequencies are inside
	stored := slices.Clone(shape)
	stored[k], stored[k+1] = shape[k+1], shape[k]
	strides := c.RowMajor(stored)
	strides[k], strides[k+1] = strides[k+1], strides[k]
	c.SetStrides(out, strides)
	return out
}

// istftRule follows at::istft (aten/src/ATen/native/SpectralOps.cpp). The input is [batch?,
// frequencies, frames], complex, or with a last axis of 2 in PyTorch 1. The signal has n +
// hop(frames - 1) samples, less n/2 on both sides with center, or as many as length says.
func istftRule(c *ops.Call) value.Value {
	t := c.Tensor("input")
	s := c.Shape(t)
	if t == nil || !c.OK() {
		return nil
	}
	if d := t.Type().DType; !c.Torch1() && d != dtype.Unknown && !d.IsComplex() {
		return c.Errorf("TypeError", diag.DTypeMismatch,
			"istft() needs complex numbers, as stft gives them with return_complex=True, but got %s", t)
	}
	n, hop, ok := frame(c, t)
	if !ok || !c.Accepts(ops.Inexact, t.Type().DType) {
		return nil
	}
	if isEmpty(s) {
		return c.Errorf("RuntimeError", diag.InvalidSize, "istft(): there is nothing to transform: %s", t)
	}
	if !t.Type().DType.IsComplex() {
		if len(s) == 0 || !isSize(c, s[len(s)-1], 2) {
			return c.Errorf("RuntimeError", diag.RankMismatch, "istft() needs complex numbers, or a last dimension of size 2, but got %s", t)
		}
		s = s[:len(s)-1]
	}
	if len(s) != 2 && len(s) != 3 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "istft() needs frequencies and frames, with or without a batch, but got %s", t)
	}
	freqs, frames := s[len(s)-2], s[len(s)-1]
	half := c.P.DimFloorDiv(n, c.Const(2))
	// Whether the spectrum is one-sided is by default decided by its size: fewer frequencies than n
	// mean that it is. With sizes that are not decided the common case, one-sided, is assumed.
	onesided := true
	if c.Has("onesided") {
		onesided = c.Bool("onesided")
	} else if a, ok := ops.DimVal(freqs); ok {
		if b, ok := ops.DimVal(n); ok {
			onesided = a != b
		}
	} else if freqs.Expr != nil && n.Expr != nil {
		onesided = c.Decide(c.P.Eq(freqs.Expr, n.Expr)) != symshape.Yes
	}
	want := n
	if onesided {
		want = c.P.DimAdd(half, c.Const(1))
	}
	// The number of frequencies must be n, or n/2 + 1 for half of them.
	if _, same := c.Same(freqs, want); !same {
		c.Blame(ops.Ref{Tensor: t, Axis: len(s) - 2})
		return c.Shapef("istft(): n_fft of %s makes %s frequencies, but there are %s: %s", n, want, freqs, t)
	}
	// The sum of the squared windows would be 0 at the first sample, by which PyTorch would divide.
	if !c.Bool("center") && c.Has("win_length") && c.Decide(c.P.Ge(n.Expr, c.P.AddConst(c.Dim("win_length").Expr, 2))) == symshape.Yes {
		return c.Errorf("RuntimeError", diag.BadValue,
			"istft(): win_length %s is less than n_fft %s, so the first sample is in no window; use center=True", c.Dim("win_length"), n)
	}
	total := c.P.DimAdd(n, c.P.DimMul(hop, c.P.DimSub(frames, c.Const(1))))
	if c.Bool("center") {
		total = c.P.DimSub(total, c.P.DimMul(c.Const(2), half))
	}
	if !c.AtLeast(total, 1) {
		c.Blame(ops.Ref{Tensor: t, Axis: len(s) - 1})
		return c.Errorf("RuntimeError", diag.InvalidSize, "istft(): nothing is left of %s frames: %s", frames, t)
	}
	if c.Has("length") {
		total = c.Dim("length")
	}
	d := t.Type().DType.Real()
	// The result of a product of frames and window has the promoted dtype.
	if w := c.Tensor("window"); w != nil { // the frames are multiplied by it
		d = dtype.Promote(d, w.Type().DType)
	}
	if c.Bool("return_complex") {
		d = d.Complex()
	}
	if !c.OK() {
		return nil
	}
	return c.Out(d, append(slices.Clone(s[:len(s)-2]), total))
}

// isSize makes d == n a condition; false when it cannot hold.
func isSize(c *ops.Call, d symshape.Dim, n int64) bool {
	_, ok := c.Same(d, c.Const(n))
	return ok
}

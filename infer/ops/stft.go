package ops

// This file holds torch.stft and torch.istft.

import (
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// stftWindow reads the arguments that stft and istft share and checks them.
func (c *Call) stftWindow() (n, hop, win symshape.Dim, window *value.Tensor, ok bool) {
	n = c.Dim("n_fft")
	hop = c.P.DimFloorDiv(n, c.Const(4))
	if c.Has("hop_length") {
		hop = c.Dim("hop_length")
	}
	win = n
	if c.Has("win_length") {
		win = c.Dim("win_length")
	}
	if c.Has("window") {
		window = c.Tensor("window")
		c.Shape(window)
	}
	if !c.OK() {
		return
	}
	switch {
	case !c.AtLeast(n, 1):
		c.Errorf("RuntimeError", diag.InvalidSize, "%s() needs a positive n_fft, but got %s", c.short(), n)
	case !c.AtLeast(hop, 1):
		c.Errorf("RuntimeError", diag.InvalidSize, "%s() needs a positive hop_length, but got %s", c.short(), hop)
	case !c.AtLeast(win, 1) || !c.requireLE(win, n):
		c.Errorf("RuntimeError", diag.InvalidSize, "%s() needs 0 < win_length <= n_fft, but got %s and %s", c.short(), win, n)
	}
	if !c.OK() {
		return
	}
	if window != nil {
		s := window.Type().Shape
		if len(s) != 1 {
			c.Errorf("RuntimeError", diag.RankMismatch, "%s() needs a window that is a vector, but got %s", c.short(), window)
			return
		}
		if _, same := c.Same(s[0], win); !same {
			c.Blame(Ref{window, 0})
			c.Shapef("%s(): the window %s does not have win_length %s", c.short(), window, win)
			return
		}
	}
	return n, hop, win, window, true
}

func stftRule(c *Call) value.Value {
	t := c.Tensor("input")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	if len(s) != 1 && len(s) != 2 {
		return c.Errorf("RuntimeError", diag.RankMismatch, "stft() needs a signal or a batch of them, but got %s", t)
	}
	d := t.Type().DType
	if d != dtype.Unknown && !d.IsFloat() && !d.IsComplex() {
		return c.Errorf("RuntimeError", diag.DTypeMismatch, "stft() needs a float or complex signal, but got %s", t)
	}
	size := s[len(s)-1]
	if c.Bool("center") && c.OK() {
		pad := c.P.DimFloorDiv(c.Dim("n_fft"), c.Const(2))
		mode := c.Str("pad_mode")
		if mode == "reflect" && !c.requireLE(c.P.DimAdd(pad, c.Const(1)), size) {
			return c.Errorf("RuntimeError", diag.InvalidSize, "stft() pads %s, which must be less than the %s samples of %s", pad, size, t)
		}
		if mode == "circular" && !c.requireLE(pad, size) || isEmpty(s) {
			return c.Errorf("RuntimeError", diag.InvalidSize, "stft() cannot pad %s by %s", t, pad)
		}
		size = c.P.DimAdd(size, c.P.DimMul(pad, c.Const(2)))
	}
	n, hop, _, window, ok := c.stftWindow()
	if !ok {
		return nil
	}
	if !c.requireLE(n, size) {
		return c.Errorf("RuntimeError", diag.InvalidSize, "stft() needs at least n_fft = %s samples, but has %s", n, size)
	}
	complexIn := d.IsComplex() || window != nil && window.Type().DType.IsComplex()
	onesided := !complexIn
	if c.Has("onesided") {
		onesided = c.Bool("onesided")
		if onesided && complexIn {
			return c.Errorf("RuntimeError", diag.BadValue, "stft() of complex numbers has no one-sided result")
		}
	}
	asComplex := complexIn
	if c.Has("return_complex") {
		asComplex = c.Bool("return_complex")
	} else if !complexIn && atLeastTorch2(c) {
		return c.Errorf("RuntimeError", diag.BadCall, "stft() of a real signal needs return_complex since torch 2.0")
	}
	if window != nil {
		d = dtype.Promote(d, window.Type().DType)
	}
	var shape symshape.Shape
	shape = append(shape, s[:len(s)-1]...)
	if onesided {
		shape = append(shape, c.half(n))
	} else {
		shape = append(shape, n)
	}
	frames := c.P.DimAdd(c.P.DimFloorDiv(c.P.DimSub(size, n), hop), c.Const(1))
	shape = append(shape, frames)
	d = d.Complex()
	if !asComplex {
		shape = append(shape, c.Const(2))
		d = d.Real()
	}
	return c.matOut(d, shape)
}

func istftRule(c *Call) value.Value {
	t := c.Tensor("input")
	s := c.Shape(t)
	if !c.OK() {
		return nil
	}
	d := t.Type().DType
	if d == dtype.Unknown {
		return c.OutType(graph.TensorType{})
	}
	if !d.IsComplex() {
		if atLeastTorch2(c) || !d.IsFloat() {
			return c.Errorf("RuntimeError", diag.DTypeMismatch, "istft() needs a complex tensor, but got %s", t)
		}
		if len(s) < 1 {
			return c.Errorf("RuntimeError", diag.RankMismatch, "istft() needs a last dimension of size 2, but got %s", t)
		}
		if _, ok := c.Same(s[len(s)-1], c.Const(2)); !ok {
			return c.Shapef("istft() of real numbers needs a last dimension of size 2, but got %s", t)
		}
		s = s[:len(s)-1]
		d = d.Complex()
	}
	if len(s) != 2 && len(s) != 3 || isEmpty(s) {
		return c.Errorf("RuntimeError", diag.RankMismatch, "istft() needs frequencies by frames, or a batch of that, but got %s", t)
	}
	n, hop, win, _, ok := c.stftWindow()
	if !ok {
		return nil
	}
	if gap := c.P.DimSub(n, win); !c.Bool("center") && gap.Expr != nil && !c.Has("length") && c.Decide(c.P.Ge(gap.Expr, c.P.Const(1))) == symshape.Yes {
		return c.Errorf("RuntimeError", diag.BadValue, "istft() with center=False cannot restore the ends, which no window of length %s of n_fft %s covers", win, n)
	}
	freqs, frames := s[len(s)-2], s[len(s)-1]
	var onesided bool
	if c.Has("onesided") {
		onesided = c.Bool("onesided")
	} else if freqs.Expr != nil && n.Expr != nil {
		onesided = freqs.Expr != n.Expr && c.Decide(c.P.Eq(freqs.Expr, n.Expr)) != symshape.Yes
	}
	want := n
	if onesided {
		want = c.half(n)
	}
	if _, ok := c.Same(freqs, want); !ok {
		return c.Shapef("istft() with n_fft = %s needs %s frequencies, but got %s in %s", n, want, freqs, t)
	}
	if c.Bool("return_complex") {
		if onesided {
			return c.Errorf("RuntimeError", diag.BadValue, "istft() of a one-sided transform cannot return complex numbers")
		}
	} else {
		d = d.Real()
	}
	size := c.P.DimAdd(n, c.P.DimMul(hop, c.P.DimSub(frames, c.Const(1))))
	if c.Bool("center") {
		size = c.P.DimSub(size, c.P.DimMul(c.P.DimFloorDiv(n, c.Const(2)), c.Const(2)))
	}
	if v, ok := DimVal(size); ok && v <= 0 {
		return c.Errorf("RuntimeError", diag.InvalidSize, "istft() of %s gives no samples", t)
	}
	if c.Has("length") {
		size = c.Dim("length")
	}
	if !c.OK() {
		return nil
	}
	return c.Out(d, append(append(symshape.Shape(nil), s[:len(s)-2]...), size))
}

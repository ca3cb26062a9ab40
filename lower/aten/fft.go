package aten

// This file lowers Fourier transforms by ONNX's DFT, on complex tensors as complex.go stores them.
//
// A transform over several axes is one over each in turn. The inverse with a real result is
// written as the spectrum's other half (hermitian), the complex inverse and the real part of
// that.

import (
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/onnx"
)

const byPairs = "the elements are not complex" // what has a rule for complex elements only

var fftRecords = []Record{
	{Op: "torch.fft.fft torch.fft.fft2 torch.fft.fftn torch.fft.ifft torch.fft.ifft2 torch.fft.ifftn torch.fft.rfft torch.fft.rfft2 torch.fft.rfftn " +
		"torch.fft.irfft torch.fft.irfft2 torch.fft.irfftn torch.stft torch.istft", None: byPairs},
	{Op: "torch.fft.hfft torch.fft.hfft2 torch.fft.hfftn torch.fft.ihfft torch.fft.ihfft2 torch.fft.ihfftn",
		None: "it is irfft or rfft of the conjugate: write that"},
	{Op: "torch.imag torch.complex torch.polar torch.view_as_complex torch.view_as_real torch.Tensor.cfloat torch.Tensor.cdouble torch.Tensor.chalf", None: byPairs},
	{Op: "torch.fft.fftshift", Lower: fftShift(false)},
	{Op: "torch.fft.ifftshift", Lower: fftShift(true)},
	{Op: "torch.fft.fftfreq", Lower: fftFreq(false)},
	{Op: "torch.fft.rfftfreq", Lower: fftFreq(true)},
}

// fourier are the rules of the transforms.
var fourier = map[string]func(c *Call){"torch.stft": stft, "torch.istft": istft}

func init() {
	for _, several := range [...]string{"", "2", "n"} {
		fourier["torch.fft.fft"+several] = transform(false, false)
		fourier["torch.fft.ifft"+several] = transform(true, false)
		fourier["torch.fft.rfft"+several] = transform(false, true)
		fourier["torch.fft.irfft"+several] = transform(true, true)
	}
}

// transform is the transform along one axis or several. That of a real signal begins with the last
// axis, of which it keeps half the frequencies; its inverse ends with it. The length of an axis
// is the argument n or s if it is given, where -1 means that of the signal; the last axis of a
// real inverse has 2·(m - 1) elements by default, for m frequencies.
func transform(inverse, real bool) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		rank := int64(c.Rank("input"))
		norm := "backward"
		if c.Has("norm") {
			norm = c.Str("norm")
		}
		axes := c.transformed(rank)
		lengths := map[int64]V{}
		given := "n"
		if !strings.HasSuffix(c.Node.Op, "fft") {
			given = "s"
		}
		if sizes := c.Items(given); len(sizes) > 0 {
			for i, o := range sizes {
				if n, ok := o.(graph.Int); !ok || n != -1 {
					lengths[axes[i]] = c.number(given, o, onnx.Int64)
				}
			}
		}
		x := c.stored("input")
		if _, ok := Stored(c.Type("input").DType); !ok {
			x = e.Unsqueeze(e.Cast(x, c.OutDType(0)), -1)
		}
		last := axes[len(axes)-1]
		length := func(axis int64) V {
			if n, ok := lengths[axis]; ok {
				return n
			}
			n := e.Squeeze(e.Op("Shape", In(x), onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1)), 0)
			if inverse && real && axis == last {
				n = e.mul(e.sub(n, e.I64Scalar(1)), e.I64Scalar(2))
			}
			return n
		}
		if !inverse && real {
			x = e.dft(x, last, length(last), norm, false, true)
			axes = axes[:len(axes)-1]
		}
		for _, axis := range axes {
			n := length(axis)
			if inverse && real && axis == last {
				x = e.partOf(e.dft(c.hermitian(e.enough(x, axis, n), axis, n), axis, n, norm, true, false), 0)
				continue
			}
			x = e.dft(x, axis, n, norm, inverse, false)
		}
		c.Return(x)
	}
}

// transformed are the axes of a transform, the last one last. Those of fft are the one in dim,
// those of fft2 and fftn all in dim, or the last ones, as many as s has sizes, or all.
func (c *Call) transformed(rank int64) []int64 {
	if strings.HasSuffix(c.Node.Op, "fft") {
		return []int64{c.Axis("dim", int(rank))}
	}
	if c.Has("dim") {
		return c.Axes("dim", int(rank))
	}
	first := int64(0)
	if n := int64(len(c.Items("s"))); n > 0 {
		first = rank - n
	}
	var all []int64
	for axis := first; axis < rank; axis++ {
		all = append(all, axis)
	}
	return all
}

// enough adds zeros to the frequencies x of a real signal of n elements where they are less than
// half. PyTorch pads a spectrum that is too short for n; without that hermitian would gather
// beyond its end.
func (e *Emitter) enough(x V, axis int64, n V) V {
	have := e.Op("Shape", In(x), onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1))
	need := e.add(e.over(e.Unsqueeze(n, 0), e.I64(2)), e.I64(1))
	missing := e.Op("Max", In(e.sub(need, have), e.I64(0)))
	return e.Op("Pad", In(x, e.Concat(0, e.I64(0), missing), V{}, e.I64(axis)))
}

// windowOf is the window of n_fft elements, in the middle of zeros if it is shorter.
func (c *Call) windowOf(n int64, d onnx.DType) V {
	e := c.emit
	size := n
	if c.Has("win_length") {
		size = c.Int("win_length")
	}
	w := V{}
	switch {
	case c.Has("window"):
		w = e.Cast(c.Tensor("window"), d)
	case size == n:
		return w
	default:
		w = e.filled(e.I64(size), d, 1)
	}
	if left := (n - size) / 2; size != n {
		w = e.Op("Pad", In(w, e.I64(left, n-size-left), e.Scalar(d, 0)))
	}
	return w
}

// onesided reports whether the frequencies are half of all.
func (c *Call) onesided() bool { return !c.Has("onesided") || c.Bool("onesided") }

func (c *Call) hop(n int64) int64 {
	if c.Has("hop_length") {
		return c.Int("hop_length")
	}
	return n / 4
}

// stft cuts the signal into overlapping pieces, multiplies them by the window and transforms
// them. The frames are gathered by a matrix of indices [frames, n_fft], start + place. With
// center the signal is padded by n_fft / 2 on both sides first, so that frame k is around k·hop.
// The result of PyTorch has frequencies before frames.
func stft(c *Call) {
	e := c.emit
	d := c.OutDType(0)
	if _, ok := Stored(c.Type("input").DType); ok {
		failf("the signal is complex")
	}
	rank := int64(c.Rank("input"))
	n := c.Int("n_fft")
	x := e.Cast(c.Tensor("input"), d)
	if c.Bool("center") {
		mode := "reflect"
		if c.Has("pad_mode") {
			mode = c.Str("pad_mode")
		}
		pads := make([]int64, 2*rank)
		pads[rank-1], pads[2*rank-1] = n/2, n/2
		modes := map[string]string{"reflect": "reflect", "constant": "constant", "replicate": "edge", "circular": "wrap"}
		x = e.Op("Pad", In(x, e.I64(pads...), e.Scalar(d, 0)), onnx.StringAttr("mode", modes[mode]))
	}
	length := e.Squeeze(e.Op("Shape", In(x), onnx.IntAttr("start", -1)), 0)
	starts := e.Op("Range", In(e.I64Scalar(0), e.sub(length, e.I64Scalar(n-1)), e.I64Scalar(c.hop(n))))
	at := e.add(e.Unsqueeze(starts, 1), e.Unsqueeze(e.rangeTo(e.I64Scalar(n)), 0))
	frames := e.Op("Gather", In(x, at), onnx.IntAttr("axis", rank-1))
	if w := c.windowOf(n, d); w.Name != "" {
		frames = e.mul(frames, w)
	}
	norm := "backward"
	if c.Bool("normalized") {
		norm = "ortho"
	}
	y := e.dft(e.Unsqueeze(frames, -1), rank, e.I64Scalar(n), norm, false, c.onesided())
	if rank == 1 { // frames, frequencies, parts
		c.Return(e.Transpose(y, 1, 0, 2))
		return
	}
	c.Return(e.Transpose(y, 0, 2, 1, 3))
}

// istft transforms the pieces back, multiplies them by the window and adds them up; each place is
// divided by the sum of the squares of the windows over it. This is overlap and add with the
// least squares estimate of Griffin and Lim (1984): Σ w·frame / Σ w². Both sums are scatters with
// addition, onto zeros of the length of all frames. What center added is cut off in front; behind
// it, length says the end, or it is cut off alike. It divides by zero where no window reaches;
// PyTorch checks for that.
func istft(c *Call) {
	e := c.emit
	if _, ok := Stored(c.OutType(0).DType); ok {
		failf("the signal is complex")
	}
	d := c.OutDType(0)
	n := c.Int("n_fft")
	hop := c.hop(n)
	x := c.stored("input")
	rank := c.Rank("input")
	if _, ok := Stored(c.Type("input").DType); !ok {
		rank--
	}
	if rank == 2 {
		x = e.Unsqueeze(x, 0)
	}
	norm := "backward"
	if c.Bool("normalized") {
		norm = "ortho"
	}
	spectrum := e.Transpose(x, 0, 2, 1, 3) // batch, frames, frequencies, parts
	size := e.I64Scalar(n)
	if c.onesided() {
		spectrum = e.mirroredSpectrum(spectrum, n)
	}
	frames := e.partOf(e.dft(spectrum, 2, size, norm, true, false), 0)
	w := c.windowOf(n, d)
	if w.Name == "" {
		w = e.filled(e.I64(n), d, 1)
	}
	frames = e.mul(frames, w)
	count := e.Squeeze(e.Op("Shape", In(frames), onnx.IntAttr("start", 1), onnx.IntAttr("end", 2)), 0)
	starts := e.mul(e.rangeTo(count), e.I64Scalar(hop))
	at := e.ReshapeTo(e.add(e.Unsqueeze(starts, 1), e.Unsqueeze(e.rangeTo(size), 0)), e.I64(-1))
	total := e.add(e.mul(e.sub(count, e.I64Scalar(1)), e.I64Scalar(hop)), size)
	batch := e.Op("Shape", In(frames), onnx.IntAttr("start", 0), onnx.IntAttr("end", 1))
	flat := e.ReshapeTo(frames, e.Concat(0, batch, e.I64(-1)))
	zeros := e.filled(e.Concat(0, batch, e.Unsqueeze(total, 0)), d, 0)
	sum := e.Op("ScatterElements", In(zeros, e.Op("Expand", In(at, e.Shape(flat))), flat), onnx.IntAttr("axis", 1),
		onnx.StringAttr("reduction", "add"))
	square := e.ReshapeTo(e.Op("Expand", In(e.mul(w, w), e.Concat(0, e.Unsqueeze(count, 0), e.I64(n)))), e.I64(-1))
	weight := e.Op("ScatterElements", In(e.filled(e.Unsqueeze(total, 0), d, 0), at, square), onnx.IntAttr("axis", 0),
		onnx.StringAttr("reduction", "add"))
	start := int64(0)
	if c.Bool("center") {
		start = n / 2
	}
	end := e.sub(e.Unsqueeze(total, 0), e.I64(start))
	if c.Has("length") {
		end = e.add(e.Unsqueeze(c.Number("length", onnx.Int64), 0), e.I64(start))
	}
	cut := func(v V, axis int64) V { return e.Op("Slice", In(v, e.I64(start), end, e.I64(axis))) }
	y := e.over(cut(sum, 1), cut(weight, 0))
	if rank == 2 {
		y = e.Squeeze(y, 0)
	}
	c.Return(y)
}

// mirroredSpectrum is hermitian for the frequencies of pieces, in dimension 2 of 3. n is a number
// here, so that places and signs can be constants.
func (e *Emitter) mirroredSpectrum(x V, n int64) V {
	at, sign := make([]int64, n), make([]float64, n)
	for k := range n {
		at[k], sign[k] = k, 1
		if k > n/2 {
			at[k], sign[k] = n-k, -1
		}
	}
	pick := func(v V) V { return e.Op("Gather", In(v, e.I64(at...)), onnx.IntAttr("axis", 2)) }
	signs, err := onnx.NewFloats(x.DType, []int64{n}, sign)
	if err != nil {
		failf("%v", err)
	}
	return e.pair(pick(e.partOf(x, 0)), e.mul(pick(e.partOf(x, 1)), e.Const(signs)))
}

// fftShift rolls by half of each size, so that the first element comes into the
// middle; the inverse rolls back. The middle is size / 2, rounded down, for the shift, and the
// rest for its inverse: for odd sizes the two differ.
func fftShift(inverse bool) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		name := c.Node.Args[0].Name
		x := c.Tensor(name)
		for _, axis := range c.Axes("dim", c.Rank(name)) {
			size := e.Op("Shape", In(x), onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1))
			half := e.over(size, e.I64(2))
			cut := e.sub(size, half)
			if inverse {
				cut = half
			}
			tail := e.Op("Slice", In(x, cut, e.I64(1<<62), e.I64(axis)))
			head := e.Op("Slice", In(x, e.I64(0), cut, e.I64(axis)))
			x = e.Concat(axis, tail, head)
		}
		c.Return(x)
	}
}

// fftFreq are the frequencies k/(n·d): 0, 1 … and then, of the full transform, the
// negative ones. They are computed in float64, as d is a float of Python, and rounded to the
// result's type at the end.
func fftFreq(half bool) func(c *Call) {
	return func(c *Call) {
		e := c.emit
		d := c.OutDType(0)
		n := c.number("n", c.Arg("n"), onnx.Int64)
		two := e.I64Scalar(2)
		k := V{}
		if half {
			k = e.Op("Range", In(e.I64Scalar(0), e.add(e.over(n, two), e.I64Scalar(1)), e.I64Scalar(1)))
		} else {
			k = e.Op("Range", In(e.I64Scalar(0), n, e.I64Scalar(1)))
			middle := e.over(e.add(n, e.I64Scalar(1)), two)
			k = e.either(e.Op("Less", In(k, middle)), k, e.sub(k, n))
		}
		step := e.mul(e.Cast(n, onnx.Double), c.Number("d", onnx.Double))
		c.Return(e.Cast(e.over(e.Cast(k, onnx.Double), step), d))
	}
}

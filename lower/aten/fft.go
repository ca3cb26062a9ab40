package aten

// This file lowers Fourier transforms by ONNX's DFT, on complex tensors as complex.go stores them.

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
// axis, of which it keeps half the frequencies; its inverse ends with it.
func transform(inverse, real bool) func(c *Call) {
	return func(c *Call) {
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
			x = c.Unsqueeze(c.Cast(x, c.OutDType(0)), -1)
		}
		last := axes[len(axes)-1]
		length := func(axis int64) V {
			if n, ok := lengths[axis]; ok {
				return n
			}
			n := c.Squeeze(c.Op("Shape", In(x), onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1)), 0)
			if inverse && real && axis == last {
				n = c.mul(c.sub(n, c.I64Scalar(1)), c.I64Scalar(2))
			}
			return n
		}
		if !inverse && real {
			x = c.dft(x, last, length(last), norm, false, true)
			axes = axes[:len(axes)-1]
		}
		for _, axis := range axes {
			n := length(axis)
			if inverse && real && axis == last {
				x = c.partOf(c.dft(c.hermitian(c.enough(x, axis, n), axis, n), axis, n, norm, true, false), 0)
				continue
			}
			x = c.dft(x, axis, n, norm, inverse, false)
		}
		c.Return(x)
	}
}

// transformed are the axes of a transform, the last one last.
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

// enough adds zeros to the frequencies x of a real signal of n elements where they are less than half.
func (c *Call) enough(x V, axis int64, n V) V {
	have := c.Op("Shape", In(x), onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1))
	need := c.add(c.over(c.Unsqueeze(n, 0), c.I64(2)), c.I64(1))
	missing := c.Op("Max", In(c.sub(need, have), c.I64(0)))
	return c.Op("Pad", In(x, c.Concat(0, c.I64(0), missing), V{}, c.I64(axis)))
}

// windowOf is the window of n_fft elements, in the middle of zeros if it is shorter.
func (c *Call) windowOf(n int64, d onnx.DType) V {
	size := n
	if c.Has("win_length") {
		size = c.Int("win_length")
	}
	w := V{}
	switch {
	case c.Has("window"):
		w = c.Cast(c.Tensor("window"), d)
	case size == n:
		return w
	default:
		w = c.filled(c.I64(size), d, 1)
	}
	if left := (n - size) / 2; size != n {
		w = c.Op("Pad", In(w, c.I64(left, n-size-left), c.Scalar(d, 0)))
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

// stft cuts the signal into overlapping pieces, multiplies them by the window and transforms them.
func stft(c *Call) {
	d := c.OutDType(0)
	if _, ok := Stored(c.Type("input").DType); ok {
		c.Failf("the signal is complex")
	}
	rank := int64(c.Rank("input"))
	n := c.Int("n_fft")
	x := c.Cast(c.Tensor("input"), d)
	if c.Bool("center") {
		mode := "reflect"
		if c.Has("pad_mode") {
			mode = c.Str("pad_mode")
		}
		pads := make([]int64, 2*rank)
		pads[rank-1], pads[2*rank-1] = n/2, n/2
		modes := map[string]string{"reflect": "reflect", "constant": "constant", "replicate": "edge", "circular": "wrap"}
		x = c.Op("Pad", In(x, c.I64(pads...), c.Scalar(d, 0)), onnx.StringAttr("mode", modes[mode]))
	}
	length := c.Squeeze(c.Op("Shape", In(x), onnx.IntAttr("start", -1)), 0)
	starts := c.Op("Range", In(c.I64Scalar(0), c.sub(length, c.I64Scalar(n-1)), c.I64Scalar(c.hop(n))))
	at := c.add(c.Unsqueeze(starts, 1), c.Unsqueeze(c.rangeTo(c.I64Scalar(n)), 0))
	frames := c.Op("Gather", In(x, at), onnx.IntAttr("axis", rank-1))
	if w := c.windowOf(n, d); w.Name != "" {
		frames = c.mul(frames, w)
	}
	norm := "backward"
	if c.Bool("normalized") {
		norm = "ortho"
	}
	y := c.dft(c.Unsqueeze(frames, -1), rank, c.I64Scalar(n), norm, false, c.onesided())
	if rank == 1 { // frames, frequencies, parts
		c.Return(c.Transpose(y, 1, 0, 2))
		return
	}
	c.Return(c.Transpose(y, 0, 2, 1, 3))
}

// istft transforms the pieces back, multiplies them by the window and adds them up; each place is
// divided by the sum of the squares of the windows over it.
func istft(c *Call) {
	if _, ok := Stored(c.OutType(0).DType); ok {
		c.Failf("the signal is complex")
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
		x = c.Unsqueeze(x, 0)
	}
	norm := "backward"
	if c.Bool("normalized") {
		norm = "ortho"
	}
	spectrum := c.Transpose(x, 0, 2, 1, 3) // batch, frames, frequencies, parts
	size := c.I64Scalar(n)
	if c.onesided() {
		spectrum = c.mirroredSpectrum(spectrum, n)
	}
	frames := c.partOf(c.dft(spectrum, 2, size, norm, true, false), 0)
	w := c.windowOf(n, d)
	if w.Name == "" {
		w = c.filled(c.I64(n), d, 1)
	}
	frames = c.mul(frames, w)
	count := c.Squeeze(c.Op("Shape", In(frames), onnx.IntAttr("start", 1), onnx.IntAttr("end", 2)), 0)
	starts := c.mul(c.rangeTo(count), c.I64Scalar(hop))
	at := c.ReshapeTo(c.add(c.Unsqueeze(starts, 1), c.Unsqueeze(c.rangeTo(size), 0)), c.I64(-1))
	total := c.add(c.mul(c.sub(count, c.I64Scalar(1)), c.I64Scalar(hop)), size)
	batch := c.Op("Shape", In(frames), onnx.IntAttr("start", 0), onnx.IntAttr("end", 1))
	flat := c.ReshapeTo(frames, c.Concat(0, batch, c.I64(-1)))
	zeros := c.filled(c.Concat(0, batch, c.Unsqueeze(total, 0)), d, 0)
	sum := c.Op("ScatterElements", In(zeros, c.Op("Expand", In(at, c.Shape(flat))), flat), onnx.IntAttr("axis", 1),
		onnx.StringAttr("reduction", "add"))
	square := c.ReshapeTo(c.Op("Expand", In(c.mul(w, w), c.Concat(0, c.Unsqueeze(count, 0), c.I64(n)))), c.I64(-1))
	weight := c.Op("ScatterElements", In(c.filled(c.Unsqueeze(total, 0), d, 0), at, square), onnx.IntAttr("axis", 0),
		onnx.StringAttr("reduction", "add"))
	start := int64(0)
	if c.Bool("center") {
		start = n / 2
	}
	end := c.sub(c.Unsqueeze(total, 0), c.I64(start))
	if c.Has("length") {
		end = c.add(c.Unsqueeze(c.Number("length", onnx.Int64), 0), c.I64(start))
	}
	cut := func(v V, axis int64) V { return c.Op("Slice", In(v, c.I64(start), end, c.I64(axis))) }
	y := c.over(cut(sum, 1), cut(weight, 0))
	if rank == 2 {
		y = c.Squeeze(y, 0)
	}
	c.Return(y)
}

// mirroredSpectrum is hermitian for the frequencies of pieces, in dimension 2 of 3.
func (c *Call) mirroredSpectrum(x V, n int64) V {
	at, sign := make([]int64, n), make([]float64, n)
	for k := range n {
		at[k], sign[k] = k, 1
		if k > n/2 {
			at[k], sign[k] = n-k, -1
		}
	}
	pick := func(v V) V { return c.Op("Gather", In(v, c.I64(at...)), onnx.IntAttr("axis", 2)) }
	signs, err := onnx.NewFloats(x.DType, []int64{n}, sign)
	if err != nil {
		c.Failf("%v", err)
	}
	return c.pair(pick(c.partOf(x, 0)), c.mul(pick(c.partOf(x, 1)), c.Const(signs)))
}

// fftShift rolls by half of each size, so that the first element comes into the
// middle; the inverse rolls back.
func fftShift(inverse bool) func(c *Call) {
	return func(c *Call) {
		name := c.Node.Args[0].Name
		x := c.Tensor(name)
		for _, axis := range c.Axes("dim", c.Rank(name)) {
			size := c.Op("Shape", In(x), onnx.IntAttr("start", axis), onnx.IntAttr("end", axis+1))
			half := c.over(size, c.I64(2))
			cut := c.sub(size, half)
			if inverse {
				cut = half
			}
			tail := c.Op("Slice", In(x, cut, c.I64(1<<62), c.I64(axis)))
			head := c.Op("Slice", In(x, c.I64(0), cut, c.I64(axis)))
			x = c.Concat(axis, tail, head)
		}
		c.Return(x)
	}
}

// fftFreq are the frequencies k/(n·d): 0, 1 … and then, of the full transform, the
// negative ones.
func fftFreq(half bool) func(c *Call) {
	return func(c *Call) {
		d := c.OutDType(0)
		n := c.number("n", c.Arg("n"), onnx.Int64)
		two := c.I64Scalar(2)
		k := V{}
		if half {
			k = c.Op("Range", In(c.I64Scalar(0), c.add(c.over(n, two), c.I64Scalar(1)), c.I64Scalar(1)))
		} else {
			k = c.Op("Range", In(c.I64Scalar(0), n, c.I64Scalar(1)))
			middle := c.over(c.add(n, c.I64Scalar(1)), two)
			k = c.either(c.Op("Less", In(k, middle)), k, c.sub(k, n))
		}
		step := c.mul(c.Cast(n, onnx.Double), c.Number("d", onnx.Double))
		c.Return(c.Cast(c.over(c.Cast(k, onnx.Double), step), d))
	}
}

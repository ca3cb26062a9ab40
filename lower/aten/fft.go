package aten

// This file says why Fourier transforms have no form, and lowers what is real of
// them.

import "shapecheck/internal/onnx"

const noComplex = "there are no complex numbers"

var fftRecords = []Record{
	{Op: "torch.fft.fft torch.fft.fft2 torch.fft.fftn torch.fft.ifft torch.fft.ifft2 torch.fft.ifftn torch.fft.rfft torch.fft.rfft2 torch.fft.rfftn " +
		"torch.fft.irfft torch.fft.irfft2 torch.fft.irfftn torch.fft.hfft torch.fft.hfft2 torch.fft.hfftn torch.fft.ihfft torch.fft.ihfft2 torch.fft.ihfftn " +
		"torch.stft torch.istft", None: noComplex},
	{Op: "torch.fft.fftshift", Lower: fftShift(false)},
	{Op: "torch.fft.ifftshift", Lower: fftShift(true)},
	{Op: "torch.fft.fftfreq", Lower: fftFreq(false)},
	{Op: "torch.fft.rfftfreq", Lower: fftFreq(true)},
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
		if isComplex(d) {
			c.Failf(noComplex)
		}
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

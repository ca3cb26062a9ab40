package aten

// This file lowers numpy.fft and what NumPy does with the complex numbers of it: by the
// rules for PyTorch's functions, with the arguments under their names.

import (
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/symshape/dtype"
)

var numpyFFTRecords = []Record{
	{Op: "numpy.fft.fft numpy.fft.rfft numpy.fft.irfft numpy.fft.fft2 numpy.fft.rfft2 numpy.fft.irfft2 numpy.fft.fftn numpy.fft.rfftn numpy.fft.irfftn", None: byPairs},
	{Op: "numpy.fft.ihfft", None: "it is rfft of the conjugate: write that"},
	{Op: "numpy.fft.fftshift", Lower: func(c *Call) { // and ifftshift, which shares the record
		adaptRecord("torch.fft."+lastName(c.Node.Called), "input=x dim=axes")(c)
	}},
}

// numpyPairs are functions of NumPy with a rule for complex numbers: PyTorch's function, and its
// arguments by NumPy's.
var numpyPairs = map[string][2]string{
	"numpy.absolute": {"torch.abs", "input=x"}, "numpy.ndarray.__abs__": {"torch.abs", "input=x"}, "numpy.conj": {"torch.conj", "input=x"},
	"numpy.add": {"torch.add", "input=x1 other=x2"}, "numpy.ndarray.__add__": {"torch.add", "input=x1 other=x2"},
	"numpy.subtract": {"torch.sub", "input=x1 other=x2"}, "numpy.ndarray.__sub__": {"torch.sub", "input=x1 other=x2"},
	"numpy.multiply": {"torch.mul", "input=x1 other=x2"}, "numpy.ndarray.__mul__": {"torch.mul", "input=x1 other=x2"},
	"numpy.ndarray.__rmul__": {"torch.mul", "input=x1 other=x2"}, "numpy.ndarray.__radd__": {"torch.add", "input=x1 other=x2"},
	"numpy.divide": {"torch.div", "input=x1 other=x2"}, "numpy.ndarray.__truediv__": {"torch.div", "input=x1 other=x2"},
}

// pairsOfNumpy makes the node that of PyTorch's function where NumPy's is known for complex numbers.
func (c *Call) pairsOfNumpy() {
	op, called := c.Node.Op, c.Node.Called
	if op == "numpy.fft.fftshift" {
		c.rename("torch.fft."+lastName(called), "input=x dim=axes")
		return
	}
	if strings.HasPrefix(op, "numpy.fft.") {
		in, out := dtype.Unknown, c.OutType(0).DType
		if a := c.Arg("a"); a != nil {
			in = c.Type("a").DType
		}
		if in == dtype.C64 && (out == dtype.C128 || out == dtype.F64) {
			failf("a transform in another precision than that of its argument is not written")
		}
		if name := "torch.fft." + lastName(called); fourier[name] != nil {
			c.rename(name, "input=a n=n s=s dim=axis dim=axes norm=norm")
		}
		return
	}
	if op == "numpy.real" { // and imag, and the properties
		name := "torch.real"
		if strings.Contains(called, "imag") {
			name = "torch.imag"
		}
		c.rename(name, "input=val")
		return
	}
	if to, ok := numpyPairs[op]; ok {
		if w := c.Arg("where"); c.Arg("out") != nil || w != nil && w != graph.Bool(true) {
			failf("out= and where= of complex numbers are not written")
		}
		c.rename(to[0], to[1])
	}
}

package eval

// This file holds the transforms of signals. Complex numbers are pairs in a last
// dimension of two.
//
// Transforms are computed by their definition in O(n²) and not by a fast algorithm: sums in
// float64 of n terms have an error of the order of n·2⁻⁵³, and there is nothing to get wrong.
// Steps are counted, so that a long signal ends in the limit and not in hours.

import (
	"math"
	"math/cmplx"
	"slices"

	"shapecheck/onnx"
)

// transform is the discrete Fourier transform of numbers as long as the list, by its
// definition. out may be shorter than in, for the first frequencies alone. The roots of unity are
// computed once each, by their angle, so that errors do not accumulate as in a recurrence. The
// inverse divides by n.
func (c *call) transform(in []complex128, out []complex128, inverse bool) {
	n := len(in)
	turn := make([]complex128, n)
	for k := range turn {
		s, co := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		if !inverse {
			s = -s
		}
		turn[k] = complex(co, s)
	}
	for k := range out {
		c.tick(n)
		sum := complex(0, 0)
		for j, x := range in {
			sum += x * turn[j*k%n]
		}
		if inverse {
			sum /= complex(float64(n), 0)
		}
		out[k] = sum
	}
}

// dft transforms along a dimension. With onesided only the first half of the spectrum is
// made; the inverse of that makes real numbers. The operands are the signal [batch, …, 1 or 2],
// the length and the axis, which is the second last by default. A shorter signal is filled with
// zeros, a longer one cut.
func dft(c *call) []Value {
	x := c.floatArg(0)
	rank := len(x.Dims)
	if rank < 2 || x.Dims[rank-1] != 1 && x.Dims[rank-1] != 2 {
		c.failf("a signal of the sizes %v", x.Dims)
	}
	axis := int64(-2)
	if c.opt(2) != nil {
		axis = c.oneInt(2)
	}
	at := c.axis(axis, rank)
	if at == rank-1 {
		c.failf("the transform of the last dimension")
	}
	inverse, onesided := c.int("inverse") != 0, c.int("onesided") != 0
	have := x.Dims[at]
	n := have
	if inverse && onesided {
		n = 2 * (have - 1)
	}
	if c.opt(1) != nil {
		n = c.oneInt(1)
	}
	if n < 1 || n > c.Elems {
		c.failf("a transform of %d elements", n)
	}
	dims := slices.Clone(x.Dims)
	dims[at], dims[rank-1] = n, 2
	parts := 2
	switch {
	case inverse && onesided:
		dims[rank-1], parts = 1, 1
	case onesided:
		dims[at] = n/2 + 1
	}
	out := c.make(x.DType, dims)
	k := int(x.Dims[rank-1])
	inner, outer := count(x.Dims[at+1:rank-1]), count(x.Dims[:at])
	in := make([]complex128, n)
	spectrum := make([]complex128, dims[at])
	for o := range outer {
		for i := range inner {
			clear(in)
			for j := range int(min(have, n)) {
				p := ((o*int(have)+j)*inner + i) * k
				in[j] = complex(x.F[p], 0)
				if k == 2 {
					in[j] = complex(x.F[p], x.F[p+1])
				}
			}
			if inverse && onesided {
				mirror(in, int(have))
			}
			c.transform(in, spectrum, inverse)
			for j, z := range spectrum {
				p := ((o*int(dims[at])+j)*inner + i) * parts
				out.F[p] = real(z)
				if parts == 2 {
					out.F[p+1] = imag(z)
				}
			}
		}
	}
	return []Value{out}
}

// mirror completes the first half of the spectrum of real numbers, of which at most have
// are given. The imaginary parts of frequency 0 and, for even n, of n/2 are dropped, as they are
// 0 for a real signal; the others are conjugates of each other.
func mirror(z []complex128, have int) {
	n := len(z)
	for j := have; j <= n/2; j++ {
		z[j] = 0
	}
	z[0] = complex(real(z[0]), 0)
	if n%2 == 0 {
		z[n/2] = complex(real(z[n/2]), 0)
	}
	for j := n/2 + 1; j < n; j++ {
		z[j] = cmplx.Conj(z[n-j])
	}
}

// stft transforms pieces of a signal [batch, time, 1 or 2], each times a window. The operands are
// signal, step, window and length of a piece. The result is [batch, pieces, frequencies, 2]; what
// is left of the signal behind the last whole piece is not used. A shorter window than the piece
// is followed by zeros.
func stft(c *call) []Value {
	x, step := c.floatArg(0), c.oneInt(1)
	if len(x.Dims) != 3 || x.Dims[2] != 1 && x.Dims[2] != 2 {
		c.failf("a signal of the sizes %v", x.Dims)
	}
	window := c.opt(2)
	n := x.Dims[1]
	switch {
	case c.opt(3) != nil:
		n = c.oneInt(3)
	case window != nil:
		n = int64(window.Len())
	}
	if n < 1 || n > x.Dims[1] || step < 1 {
		c.failf("pieces of %d by steps of %d in %d elements", n, step, x.Dims[1])
	}
	if window != nil {
		if len(window.Dims) != 1 || window.F == nil || window.Dims[0] > n {
			c.failf("a window of %v for pieces of %d", window.Dims, n)
		}
	}
	frames, bins := (x.Dims[1]-n)/step+1, n
	if c.int("onesided") != 0 {
		bins = n/2 + 1
	}
	out := c.make(x.DType, []int64{x.Dims[0], frames, bins, 2})
	in, spectrum := make([]complex128, n), make([]complex128, bins)
	k := int(x.Dims[2])
	at := 0
	for b := range int(x.Dims[0]) {
		for f := range int(frames) {
			clear(in)
			for j := range int(n) {
				w := 1.0
				if window != nil {
					if j >= window.Len() {
						break
					}
					w = window.F[j]
				}
				p := (b*int(x.Dims[1]) + f*int(step) + j) * k
				in[j] = complex(w*x.F[p], 0)
				if k == 2 {
					in[j] = complex(w*x.F[p], w*x.F[p+1])
				}
			}
			c.transform(in, spectrum, false)
			for _, z := range spectrum {
				out.F[at], out.F[at+1] = real(z), imag(z)
				at += 2
			}
		}
	}
	return []Value{out}
}

// cosineWindow is a kernel of a sum of cosines over a window. The element i of n is Σ
// aₖ·cos(2πki/n) for a periodic window and with n - 1 for a symmetric one: Hann is 0.5, -0.5,
// Hamming and Blackman have other coefficients.
func cosineWindow(coefficients ...float64) kernel {
	return func(c *call) []Value {
		n, d := c.oneInt(0), onnx.DType(c.int("output_datatype"))
		if n < 0 {
			c.failf("a window of %d elements", n)
		}
		out := c.make(d, []int64{n})
		span := float64(n)
		if c.int("periodic") == 0 {
			span--
		}
		for i := range out.Len() {
			sum := 0.0
			for k, a := range coefficients {
				sum += a * math.Cos(2*math.Pi*float64(k)*float64(i)/span) // the only element of a symmetric window is no number
			}
			out.put(i, sum)
		}
		return []Value{out}
	}
}

// melWeightMatrix maps a spectrum to the mel scale. The result is [length/2 + 1, mels]: each
// column is a triangle over the frequencies between two neighbours on the mel scale, mel(f) =
// 2595·log10(1 + f/700). The rounding of the corners to bins is that of the operator's reference.
func melWeightMatrix(c *call) []Value {
	mels, length, rate := c.oneInt(0), c.oneInt(1), c.oneInt(2)
	low, high := c.oneFloat(3), c.oneFloat(4)
	if mels < 1 || length < 1 || rate < 1 || mels > c.Elems || length > c.Elems {
		c.failf("%d bins of a transform of %d at a rate of %d", mels, length, rate)
	}
	out := c.make(onnx.DType(c.int("output_datatype")), []int64{length/2 + 1, mels})
	mel := func(f float64) float64 { return 2595 * math.Log10(1+f/700) }
	from := mel(low)
	step := (mel(high) - from) / float64(mels+2)
	bins := make([]int64, mels+2)
	for i := range bins {
		f := 700 * (math.Pow(10, (float64(i)*step+from)/2595) - 1)
		f = math.Floor(float64(length+1) * f / float64(rate))
		if !(f >= 0 && f <= float64(length/2)) {
			c.failf("frequencies from %v to %v at a rate of %d", low, high, rate)
		}
		bins[i] = int64(f)
	}
	for i := range mels {
		lower, centre, upper := bins[i], bins[i+1], bins[i+2]
		for j := lower; j <= centre; j++ {
			v := 1.0
			if centre > lower {
				v = float64(j-lower) / float64(centre-lower)
			}
			out.put(int(j*mels+i), v)
		}
		for j := centre; j < upper; j++ {
			out.put(int(j*mels+i), float64(upper-j)/float64(upper-centre))
		}
	}
	return []Value{out}
}

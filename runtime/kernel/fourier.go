package kernel

// This file holds the Fourier transforms of signals: DFT and STFT of f32, in f64. Complex numbers are pairs in a last dimension of two.
//
// The algorithm is Cooley and Tukey's, decimation in time with mixed radices: a transform of n =
// p·m numbers is p transforms of m, joined by butterflies of p with roots of unity. Radix 4 is
// taken before 2, as it needs fewer multiplications. Lengths with a prime factor above mostRadix
// are left to the reference, whose sum is quadratic; Bluestein's algorithm would do for them, but
// models have powers of two.

import (
	"errors"
	"math"
	"math/cmplx"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

const (
	// mostRadix is the largest prime of a transform's length: butterflies of larger ones belong to the reference.
	mostRadix = 61
	// mostTransform bounds the length of a transform, which is one tile's, and mostWork its work.
	mostTransform, mostWork = 1 << 16, 4 << 20
)

// A fourier is the transform of n numbers: radix by radix, and the n-th roots of one. radix ends
// with a 1, at which the recursion stops.
type fourier struct {
	n     int
	radix []int
	roots []complex128
	work  int // of a transform, in multiplications
}

// radixOf gives the factors of a length; nil: it is too long, or has a large one. The work of a
// transform is n times the sum of its factors.
func radixOf(n int) (list []int) {
	if n < 1 || n > mostTransform {
		return nil
	}
	left, sum := n, 0
	for left%4 == 0 {
		list, left, sum = append(list, 4), left/4, sum+4
	}
	for p := 2; p <= mostRadix; p++ {
		for left%p == 0 {
			list, left, sum = append(list, p), left/p, sum+p
		}
	}
	if left > 1 || sum*n > mostWork {
		return nil
	}
	return append(list, 1)
}

// newFourier makes a transform without its roots; the length has radices.
func newFourier(n int) *fourier {
	f := &fourier{n: n, radix: radixOf(n)}
	for _, p := range f.radix {
		f.work += n * p
	}
	return f
}

// makeRoots computes the roots of unity one by one: multiplying them up would add the rounding of each step.
func (f *fourier) makeRoots() {
	ask(16 * int64(f.n))
	f.roots = make([]complex128, f.n)
	for k := range f.roots {
		s, c := math.Sincos(2 * math.Pi * float64(k) / float64(f.n))
		f.roots[k] = complex(c, -s)
	}
}

// transform transforms what lies in x at steps, which are all n over the length that is left, by
// the radices that are left. y gets f.n/step results in order; the roots of a shorter transform
// are every step-th of the whole one's.
func (f *fourier) transform(y, x []complex128, step int, radix []int) {
	p, m := radix[0], f.n/step/radix[0]
	if p == 1 {
		y[0] = x[0]
		return
	}
	for q := range p {
		f.transform(y[q*m:(q+1)*m], x[q*step:], step*p, radix[1:])
	}
	switch p {
	case 2:
		for k := range m {
			a, b := y[k], y[m+k]*f.roots[k*step]
			y[k], y[m+k] = a+b, a-b
		}
	case 4:
		for k := range m {
			a, b, c, d := y[k], y[m+k]*f.roots[k*step], y[2*m+k]*f.roots[2*k*step], y[3*m+k]*f.roots[3*k*step]
			even, odd, sum, turned := a+c, a-c, b+d, b-d
			turned = complex(imag(turned), -real(turned))
			y[k], y[m+k], y[2*m+k], y[3*m+k] = even+sum, odd+turned, even-sum, odd-turned
		}
	default:
		var own [mostRadix]complex128
		for k := range m {
			for q := range p {
				own[q] = y[q*m+k] * f.roots[q*k*step]
			}
			for r := range p {
				sum, at, turn := own[0], 0, r*m*step
				for _, z := range own[1:p] {
					if at += turn; at >= f.n {
						at -= f.n
					}
					sum += z * f.roots[at]
				}
				y[r*m+k] = sum
			}
		}
	}
}

// A transforming is a signature: lanes of have numbers at a step in operand and result. in and
// out are 1 for real numbers and 2 for complex ones. A lane is one transform.
type transforming struct {
	*fourier
	have, bins       int // numbers that are given, and that are wanted
	in, out          int // parts of a number
	inner            int
	lanes, perTile   int
	inverse, half    bool
	step, time       int // of STFT: between pieces, and of a signal
	frames, windowed int // pieces of a signal, elements of the window
}

func (p *transforming) cut(lanes int) {
	p.lanes, p.perTile = lanes, max(1, (64<<10)/max(p.work, 1))
}

func (p *transforming) grid() Grid { return Grid{Tiles: (p.lanes + p.perTile - 1) / p.perTile} }

// number reads an operand of one integer, or def where it is absent.
func (s *Sig) number(i int, def int64) (int64, bool) {
	o := s.Opt(i)
	if o.Absent {
		return def, true
	}
	list, ok := o.ints()
	if !ok || len(list) != 1 {
		return 0, false
	}
	return list[0], true
}

var errNoTransform = errors.New("it is not computed here")

// dftOf reads DFT. An error means that the reference computes it: an axis or length that is not
// known, or a length without small factors.
func dftOf(s *Sig) (*transforming, []int64, error) {
	if len(s.In) == 0 || s.In[0].Absent {
		return nil, nil, errNoTransform
	}
	dims := append([]int64{}, s.In[0].Dims...)
	rank := len(dims)
	axis, ok := s.number(2, -2)
	if axis < 0 {
		axis += int64(rank)
	}
	if !ok || rank < 2 || dims[rank-1] != 1 && dims[rank-1] != 2 || axis < 0 || axis >= int64(rank-1) {
		return nil, nil, errNoTransform
	}
	p := &transforming{have: int(dims[axis]), in: int(dims[rank-1]), out: 2, inverse: s.Inst.Int("inverse", 0) != 0,
		half: s.Inst.Int("onesided", 0) != 0}
	length := dims[axis]
	if p.inverse && p.half {
		length = 2 * (length - 1)
	}
	if length, ok = s.number(1, length); !ok || length > mostTransform || radixOf(int(length)) == nil {
		return nil, nil, errNoTransform
	}
	lanes := 1
	for i, d := range dims[:rank-1] {
		if int64(i) != axis {
			lanes *= int(d)
		}
	}
	_, _, p.inner = along(dims[:rank-1], int(axis))
	dims[axis], dims[rank-1] = length, 2
	switch {
	case p.inverse && p.half:
		dims[rank-1], p.out = 1, 1
	case p.half:
		dims[axis] = length/2 + 1
	}
	p.fourier, p.bins = newFourier(int(length)), int(dims[axis])
	p.cut(lanes)
	return p, dims, nil
}

// stftOf reads STFT.
func stftOf(s *Sig) (*transforming, []int64, error) {
	if len(s.In) < 2 || s.In[0].Absent || len(s.In[0].Dims) != 3 {
		return nil, nil, errNoTransform
	}
	dims, window := s.In[0].Dims, s.Opt(2)
	length := dims[1]
	if !window.Absent {
		length = window.Len()
	}
	step, ok1 := s.number(1, 0)
	length, ok2 := s.number(3, length)
	if !ok1 || !ok2 || step < 1 || length > dims[1] || length > mostTransform || radixOf(int(length)) == nil || dims[2] != 1 && dims[2] != 2 ||
		!window.Absent && (len(window.Dims) != 1 || window.Len() > length) {
		return nil, nil, errNoTransform
	}
	p := &transforming{fourier: newFourier(int(length)), have: int(length), bins: int(length), in: int(dims[2]), out: 2, inner: 1,
		step: int(step), time: int(dims[1]), windowed: -1}
	if !window.Absent {
		p.windowed = int(window.Len())
	}
	if s.Inst.Int("onesided", 1) != 0 {
		p.bins = p.n/2 + 1
	}
	p.frames = int((dims[1]-length)/step) + 1
	p.cut(int(dims[0]) * p.frames)
	return p, []int64{dims[0], int64(p.frames), int64(p.bins), 2}, nil
}

// transforms lists the entries of this file.
func transforms(Tier) []*Entry {
	type reader func(*Sig) (*transforming, []int64, error)
	entry := func(name string, values []int, of reader, gather func(p *transforming, c *Call, lane int, z []complex128)) *Entry {
		plan := func(s *Sig) *transforming {
			return read(s, name, func() *transforming { p, _, _ := of(s); return p })
		}
		return &Entry{Op: isa.Lookup("", name), Name: name + ".f32.radix", Values: values,
			Shape: func(s *Sig) ([][]int64, error) {
				_, dims, err := of(s)
				return [][]int64{dims}, err
			},
			Match: func(s *Sig) bool {
				ok := s.In[0].DType == tensor.Float32 && s.Out[0].DType == tensor.Float32
				return ok && (name == "DFT" || s.Opt(2).Absent || s.Opt(2).DType == tensor.Float32)
			},
			Cost:    func(s *Sig) float64 { p := plan(s); return 200 + 2*float64(p.lanes)*float64(p.work) },
			Scratch: func(s *Sig) int64 { return 32 * int64(plan(s).n) },
			Split:   func(s *Sig) Grid { return plan(s).grid() },
			Prepare: func(s *Sig) any {
				p := plan(s)
				p.makeRoots()
				return p
			},
			Run: func(c *Call, worker, tile int) {
				p := c.State.(*transforming)
				own := elems[complex128](c.Scratch[worker])
				for lane := tile * p.perTile; lane < min((tile+1)*p.perTile, p.lanes); lane++ {
					gather(p, c, lane, own[:p.n])
					p.lane(floats(c.Out[0]), lane, own[:p.n], own[p.n:2*p.n])
				}
			}}
	}
	return []*Entry{entry("DFT", []int{1, 2}, dftOf, (*transforming).signal), entry("STFT", []int{1, 3}, stftOf, (*transforming).piece)}
}

// signal reads the numbers of a lane of DFT; those that are not given are zero. An inverse of a
// one-sided spectrum is completed by symmetry: X[n-k] is the conjugate of X[k].
func (p *transforming) signal(c *Call, lane int, z []complex128) {
	x := floats(c.In[0])
	clear(z)
	from := lane/p.inner*p.have*p.inner + lane%p.inner
	for j := range min(p.have, p.n) {
		z[j] = p.one(x, from+j*p.inner, 1)
	}
	if p.inverse && p.half { // the other half of the spectrum of real numbers
		for j := min(p.have, p.n); j <= p.n/2; j++ {
			z[j] = 0
		}
		z[0] = complex(real(z[0]), 0)
		if p.n%2 == 0 {
			z[p.n/2] = complex(real(z[p.n/2]), 0)
		}
		for j := p.n/2 + 1; j < p.n; j++ {
			z[j] = cmplx.Conj(z[p.n-j])
		}
	}
}

// piece reads a piece of a signal times the window.
func (p *transforming) piece(c *Call, lane int, z []complex128) {
	x := floats(c.In[0])
	clear(z)
	from := lane/p.frames*p.time + lane%p.frames*p.step
	if p.windowed < 0 {
		for j := range z {
			z[j] = p.one(x, from+j, 1)
		}
		return
	}
	for j, w := range floats(c.In[2])[:p.windowed] {
		z[j] = p.one(x, from+j, float64(w))
	}
}

// one reads a number times w.
func (p *transforming) one(x []float32, at int, w float64) complex128 {
	if p.in == 1 {
		return complex(w*float64(x[at]), 0)
	}
	return complex(w*float64(x[2*at]), w*float64(x[2*at+1]))
}

// lane transforms the numbers of a lane and writes them. The inverse is the transform of
// conjugates. With x̄ for conjugates the inverse of x is the conjugate of the transform of x̄,
// divided by n.
func (p *transforming) lane(y []float32, lane int, z, out []complex128) {
	scale, sign := 1.0, 1.0
	if p.inverse {
		for j := range z {
			z[j] = cmplx.Conj(z[j])
		}
		scale, sign = 1/float64(p.n), -1
	}
	p.transform(out, z, 1, p.radix)
	to := lane/p.inner*p.bins*p.inner + lane%p.inner
	for k, v := range out[:p.bins] {
		if p.out == 1 {
			y[to+k*p.inner] = float32(real(v) * scale)
			continue
		}
		y[2*(to+k*p.inner)], y[2*(to+k*p.inner)+1] = float32(real(v)*scale), float32(imag(v)*sign*scale)
	}
}

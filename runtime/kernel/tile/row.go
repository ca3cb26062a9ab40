package tile

// This file holds functions of rows: their record, and the functions in Go.

import (
	"math"
	"unsafe"
)

// A Row is a call on N elements. The assembly knows the offsets of the fields.
type Row struct {
	X, Y  unsafe.Pointer // Y may be X
	N     int
	Z, Z2 unsafe.Pointer // further rows
	masks unsafe.Pointer
	A, B  float32
	out   [16]float32 // of folds: what the lanes have
}

// MaxRow is the most elements of one call: a piece of a sum, and short enough for the
// collector not to wait.
const MaxRow = 4096

// A rowTable holds the functions of a tier.
type rowTable struct {
	exp, tanh, erf, sigmoid, sum, sumSquares, expSum, divide, normalize                           func(*Row)
	add, addA, sub, subA, subFrom, mul, mulA, div, divA, divFrom, max, maxA, min, minA            func(*Row)
	clip, abs, neg, sqrt, floor, ceil, even, leaky, hard, hardSwish, silu, gelu, geluTanh, affine func(*Row)
	normalizeScale, normalizeAffine, sumAbs, maxFold, minFold, mark                               func(*Row)
}

// Rows are the functions of rows of one tier. Lengths are those of x, and y must be as long; y may be x.
type Rows struct {
	t     *rowTable // nil: Go
	win   *windowTable
	lanes int
	// machine computes functions of whole blocks.
	machine *Machine
}

// hidden is the same pointer, whose way the compiler does not follow: the functions keep no record,
// but are called by tables, so that records would be allocated. A record is an object of the stack,
// which moves with it as long as what points to it is a pointer.
func hidden[T any](p *T) *T { return (*T)(unfollowed(unsafe.Pointer(p))) }

// unfollowed gives p. Between its two halves the address is a mere number: a function that does not
// split the stack is not interrupted, and it must neither become a part of one that is, nor call what
// instruments it.
//
//go:nosplit
//go:noinline
//go:norace
//go:nocheckptr
func unfollowed(p unsafe.Pointer) unsafe.Pointer {
	x := uintptr(p)
	return *(*unsafe.Pointer)(unsafe.Pointer(&x))
}

// each calls f for pieces of at most MaxRow elements.
func (t Rows) each(x, y []float32, a, b float32, f func(*Row)) {
	for len(x) > 0 {
		n := min(len(x), MaxRow)
		r := Row{X: unsafe.Pointer(&x[0]), Y: unsafe.Pointer(&y[0]), N: n, masks: rowMasks(), A: a, B: b}
		f(hidden(&r))
		x, y = x[n:], y[n:]
	}
}

// SumCut is where a sum of n elements, more than MaxRow, is cut into two that are added up by themselves.
func SumCut(n int) int { return (n/MaxRow + 1) / 2 * MaxRow }

// fold adds up pieces: the lanes of a piece pairwise, then the pieces pairwise, so that the
// order depends on the length alone.
func (t Rows) fold(x, y []float32, a float32, f func(*Row)) float32 {
	if len(x) > MaxRow {
		half := SumCut(len(x))
		var lo, hi []float32
		if y != nil {
			lo, hi = y[:half], y[half:]
		}
		return t.fold(x[:half], lo, a, f) + t.fold(x[half:], hi, a, f)
	}
	if len(x) == 0 {
		return 0
	}
	r := Row{X: unsafe.Pointer(&x[0]), N: len(x), masks: rowMasks(), A: a}
	if y != nil {
		r.Y = unsafe.Pointer(&y[0])
	}
	f(hidden(&r))
	o := &r.out
	for i := range t.lanes - 8 {
		o[i] += o[i+8]
	}
	return (o[0] + o[4] + (o[2] + o[6])) + (o[1] + o[5] + (o[3] + o[7]))
}

// apply is the Go form of a map.
func apply(x, y []float32, f func(float64) float64) {
	for i, v := range x {
		y[i] = float32(f(float64(v)))
	}
}

// Exp writes exp(x) to y, at most 2 ulp off.
func (t Rows) Exp(x, y []float32) {
	if t.t == nil {
		apply(x, y, math.Exp)
		return
	}
	t.each(x, y, 0, 0, t.t.exp)
}

// Tanh writes tanh(x) to y, at most 2 ulp off.
func (t Rows) Tanh(x, y []float32) {
	if t.t == nil {
		apply(x, y, math.Tanh)
		return
	}
	t.each(x, y, 0, 0, t.t.tanh)
}

// Erf writes erf(x) to y, at most 2 ulp off.
func (t Rows) Erf(x, y []float32) {
	if t.t == nil {
		apply(x, y, math.Erf)
		return
	}
	t.each(x, y, 0, 0, t.t.erf)
}

// Sigmoid writes 1/(1+exp(-x)) to y, at most 3 ulp off.
func (t Rows) Sigmoid(x, y []float32) {
	if t.t == nil {
		apply(x, y, func(v float64) float64 {
			if v < 0 {
				e := math.Exp(v)
				return e / (1 + e)
			}
			return 1 / (1 + math.Exp(-v))
		})
		return
	}
	t.each(x, y, 0, 0, t.t.sigmoid)
}

// sumGo adds up f of the elements: pieces in order, pairwise as fold does.
func sumGo(x []float32, f func(float32) float32) float32 {
	if len(x) > MaxRow {
		half := SumCut(len(x))
		return sumGo(x[:half], f) + sumGo(x[half:], f)
	}
	var lanes [16]float32
	for i, v := range x {
		lanes[i%16] += f(v)
	}
	for n := 8; n > 0; n /= 2 {
		for i := range n {
			lanes[i] += lanes[i+n]
		}
	}
	return lanes[0]
}

// Sum adds up x.
func (t Rows) Sum(x []float32) float32 {
	if t.t == nil {
		return sumGo(x, func(v float32) float32 { return v })
	}
	return t.fold(x, nil, 0, t.t.sum)
}

// SumSquares adds up (x-a)².
func (t Rows) SumSquares(x []float32, a float32) float32 {
	if t.t == nil {
		return sumGo(x, func(v float32) float32 { return float32((v - a) * (v - a)) })
	}
	return t.fold(x, nil, a, t.t.sumSquares)
}

// ExpSum writes exp(x-a) to y and gives its sum.
func (t Rows) ExpSum(x, y []float32, a float32) float32 {
	if t.t == nil {
		for i, v := range x {
			y[i] = float32(math.Exp(float64(v - a)))
		}
		return sumGo(y[:len(x)], func(v float32) float32 { return v })
	}
	return t.fold(x, y, a, t.t.expSum)
}

// Divide writes x/a to y.
func (t Rows) Divide(x, y []float32, a float32) {
	if t.t == nil {
		for i, v := range x {
			y[i] = v / a
		}
		return
	}
	t.each(x, y, a, 0, t.t.divide)
}

// Normalize writes (x-a)·b to y.
func (t Rows) Normalize(x, y []float32, a, b float32) {
	if t.t == nil {
		for i, v := range x {
			y[i] = (v - a) * b
		}
		return
	}
	t.each(x, y, a, b, t.t.normalize)
}

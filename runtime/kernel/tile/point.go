package tile

// This file holds functions of elements: of two rows, of a row and a number, of one row.

import (
	"math"
	"unsafe"
)

// A Binary is a function of two elements. Of maxima and minima a NaN is one.
type Binary uint8

// The functions of two elements.
const (
	Add Binary = iota
	Sub
	Mul
	Div
	Max
	Min
)

// of gives the functions of a tier: of two rows, of a row and a number, of a number and a row.
func (t *rowTable) of(op Binary) (rows, right, left func(*Row)) {
	switch op {
	case Add:
		return t.add, t.addA, t.addA
	case Sub:
		return t.sub, t.subA, t.subFrom
	case Mul:
		return t.mul, t.mulA, t.mulA
	case Div:
		return t.div, t.divA, t.divFrom
	case Max:
		return t.max, t.maxA, t.maxA
	}
	return t.min, t.minA, t.minA
}

// Do is the function in Go.
func (op Binary) Do(x, z float32) float32 {
	switch op {
	case Add:
		return x + z
	case Sub:
		return x - z
	case Mul:
		return x * z
	case Div:
		return x / z
	case Max:
		return max(x, z)
	}
	return min(x, z)
}

// few is the length up to which arithmetic in Go is done before a call of the assembly would be: as both round alike, the bits are the
// same.
const few = 8

// short reports whether a row of n elements is computed in Go.
func (t Rows) short(op Binary, n int) bool { return t.t == nil || n <= few && op <= Div }

// Two writes x op z to y, which may be either.
func (t Rows) Two(op Binary, x, z, y []float32) {
	if t.short(op, len(x)) {
		for i, v := range x {
			y[i] = op.Do(v, z[i])
		}
		return
	}
	f, _, _ := t.t.of(op)
	for len(x) > 0 {
		n := min(len(x), MaxRow)
		r := Row{X: unsafe.Pointer(&x[0]), Y: unsafe.Pointer(&y[0]), Z: unsafe.Pointer(&z[0]), N: n, masks: rowMasks()}
		f(hidden(&r))
		x, y, z = x[n:], y[n:], z[n:]
	}
}

// Right writes x op a to y.
func (t Rows) Right(op Binary, x []float32, a float32, y []float32) {
	if t.short(op, len(x)) {
		for i, v := range x {
			y[i] = op.Do(v, a)
		}
		return
	}
	_, f, _ := t.t.of(op)
	t.each(x, y, a, 0, f)
}

// Left writes a op x to y.
func (t Rows) Left(op Binary, a float32, x, y []float32) {
	if t.short(op, len(x)) {
		for i, v := range x {
			y[i] = op.Do(a, v)
		}
		return
	}
	_, _, f := t.t.of(op)
	t.each(x, y, a, 0, f)
}

// A Unary is a function of one element, and of the numbers a and b where it says so.
type Unary uint8

// The functions of one element.
const (
	Exp Unary = iota // this and the next three as the methods of Rows
	Tanh
	Erf
	Sigmoid
	Clip // within a and b, where a counts first; NaN passes
	Abs
	Neg
	Sqrt
	Floor
	Ceil
	Even      // the nearest integer, ties to even
	Leaky     // a·x below zero
	Hard      // a·x + b within 0 and 1
	HardSwish // x times Hard
	Silu      // x times the sigmoid of a·x
	Gelu
	GeluTanh
	Affine // a·x + b
)

func (t *rowTable) one(op Unary) func(*Row) {
	return [...]func(*Row){t.exp, t.tanh, t.erf, t.sigmoid, t.clip, t.abs, t.neg, t.sqrt, t.floor, t.ceil, t.even, t.leaky, t.hard,
		t.hardSwish, t.silu, t.gelu, t.geluTanh, t.affine}[op]
}

// sigmoidOf is 1/(1+exp(-x)), which does not overflow.
func sigmoidOf(x float64) float64 {
	if x < 0 {
		e := math.Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-x))
}

// Do is the function in Go.
func (op Unary) Do(v, a, b float64) float64 {
	switch op {
	case Exp:
		return math.Exp(v)
	case Tanh:
		return math.Tanh(v)
	case Erf:
		return math.Erf(v)
	case Sigmoid:
		return sigmoidOf(v)
	case Clip:
		if a > v { // a zero keeps its sign
			v = a
		}
		if b < v {
			v = b
		}
		return v
	case Abs:
		return math.Abs(v)
	case Neg:
		return -v
	case Sqrt:
		return math.Sqrt(v)
	case Floor:
		return math.Floor(v)
	case Ceil:
		return math.Ceil(v)
	case Even:
		return math.RoundToEven(v)
	case Leaky:
		if v < 0 {
			return a * v
		}
		return v
	case Hard:
		return max(0, min(1, a*v+b))
	case HardSwish:
		return v * max(0, min(1, a*v+b))
	case Silu:
		if s := sigmoidOf(a * v); s != 0 {
			return v * s
		}
		return 0
	case Gelu:
		return 0.5 * v * math.Erfc(-v/math.Sqrt2)
	case GeluTanh:
		return 0.5 * v * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(v+0.044715*v*v*v)))
	}
	return a*v + b
}

// One writes op of x to y, which may be x.
func (t Rows) One(op Unary, x, y []float32, a, b float32) {
	if t.t == nil {
		for i, v := range x {
			y[i] = float32(op.Do(float64(v), float64(a), float64(b)))
		}
		return
	}
	if t.machine != nil && len(x) >= t.machine.Block { // several vectors at a time
		n := t.machine.mapped(op, x, y, a, b)
		x, y = x[n:], y[n:]
	}
	t.each(x, y, a, b, t.t.one(op))
}

// NormalizeAffine writes (x-a)·b·scale + shift to y; without shift nothing is added.
func (t Rows) NormalizeAffine(x, y []float32, a, b float32, scale, shift []float32) {
	if t.t == nil {
		for i, v := range x {
			w := float32(float32((v-a)*b) * scale[i])
			if shift != nil {
				w += shift[i]
			}
			y[i] = w
		}
		return
	}
	for i := 0; i < len(x); i += MaxRow {
		r := Row{X: unsafe.Pointer(&x[i]), Y: unsafe.Pointer(&y[i]), Z: unsafe.Pointer(&scale[i]), N: min(len(x)-i, MaxRow), masks: rowMasks(),
			A: a, B: b}
		if shift == nil {
			t.t.normalizeScale(hidden(&r))
			continue
		}
		r.Z2 = unsafe.Pointer(&shift[i])
		t.t.normalizeAffine(hidden(&r))
	}
}

// Mark writes a to y where x is best, or NaN; elsewhere y stays.
func (t Rows) Mark(x, best, y []float32, a float32) {
	if t.t == nil {
		for i, v := range x {
			if v == best[i] || v != v {
				y[i] = a
			}
		}
		return
	}
	for i := 0; i < len(x); i += MaxRow {
		r := Row{X: unsafe.Pointer(&x[i]), Y: unsafe.Pointer(&y[i]), Z: unsafe.Pointer(&best[i]), Z2: unsafe.Pointer(&y[i]),
			N: min(len(x)-i, MaxRow), masks: rowMasks(), A: a}
		t.t.mark(hidden(&r))
	}
}

// SumAbs adds up the absolute values of x.
func (t Rows) SumAbs(x []float32) float32 {
	if t.t == nil {
		return sumGo(x, func(v float32) float32 { return float32(math.Abs(float64(v))) })
	}
	return t.fold(x, nil, 0, t.t.sumAbs)
}

// Max gives the greatest element; a NaN wins; of no elements, minus infinity.
func (t Rows) Max(x []float32) float32 {
	var f func(*Row)
	if t.t != nil {
		f = t.t.maxFold
	}
	return t.extreme(x, Max, float32(math.Inf(-1)), f)
}

// Min gives the least element; a NaN wins; of no elements, infinity.
func (t Rows) Min(x []float32) float32 {
	var f func(*Row)
	if t.t != nil {
		f = t.t.minFold
	}
	return t.extreme(x, Min, float32(math.Inf(1)), f)
}

// extreme folds x by op from m on; f does it for the lanes, nil: Go.
func (t Rows) extreme(x []float32, op Binary, m float32, f func(*Row)) float32 {
	if f == nil {
		for _, v := range x {
			m = op.Do(m, v)
		}
		return m
	}
	for len(x) > 0 {
		r := Row{X: unsafe.Pointer(&x[0]), N: min(len(x), MaxRow), masks: rowMasks()}
		f(hidden(&r))
		o := &r.out // pairwise, which takes a third of the time of one behind the other
		if op == Max {
			for i := range t.lanes - 8 {
				o[i] = max(o[i], o[i+8])
			}
			m = max(m, max(max(max(o[0], o[4]), max(o[2], o[6])), max(max(o[1], o[5]), max(o[3], o[7]))))
		} else {
			for i := range t.lanes - 8 {
				o[i] = min(o[i], o[i+8])
			}
			m = min(m, min(min(min(o[0], o[4]), min(o[2], o[6])), min(min(o[1], o[5]), min(o[3], o[7]))))
		}
		x = x[r.N:]
	}
	return m
}

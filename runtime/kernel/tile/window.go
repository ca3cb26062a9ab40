package tile

// This file holds what goes over the taps of a window for the neighbouring outputs of a row, and
// the selection of every second element, and its inverse.

import (
	"math"
	"unsafe"
)

// A Window is a call on N outputs: output i meets the elements i + Offs[t]/4 behind X. The
// assembly knows the offsets of the fields.
type Window struct {
	X, Y         unsafe.Pointer
	N            int
	Offs         *uintptr // in bytes, one for each tap
	W            *float32 // weights of the taps; only Weighted reads them
	Taps         int      // at least one
	masks        unsafe.Pointer
	Bias, Lo, Hi float32
}

// Columns is a copy of Rows rows, at least one, of up to Panel columns; whole vectors are written, with zeros behind the
// last column. Pitches are in bytes. The assembly knows the offsets of the fields.
type Columns struct {
	X      unsafe.Pointer
	PitchX uintptr
	Y      unsafe.Pointer
	PitchY uintptr
	Rows   int
	mask   uintptr
}

// columnsGo is the form in Go.
func columnsGo(p *Columns, cols int) {
	for r := range p.Rows {
		x, y := unsafe.Slice(at(p.X, uintptr(r)*p.PitchX), cols), unsafe.Slice(at(p.Y, uintptr(r)*p.PitchY), cols)
		copy(y, x)
	}
}

type windowTable struct {
	weighted, largest, total func(*Window)
	second, weave            func(*Row)
}

// Weighted writes sums of w·x over the taps in their order, from Bias on, within Lo and Hi. Each is one
// chain, fused on tiers with fused multiply-add.
func (t Rows) Weighted(p *Window) {
	if t.t == nil {
		p.each(func(x []float32, offs []uintptr, i int) float32 {
			s := p.Bias
			w := unsafe.Slice(p.W, p.Taps)
			for k, o := range offs {
				s += float32(w[k] * x[o/4+uintptr(i)])
			}
			if p.Lo > s {
				s = p.Lo
			}
			if p.Hi < s {
				s = p.Hi
			}
			return s
		})
		return
	}
	p.masks = rowMasks()
	t.win.weighted(hidden(p))
}

// Largest writes maxima over the taps; a NaN is one.
func (t Rows) Largest(p *Window) {
	if t.t == nil {
		p.each(func(x []float32, offs []uintptr, i int) float32 {
			m := float32(math.Inf(-1))
			for _, o := range offs {
				m = max(m, x[o/4+uintptr(i)])
			}
			return m
		})
		return
	}
	p.masks = rowMasks()
	t.win.largest(hidden(p))
}

// Total writes sums over the taps, divided by Bias.
func (t Rows) Total(p *Window) {
	if t.t == nil {
		p.each(func(x []float32, offs []uintptr, i int) float32 {
			s := float32(0)
			for _, o := range offs {
				s += x[o/4+uintptr(i)]
			}
			return s / p.Bias
		})
		return
	}
	p.masks = rowMasks()
	t.win.total(hidden(p))
}

// each is the Go form.
func (p *Window) each(f func(x []float32, offs []uintptr, i int) float32) {
	offs := unsafe.Slice(p.Offs, p.Taps)
	last := uintptr(0)
	for _, o := range offs {
		last = max(last, o/4)
	}
	x, y := unsafe.Slice((*float32)(p.X), int(last)+p.N), unsafe.Slice((*float32)(p.Y), p.N)
	for i := range y {
		y[i] = f(x, offs, i)
	}
}

// Second writes y[i] = x[2i] for all elements of y.
func (t Rows) Second(x, y []float32) {
	whole := 0
	if t.t != nil {
		// A vector of outputs reads one element behind its last one.
		if whole = len(y) / t.lanes * t.lanes; whole > 0 && 2*whole > len(x) {
			whole -= t.lanes
		}
		for i := 0; i < whole; i += MaxRow {
			r := Row{X: unsafe.Pointer(&x[2*i]), Y: unsafe.Pointer(&y[i]), N: min(MaxRow, whole-i)}
			t.win.second(hidden(&r))
		}
	}
	for i := whole; i < len(y); i++ {
		y[i] = x[2*i]
	}
}

// Weave writes y[2i] = x[i] and y[2i+1] = z[i] for all elements of x; z is as long, and y twice as long.
func (t Rows) Weave(x, z, y []float32) {
	whole := 0
	if t.t != nil {
		whole = len(x) / t.lanes * t.lanes
		for i := 0; i < whole; i += MaxRow {
			r := Row{X: unsafe.Pointer(&x[i]), Z: unsafe.Pointer(&z[i]), Y: unsafe.Pointer(&y[2*i]), N: min(MaxRow, whole-i)}
			t.win.weave(hidden(&r))
		}
	}
	for i := whole; i < len(x); i++ {
		y[2*i], y[2*i+1] = x[i], z[i]
	}
}

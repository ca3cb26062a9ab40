package kernel

// This file lays the planes of images out for windows: with their border, and with every so many
// rows and columns together as the strides are, so that the neighbours of an output's element are those of
// the next output.

import (
	"unsafe"

	"shapecheck/runtime/kernel/tile"
)

// A plane is the layout of one channel. Element (r, c) of the bordered image is in phase
// (r mod stride, c mod stride) at (r / stride, c / stride).
type plane struct {
	h, w         window
	rows, cols   int // of the bordered image, as far as windows go
	pitch, phase int // elements of a row and of a phase
	down, across int // phases of rows and of columns that windows meet
	size         int // of all phases
	n            int // outputs when they have the pitch, from the first to the last one
	offs         []uintptr
}

// newPlane makes the layout; false when it would be large.
func newPlane(h, w window) (*plane, bool) {
	p := &plane{h: h, w: w}
	p.rows, p.cols = (h.out-1)*h.stride+(h.kernel-1)*h.dilation+1, (w.out-1)*w.stride+(w.kernel-1)*w.dilation+1
	if h.out == 0 || w.out == 0 {
		return p, true
	}
	p.pitch = (p.cols + w.stride - 1) / w.stride
	p.phase = (p.rows + h.stride - 1) / h.stride * p.pitch
	p.down, p.across = min(h.stride, (h.kernel-1)*h.dilation+1), min(w.stride, (w.kernel-1)*w.dilation+1)
	p.size = p.phase * p.down * p.across
	p.n = (h.out-1)*p.pitch + w.out
	const most = 1 << 22
	if p.rows > most || p.cols > most || p.size > most || h.kernel*w.kernel > 1<<12 {
		return nil, false
	}
	for ky := range h.kernel {
		for kx := range w.kernel {
			p.offs = append(p.offs, uintptr(4*p.at(ky*h.dilation, kx*w.dilation)))
		}
	}
	return p, true
}

// at is the place of an element of the bordered image.
func (p *plane) at(r, c int) int {
	return (r%p.h.stride*p.across+c%p.w.stride)*p.phase + r/p.h.stride*p.pitch + c/p.w.stride
}

// temp is the elements that lay needs besides.
func (p *plane) temp() int {
	if p.w.stride == 2 && p.w.in%2 == 0 {
		return p.h.in * p.w.in
	}
	return 0
}

// lay writes a channel with its border.
func (p *plane) lay(t Tier, f tile.Rows, x, dst, temp []float32, border float32) {
	if p.n == 0 {
		return
	}
	sw, half := p.w.stride, p.h.in*p.w.in/2
	if p.temp() > 0 && half > 0 { // even columns, then odd ones
		f.Second(x, temp[:half])
		f.Second(x[1:], temp[half:2*half])
	}
	for q := range p.across {
		first := q - p.w.before // the column of a line's first element
		lo := 0
		if first < 0 {
			lo = min((-first+sw-1)/sw, p.pitch)
		}
		hi := lo
		if left := p.w.in - 1 - first; left >= 0 {
			hi = max(min(left/sw+1, p.pitch), lo)
		}
		from, row, at := x, p.w.in, first+lo*sw // where the first column is, and the pitch there
		if p.temp() > 0 {
			from, row, at = temp[at%2*half:], p.w.in/2, at/2
		} else if sw > 1 {
			row = 0
		}
		for r := range p.down {
			p.lines(t, from, dst[(r*p.across+q)*p.phase:(r*p.across+q+1)*p.phase], r, lo, hi, at, row, border)
			if row == 0 {
				p.picked(x, dst[(r*p.across+q)*p.phase:], r, lo, hi, first+lo*sw)
			}
		}
	}
}

// reach gives the lines of a phase of rows, from first to last, that are rows of the image.
func (p *plane) reach(r int) (first, last int) {
	sh := p.h.stride
	lines := p.phase / p.pitch
	if y := r - p.h.before; y < 0 {
		first = min((-y+sh-1)/sh, lines)
	}
	last = first
	if left := p.h.in - 1 - (r - p.h.before); left >= 0 {
		last = max(min(left/sh+1, lines), first)
	}
	return first, last
}

// lines writes the lines of one phase: the columns lo to hi from the rows of an image with a pitch, from column at on,
// when there is a pitch, and the border around them.
func (p *plane) lines(t Tier, from, dst []float32, r, lo, hi, at, pitch int, border float32) {
	l0, l1 := p.reach(r)
	if lo == hi {
		l1 = l0
	}
	if pitch > 0 && l1 > l0 {
		y := (l0*p.h.stride + r - p.h.before) * pitch
		step := p.h.stride * pitch
		// A panel's last vector is written as a whole, into what the next lines get: so panels go from right to left, and
		// lines at the end, behind which there is no room, are copied otherwise.
		lanes := tile.Lanes(t)
		width := (hi - lo + lanes - 1) / lanes * lanes
		rows := max(0, min(l1-l0, (len(dst)-lo-width)/p.pitch-l0+1))
		if len(dst) < lo+width {
			rows = 0
		}
		if rows > 0 {
			rec := tile.Columns{PitchX: uintptr(4 * step), PitchY: uintptr(4 * p.pitch), Rows: rows}
			panel := tile.Panel(t)
			for c := (hi - lo - 1) / panel * panel; c >= 0; c -= panel {
				rec.X, rec.Y = unsafe.Pointer(&from[y+at+c]), unsafe.Pointer(&dst[l0*p.pitch+lo+c])
				rec.Run(t, min(panel, hi-lo-c))
			}
		}
		for l := rows; l < l1-l0; l++ {
			copy(dst[(l0+l)*p.pitch+lo:(l0+l)*p.pitch+hi], from[y+l*step+at:])
		}
	}
	set(dst[:l0*p.pitch], border)
	set(dst[l1*p.pitch:], border)
	for l := l0; l < l1; l++ {
		line := dst[l*p.pitch : (l+1)*p.pitch]
		set(line[:lo], border)
		set(line[hi:], border)
	}
}

// picked writes the columns of a phase one by one.
func (p *plane) picked(x, dst []float32, r, lo, hi, at int) {
	l0, l1 := p.reach(r)
	for l := l0; l < l1 && lo < hi; l++ {
		row := x[(l*p.h.stride+r-p.h.before)*p.w.in:]
		line := dst[l*p.pitch+lo : l*p.pitch+hi]
		for i := range line {
			line[i] = row[at+i*p.w.stride]
		}
	}
}

func set(x []float32, v float32) {
	for i := range x {
		x[i] = v
	}
}

// maxRun bounds the outputs of one call.
const maxRun = 4096

// A windowFunc is what is made of the elements of a window.
type windowFunc uint8

const (
	weighted windowFunc = iota
	largest
	total
)

// run computes all outputs from the layout into out, which has the pitch.
func (p *plane) run(f tile.Rows, do windowFunc, x, out []float32, rec tile.Window) {
	rec.Offs, rec.Taps = &p.offs[0], len(p.offs)
	for i := 0; i < p.n; i += maxRun {
		rec.X, rec.Y, rec.N = unsafe.Pointer(&x[i]), unsafe.Pointer(&out[i]), min(maxRun, p.n-i)
		switch do { // no function values: the record would be in the heap
		case weighted:
			f.Weighted(&rec)
		case largest:
			f.Largest(&rec)
		case total:
			f.Total(&rec)
		}
	}
}

// dense reports whether outputs with the pitch lie one behind the other.
func (p *plane) dense() bool { return p.pitch == p.w.out }

// compact copies outputs from rows of the pitch to dense ones.
func (p *plane) compact(from, to []float32) {
	for y := range p.h.out {
		copy(to[y*p.w.out:(y+1)*p.w.out], from[y*p.pitch:])
	}
}

// scratch is the elements that lay and compact need: of the layout, of wide rows, and besides.
func (p *plane) scratch() int {
	n := p.size + p.temp()
	if p.n > 0 && !p.dense() {
		n += p.n
	}
	return n
}

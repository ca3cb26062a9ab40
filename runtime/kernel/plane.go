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
	p.size = p.phase * h.stride * w.stride
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
	return (r%p.h.stride*p.w.stride+c%p.w.stride)*p.phase + r/p.h.stride*p.pitch + c/p.w.stride
}

// lay writes a channel with its border.
func (p *plane) lay(f tile.Rows, x, dst []float32, border float32) {
	sw := p.w.stride
	lines := (p.rows + p.h.stride - 1) / p.h.stride * p.h.stride
	for r := range lines {
		y := r - p.h.before
		base := r%p.h.stride*sw*p.phase + r/p.h.stride*p.pitch
		for q := range sw {
			line := dst[base+q*p.phase : base+q*p.phase+p.pitch]
			if y < 0 || y >= p.h.in {
				set(line, border)
				continue
			}
			row := x[y*p.w.in : (y+1)*p.w.in]
			first := q - p.w.before // the column of the line's first element
			lo := 0
			if first < 0 {
				lo = min((-first+sw-1)/sw, len(line))
			}
			hi := lo
			if left := p.w.in - 1 - first; left >= 0 {
				hi = max(min(left/sw+1, len(line)), lo)
			}
			set(line[:lo], border)
			set(line[hi:], border)
			if lo == hi {
				continue
			}
			from := row[first+lo*sw:]
			switch sw {
			case 1:
				copy(line[lo:hi], from)
			case 2:
				f.Second(from, line[lo:hi])
			default:
				for i := range line[lo:hi] {
					line[lo+i] = from[i*sw]
				}
			}
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

// run calls do for all outputs, with the places of the first one in the layout and in out, which has
// the pitch.
func (p *plane) run(x, out []float32, rec *tile.Window, do func(*tile.Window)) {
	rec.Offs, rec.Taps = &p.offs[0], len(p.offs)
	for i := 0; i < p.n; i += maxRun {
		rec.X, rec.Y, rec.N = unsafe.Pointer(&x[i]), unsafe.Pointer(&out[i]), min(maxRun, p.n-i)
		do(rec)
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

// scratch is the elements that lay and compact need.
func (p *plane) scratch() int {
	if p.n == 0 || p.dense() {
		return p.size
	}
	return p.size + p.n
}

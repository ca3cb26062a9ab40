package tile

// This file holds convolutions of single channels, for a vector of neighbouring columns of the result.

import "unsafe"

// A Depth is a call on some neighbouring columns, up to Lanes(t) or those of NewWovenColumns, of the result, some of
// its rows, in several channels. An element is, from the channel's bias on, the sum over the rows and columns of the
// kernel of the weight times the pixel; pixels outside of the image are left out. Distances are in bytes. The
// assembly knows the offsets of the fields.
type Depth struct {
	X              unsafe.Pointer // the first channel's image
	Col            uintptr        // from there to the column of the first tap of the first column, which may be before the image
	RowX, PlaneX   uintptr
	Height         int
	First          int // the row of the image that the kernel's first row meets at the result's first row
	Y              unsafe.Pointer
	RowY, PlaneY   uintptr
	Rows, Channels int
	W              unsafe.Pointer // the weights of a channel follow those of the one before
	Bias           unsafe.Pointer
	BiasStep       uintptr // 4, or 0 where one bias is all channels'
	masks          unsafe.Pointer
	Lo, Hi         float32
	at             [3]uintptr // the channel's X, Y and Bias; no pointers, as they end behind the last one
	// X and Y are of bf16, where HasBF16 says that it is computed, with a stride of 2 woven: results are rounded as Halves does
	Narrow bool
	// Largest says that an element is the largest pixel instead, or no number where one is none, with woven columns,
	// a stride of 2 and 2 or 3 taps; W, Bias and bounds do not count.
	Largest bool
}

// DepthColumns are the columns of a call: which of them each tap of a kernel's row meets in the image.
type DepthColumns struct {
	N, Taps, Stride int        // columns, those of the kernel, which has as many rows, and its step
	from, to        [5]int     // the columns of the result for which the tap is inside
	bits            [11]uint64 // AVX-512: of the result, then of the elements that the taps load, where they are woven of two columns each
	woven           bool
	vectors         [11][8]int32
}

// NewDepthColumns describes n columns of the result, of which the first one's first tap is at column first of an image of
// that width. Taps is 3 or 5, the stride 1 or 2.
func NewDepthColumns(t Tier, n, taps, stride, first, width int) *DepthColumns {
	d := &DepthColumns{N: n, Stride: stride, Taps: taps}
	lanes := Lanes(t)
	set := func(mask int, inside func(lane int) bool) {
		for i := range lanes {
			if inside(i) {
				d.bits[mask] |= 1 << i
				if lanes == len(d.vectors[mask]) {
					d.vectors[mask][i] = -1
				}
			}
		}
	}
	set(0, func(lane int) bool { return lane < n })
	for j := range taps {
		at := first + j
		d.from[j], d.to[j] = n, n
		for c := n - 1; c >= 0; c-- {
			if x := at + c*stride; x >= 0 && x < width {
				d.from[j] = c
			} else if x >= width {
				d.to[j] = c
			}
		}
		for half := range stride {
			set(1+j*stride+half, func(lane int) bool { x := at + half*lanes + lane; return x >= 0 && x < width })
		}
	}
	return d
}

// WovenColumns is the most columns of NewWovenColumns.
func WovenColumns(stride int) int { return 32 / stride }

// NewWovenColumns describes columns as NewDepthColumns does, up to WovenColumns of them, of images and results of
// bf16, where HasBF16 says that they are computed. More than 16 take less time than in parts, and so do all with a
// stride of 2.
func NewWovenColumns(n, taps, stride, first, width int) *DepthColumns {
	d := &DepthColumns{N: n, Stride: stride, Taps: taps, woven: true}
	d.bits[0] = 1<<n - 1
	for l := range (taps + 1) / 2 {
		for i := range 32 {
			if x := first + 2*l + i; x >= 0 && x < width {
				d.bits[1+l] |= 1 << i
			}
		}
	}
	return d
}

// depthGo computes a call in Go.
func (p *Depth) depthGo(d *DepthColumns) {
	for c := range uintptr(p.Channels) {
		w := unsafe.Slice(at(p.W, c*uintptr(4*d.Taps*d.Taps)), d.Taps*d.Taps)
		end := Product{Lo: p.Lo, Hi: p.Hi}
		for r := range p.Rows {
			line := unsafe.Slice(at(p.Y, c*p.PlaneY+uintptr(r)*p.RowY), d.N)
			for i := range line {
				line[i] = *at(p.Bias, c*p.BiasStep)
			}
			for i := range d.Taps {
				y := p.First + r*d.Stride + i
				if y < 0 || y >= p.Height {
					continue
				}
				for j := range d.Taps {
					for x := d.from[j]; x < d.to[j]; x++ {
						line[x] += float32(w[i*d.Taps+j] * *at(p.X, c*p.PlaneX+uintptr(y)*p.RowX+p.Col+uintptr(4*(j+x*d.Stride))))
					}
				}
			}
			for i, v := range line {
				line[i] = end.finish(v, 0, 0)
			}
		}
	}
}

package tile

// This file holds the transforms of a Winograd convolution F(4×4, 3×3), with the points 0, ±1, ±2 and infinity: a tile of
// 4×4 results of a 3×3 kernel needs 6×6 pixels, whose transform is multiplied by that of the kernel, place by place.
// The matrices are those of Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2015.

import "unsafe"

// Places are the pixels of a tile.
const Places = 36

// A Winograd is a call on one tile, or on the weights for one input channel, in vectors of channels. Pitches of rows
// and columns, of pixels or places, are in bytes; a pixel's channels lie one behind the other. The assembly knows the
// offsets of the fields.
type Winograd struct {
	X          unsafe.Pointer
	RowX, ColX uintptr
	Y          unsafe.Pointer
	RowY, ColY uintptr
	Vectors    int            // of channels, at least one
	Temp       unsafe.Pointer // TempBytes bytes
	Bias       unsafe.Pointer // what After adds, for each channel
}

// TempBytes is the memory that a Winograd needs besides.
const TempBytes = Places * 64

type winogradTable struct{ before, after, weights func(*Winograd) }

// weightsGo writes the transforms of kernels of 3×3 weights for so many output channels, computed in float64.
func (p *Winograd) weightsGo(channels int) {
	for c := range uintptr(channels) {
		var rows [3][6]float64
		for i := range uintptr(3) {
			var w [3]float64
			for j := range uintptr(3) {
				w[j] = float64(*at(p.X, i*p.RowX+j*p.ColX+4*c))
			}
			rows[i] = timesG(w[0], w[1], w[2])
		}
		for j := range uintptr(6) {
			for i, v := range timesG(rows[0][j], rows[1][j], rows[2][j]) {
				*at(p.Y, uintptr(i)*p.RowY+j*p.ColY+4*c) = float32(v)
			}
		}
	}
}

// timesG multiplies by G. A quarter and a half are exact, and so it does not matter whether a processor fuses them with the sums.
func timesG(a, b, c float64) [6]float64 {
	return [6]float64{a / 4, -(a + b + c) / 6, (b - a - c) / 6, (a/4 + b/2 + c) / 6, (a/4 - b/2 + c) / 6, c}
}

// beforeGo computes the transforms of so many channels.
func (p *Winograd) beforeGo(channels int) {
	for c := range uintptr(channels) {
		var d [6][6]float32
		for i := range uintptr(6) {
			var row [6]float32
			for j := range uintptr(6) {
				row[j] = *at(p.X, i*p.RowX+j*p.ColX+4*c)
			}
			d[i] = timesB(row)
		}
		for j := range uintptr(6) {
			for i, v := range timesB([6]float32{d[0][j], d[1][j], d[2][j], d[3][j], d[4][j], d[5][j]}) {
				*at(p.Y, uintptr(i)*p.RowY+j*p.ColY+4*c) = v
			}
		}
	}
}

// timesB multiplies by Bᵀ. The conversions keep the compiler from fusing on some processors only.
func timesB(x [6]float32) [6]float32 {
	a, b := x[4]-float32(4*x[2]), x[3]-float32(4*x[1])
	d, f := x[4]-x[2], float32(2*(x[3]-x[1]))
	return [6]float32{float32(4*x[0]) + (x[4] - float32(5*x[2])), a + b, a - b, d + f, d - f, float32(4*x[1]) + (x[5] - float32(5*x[3]))}
}

// timesA multiplies by Aᵀ.
func timesA(x [6]float32) [4]float32 {
	p, q, s, d := x[1]+x[2], x[1]-x[2], x[3]+x[4], x[3]-x[4]
	return [4]float32{x[0] + p + s, q + float32(2*d), p + float32(4*s), x[5] + q + float32(8*d)}
}

// afterGo computes the results in so many channels.
func (p *Winograd) afterGo(channels int) {
	for c := range uintptr(channels) {
		var d [6][4]float32
		for j := range uintptr(6) {
			var x [6]float32
			for i := range uintptr(6) {
				x[i] = *at(p.X, i*p.RowX+j*p.ColX+4*c)
			}
			d[j] = timesA(x)
		}
		for i := range uintptr(4) {
			for j, v := range timesA([6]float32{d[0][i], d[1][i], d[2][i], d[3][i], d[4][i], d[5][i]}) {
				*at(p.Y, i*p.RowY+uintptr(j)*p.ColY+4*c) = v + *at(p.Bias, 4*c)
			}
		}
	}
}

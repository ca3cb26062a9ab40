package tile

// This file holds the transforms of a Winograd convolution F(4×4, 3×3), with the points 0, ±1, ±2 and infinity: a tile of
// 4×4 results of a 3×3 kernel needs 6×6 pixels, whose transform is multiplied by that of the kernel, place by place.
// The matrices are those of Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2015.

import "unsafe"

// Places are the pixels of a tile.
const Places = 36

// A Winograd is a call on neighbouring tiles of one row of tiles, up to a vector of them, in several channels. Pitches
// are in bytes. The assembly knows the offsets of the fields.
type Winograd struct {
	X            unsafe.Pointer
	RowX, PlaneX uintptr
	Y            unsafe.Pointer
	RowY, PlaneY uintptr
	Channels     int            // at least one
	Temp         unsafe.Pointer // TempBytes bytes
	masks        [4]uintptr
	// What only After reads: how many rows of pixels there are, 1 to 4; the place of the first channel's bias, and 4, or 0 where
	// it is all channels' bias; the place of what is added to Y's first element, or nil, with the pitches of Y; bounds.
	Rows     int
	Bias     unsafe.Pointer
	BiasStep uintptr
	Res      unsafe.Pointer
	Lo, Hi   float32
	at       uintptr // the channel's bias; no pointer, as it ends behind the last one
}

// TempBytes is the memory that a Winograd needs besides.
const TempBytes = Places * 64

// Behind is the elements behind the last of X that Before and After may read: whole vectors.
const Behind = 80

type winogradTable struct{ before, after func(*Winograd) }

// WinogradWeights writes the transform of a kernel of 3×3 weights, computed in float64: place p goes to y[p·step].
func WinogradWeights(x, y []float32, step int) {
	third := func(a, b, c float64) [6]float64 {
		return [6]float64{a / 4, -(a + b + c) / 6, (b - a - c) / 6, (a/4 + b/2 + c) / 6, (a/4 - b/2 + c) / 6, c}
	}
	var rows [3][6]float64
	for i := range rows {
		rows[i] = third(float64(x[3*i]), float64(x[3*i+1]), float64(x[3*i+2]))
	}
	for j := range 6 {
		for i, v := range third(rows[0][j], rows[1][j], rows[2][j]) {
			y[(6*i+j)*step] = float32(v)
		}
	}
}

// beforeGo computes the transforms of n tiles.
func (p *Winograd) beforeGo(n int) {
	for c := range uintptr(p.Channels) {
		for t := range uintptr(n) {
			var d [6][6]float32
			for i := range uintptr(6) {
				row := unsafe.Slice(at(p.X, c*p.PlaneX+i*p.RowX+16*t), 6)
				d[i] = timesB([6]float32(row))
			}
			for j := range 6 {
				for i, v := range timesB([6]float32{d[0][j], d[1][j], d[2][j], d[3][j], d[4][j], d[5][j]}) {
					*at(p.Y, c*p.PlaneY+uintptr(6*i+j)*p.RowY+4*t) = v
				}
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

// afterGo computes the results of n pixels a row.
func (p *Winograd) afterGo(n int) {
	for c := range uintptr(p.Channels) {
		end := Product{RowBias: unsafe.Add(p.Bias, c*p.BiasStep), Lo: p.Lo, Hi: p.Hi}
		for t := range uintptr(n+3) / 4 {
			var d [6][4]float32
			for j := range d {
				var x [6]float32
				for i := range x {
					x[i] = *at(p.X, c*p.PlaneX+uintptr(6*i+j)*p.RowX+4*t)
				}
				d[j] = timesA(x)
			}
			for i := range p.Rows {
				y := timesA([6]float32{d[0][i], d[1][i], d[2][i], d[3][i], d[4][i], d[5][i]})
				for j := range min(4, n-4*int(t)) {
					place := c*p.PlaneY + uintptr(i)*p.RowY + 16*t + 4*uintptr(j)
					end.Res = nil
					if p.Res != nil {
						end.Res = unsafe.Add(p.Res, place)
					}
					*at(p.Y, place) = end.finish(y[j], 0, 0)
				}
			}
		}
	}
}

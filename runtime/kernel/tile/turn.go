package tile

// This file holds the record of transposes, and their form in Go.

import (
	"math"
	"unsafe"
)

// A Turn is a transpose: element c of row r of X becomes element r of row c of Y. Pitches are in bytes. The assembly knows the
// offsets of the fields.
type Turn struct {
	X          unsafe.Pointer
	PitchX     uintptr
	Rows, Cols int // of X, at least one of each: up to Lanes(t) rows
	Y          unsafe.Pointer
	PitchY     uintptr
	// Res is added, a matrix with the pitch of Y, or nil; then results are kept within Lo and Hi.
	Res    unsafe.Pointer
	Lo, Hi float32
	masks  [3]uintptr // of a vector of columns, of the last one, of the rows
}

// NewTurn makes a transpose that changes no element.
func NewTurn() Turn {
	return Turn{Lo: float32(math.Inf(-1)), Hi: float32(math.Inf(1))}
}

// turnGo is the form in Go.
func (p *Turn) turnGo() {
	end := Product{Lo: p.Lo, Hi: p.Hi}
	for c := range uintptr(p.Cols) {
		for r := range uintptr(p.Rows) {
			place := c*p.PitchY + 4*r
			if p.Res != nil {
				end.Res = unsafe.Add(p.Res, place)
			}
			*at(p.Y, place) = end.finish(*at(p.X, r*p.PitchX+4*c), 0, 0)
		}
	}
}

package tile

// This file holds the record of what an LSTM's cell does with its gates.

import "unsafe"

// CellUnits is the most units of a Cell.
const CellUnits = 16

// A Cell is a step of up to CellUnits units of an LSTM. Its gates, in the order i, o, f, c and CellUnits elements
// each, are the sums of Gates and More; C becomes sigmoid(f)·C + sigmoid(i)·tanh(c), and H sigmoid(o)·tanh(C). The
// assembly knows the offsets of the fields.
type Cell struct {
	Gates, More unsafe.Pointer
	C, H        unsafe.Pointer
	N           int // units
	masks       unsafe.Pointer
}

// inGo computes a step in Go.
func (p *Cell) inGo() {
	f := RowsOf(Portable)
	gates, more := unsafe.Slice((*float32)(p.Gates), 4*CellUnits), unsafe.Slice((*float32)(p.More), 4*CellUnits)
	c, h := unsafe.Slice((*float32)(p.C), p.N), unsafe.Slice((*float32)(p.H), p.N)
	var g [4 * CellUnits]float32
	for i := range g {
		g[i] = gates[i] + more[i]
	}
	f.Sigmoid(g[:3*CellUnits], g[:3*CellUnits])
	f.Tanh(g[3*CellUnits:], g[3*CellUnits:])
	for u := range c {
		c[u] = float32(g[2*CellUnits+u]*c[u]) + float32(g[u]*g[3*CellUnits+u])
	}
	f.Tanh(c, h)
	for u := range h {
		h[u] *= g[CellUnits+u]
	}
}

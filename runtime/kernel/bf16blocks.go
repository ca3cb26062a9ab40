package kernel

// This file computes products in bf16 with constant weights on the processor's tiles (AMX), where it has them. Inner sizes are filled up with
// zeros to whole steps of a tile, so that every element is one chain over the steps, whatever the rows beside it are.

import (
	"math"
	"unsafe"

	"shapecheck/runtime/kernel/tile"
)

// cutBlocks cuts a product into tasks of whole blocks, with whole steps of pairs.
func (p *productPairs) cutBlocks() {
	p.pairs = (p.k + 2*tile.BlockPairs - 1) / (2 * tile.BlockPairs) * tile.BlockPairs
	p.rows = max(blocksWork/max(p.pairs*p.panel, 1)/tile.BlockRows, 1) * tile.BlockRows
	p.rowTiles = (p.m + p.rows - 1) / p.rows
}

// blocksWork is about the products of pairs of a task.
const blocksWork = 8 * tileWork

func (k matmulPairs) runBlocks(c *Call, _, index int) {
	p := c.State.(*productPairs)
	if index < p.tiles {
		a, y := floats(c.In[0]), halves(c.Shared)
		for r := index * p.m / p.tiles; r < (index+1)*p.m/p.tiles; r++ {
			row := y[2*r*p.pairs:][:2*p.pairs]
			roundTo(row, a[r*p.k:(r+1)*p.k], nil)
			clear(row[p.k:])
		}
		return
	}
	index -= p.tiles
	j, i := index/p.rowTiles*p.panel, index%p.rowTiles*p.rows
	for end := min(i+p.rows, p.m); i < end; i += tile.BlockRows {
		p.block(c, panelWidth(k.t, p.n, j), i, min(tile.BlockRows, end-i), j)
	}
}

// block computes rows from i on of the panel from column j on, of width w.
func (p *productPairs) block(c *Call, w, i, rows, j int) {
	out, cols := floats(c.Out[0]), min(w, p.n-j)
	x := tile.Block{A: unsafe.Pointer(&floats(c.Shared)[i*p.pairs]), LDA: uintptr(4 * p.pairs), LDB: uintptr(4 * w), C: unsafe.Pointer(&out[i*p.n+j]), LDC: uintptr(4 * p.n), Steps: p.pairs / tile.BlockPairs,
		StepA: 4 * tile.BlockPairs, StepB: uintptr(4 * w * tile.BlockPairs), Pairs: tile.BlockPairs}
	x.Taps, x.NTaps = tile.PlainTaps()
	x.B = unsafe.Pointer(&floats(c.Packed[0])[p.pairs*j])
	x.Run(rows, cols)
	if p.bias < 0 && p.residual < 0 && !p.bounded() {
		return
	}
	// The rest is what a product adds to partial sums, here with a pair of zeros.
	y := tile.Product{A: unsafe.Pointer(&zeros[0]), B: unsafe.Pointer(&zeros[0]), LDB: uintptr(4 * w), K: 1, Flags: tile.Accumulate,
		LDC: uintptr(4 * p.n), LDR: uintptr(4 * p.n), Lo: p.lo, Hi: p.hi}
	y.Taps, y.NTaps = tile.PlainTaps()
	if p.bias >= 0 {
		y.Bias = unsafe.Pointer(&floats(c.In[p.bias])[j])
	}
	eachRows(i, rows, func(r, n int) {
		y.C = unsafe.Pointer(&out[r*p.n+j])
		if p.residual >= 0 {
			y.Res = unsafe.Pointer(&floats(c.In[p.residual])[r*p.n+j])
		}
		y.RunPairs(n, cols)
	})
}

// bounded reports whether the result is kept within bounds.
func (p *product) bounded() bool {
	return !math.IsInf(float64(p.lo), -1) || !math.IsInf(float64(p.hi), 1)
}

// zeros are a line of the widest panel.
var zeros [256]float32

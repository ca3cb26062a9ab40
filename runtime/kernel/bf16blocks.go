package kernel

// This file computes products in bf16 with constant weights on the processor's tiles (AMX), where it has them. Inner
// sizes are filled up with zeros to whole steps of a tile, so that every element is one chain over the steps,
// whatever the rows beside it are.

import (
	"unsafe"

	"shapecheck/runtime/kernel/tile"
)

// cutBlocks cuts a product into tasks of whole blocks, with whole steps of pairs.
func (p *productPairs) cutBlocks() {
	p.pairs = (p.k + 2*tile.BlockPairs - 1) / (2 * tile.BlockPairs) * tile.BlockPairs
	p.rows = max(blocksWork/max(p.pairs*p.panel, 1)/tile.BlockRows, 1) * tile.BlockRows
	p.rowTiles = (p.m + p.rows - 1) / p.rows
	p.lda = p.pairs + line
}

// blocksWork is about the products of pairs of a task.
const blocksWork = 8 * tileWork

// runBlocks is a tile of one of two phases: the first ones round rows of the left operand to bf16
// into shared memory, the others multiply them with a panel of weights.
func (k matmulPairs) runBlocks(c *Call, worker, index int) {
	p := c.State.(*productPairs)
	if index < p.tiles {
		a, y := floats(c.In[0]), halves(c.Shared)
		for r := index * p.m / p.tiles; r < (index+1)*p.m/p.tiles; r++ {
			row := y[2*r*p.lda:][:2*p.pairs]
			roundTo(row, a[r*p.k:(r+1)*p.k], nil)
			clear(row[p.k:])
		}
		return
	}
	index -= p.tiles
	j, i := index/p.rowTiles*p.panel, index%p.rowTiles*p.rows
	end, w, weights := min(i+p.rows, p.m), panelWidth(k.t, p.n, j), floats(c.Packed[0])
	next := p.pairs * (j + w) // of the panel that comes next, which is fetched while the last rows are multiplied: nobody may have read it yet
	if end < p.m {
		next = len(weights)
	}
	for ; i < end; i += tile.BlockRows {
		p.block(c, w, i, min(tile.BlockRows, end-i), j, floats(c.Scratch[worker]), weights[next:])
		next = min(next+p.pairs/tile.BlockPairs*((w+31)/32)*tile.NextFetched/4, len(weights))
	}
}

// block computes rows from i on of the panel from column j on, of width w, and fetches what comes next. Sums lie in
// own first: rows of the result are far apart, and compete for the same places of the first cache.
func (p *productPairs) block(c *Call, w, i, rows, j int, own, next []float32) {
	out, cols := floats(c.Out[0]), min(w, p.n-j)
	x := tile.Block{A: unsafe.Pointer(&floats(c.Shared)[i*p.lda]), LDA: uintptr(4 * p.lda), StepA: 4 * tile.BlockPairs,
		LDB: uintptr(4 * w), StepB: uintptr(4 * w * tile.BlockPairs), C: unsafe.Pointer(&own[0]), LDC: uintptr(4 * p.panel),
		Steps: p.pairs / tile.BlockPairs, Pairs: tile.BlockPairs}
	x.Taps, x.NTaps = tile.PlainTaps()
	x.B = unsafe.Pointer(&floats(c.Packed[0])[p.pairs*j])
	if x.Next = x.A; len(next) > 0 {
		x.Next, x.NextStep = unsafe.Pointer(&next[0]), tile.NextFetched
	}
	x.Run(rows, cols)
	e := tile.Ending{X: x.C, PitchX: x.LDC, Y: unsafe.Pointer(&out[i*p.n+j]), PitchY: uintptr(4 * p.n), Rows: rows, Lo: p.lo, Hi: p.hi}
	if p.bias >= 0 {
		e.Bias, e.Columns = unsafe.Pointer(&floats(c.In[p.bias])[j]), true
	}
	if p.residual >= 0 {
		e.Res = unsafe.Pointer(&floats(c.In[p.residual])[i*p.n+j])
	}
	e.Run(cols)
}

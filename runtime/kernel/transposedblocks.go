package kernel

// This file computes the products of transposed convolutions in bf16 on the processor's tiles (AMX), where it has
// them: the weights' rows, of so many output channels and all taps, times columns of pixels of planes of pairs of
// channels.

import (
	"math"
	"unsafe"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
)

// transposedSteps bounds the steps of channels, so that a call takes at most some 100 µs.
const transposedSteps = 32

// transposedBlocks is the entry for them.
func transposedBlocks(t Tier) *Entry {
	k := transposedConv{t: t, f: tile.RowsOf(t), blocks: true}
	tiles := func(s *Sig) int {
		m, _ := k.plan(s)
		return m.batch * m.groups * m.blocks
	}
	return &Entry{Op: isa.Lookup("", "ConvTranspose"), Name: "ConvTranspose.bf16.blocks", Tier: t, Shape: k.shape, Cost: atOnce,
		Scratch: k.scratch,
		Match: func(s *Sig) bool {
			m, err := k.plan(s)
			return err == nil && k.match(s) && m.channels > 1 && (m.groups == 1 || m.channels >= fewChannels) && m.steps <= transposedSteps
		},
		Shared: func(s *Sig) int64 {
			m, _ := k.plan(s)
			return 4 * int64(m.batch*m.groups*m.steps*m.pairs) * int64(m.pitch)
		},
		Split: func(s *Sig) Grid { return Grid{Tiles: tiles(s), Phases: 2} },
		Packs: []*Pack{{Operand: 1, Form: "bf16.spread", Size: func(s *Sig) int64 {
			m, _ := k.plan(s)
			return 4 * int64(m.groups*m.blocks*m.tiles16()*m.steps) * tileSize
		}, Write: k.packBlocks}},
		Prepare: func(s *Sig) any { m, _ := k.plan(s); return m }, Run: k.run}
}

// tiles16 are the tiles of rows of weights of a block.
func (m *spread) tiles16() int { return (m.block*m.taps + tile.FewRows - 1) / tile.FewRows }

// packBlocks writes weights [channel, out, row, column] of each group as tiles: of each block up to BlockRows rows step by step, and then
// the next ones.
func (k transposedConv) packBlocks(s *Sig, elements, dst []byte, _ int) {
	m, _ := k.plan(s)
	clear(dst)
	rows := m.outs * m.taps
	for i, x := range floats(elements) {
		row, ch := i%rows, i/rows%m.channels
		block, r := row/(m.block*m.taps), row%(m.block*m.taps)
		last := min(m.block, m.outs-block*m.block) * m.taps
		first := r / tile.BlockRows * tile.BlockRows
		tiles := (min(tile.BlockRows, last-first) + tile.FewRows - 1) / tile.FewRows
		at := ((i/rows/m.channels*m.blocks+block)*m.tiles16() + first/tile.FewRows) * m.steps * tileSize
		at += (ch/2/m.pairs*tiles+(r-first)/tile.FewRows)*tileSize + r%tile.FewRows*tile.BlockPairs + ch/2%m.pairs
		halves(dst)[2*at+ch%2] = tile.Rounded(x)
	}
}

// lay rounds the pairs of channels whose turn it is.
func (k transposedConv) lay(c *Call, m *spread, index, tiles int) {
	each, size := m.steps*m.pairs, m.rows*m.w.in
	total := m.batch * m.groups * each
	for p := index * total / tiles; p < (index+1)*total/tiles; p++ {
		to := floats(c.Shared)[p*m.pitch:][:size]
		x := twoPlanes{narrow: c.Sig.In[0].narrow(), n: size}
		switch plane, ch := p/each*m.channels, p%each*2; {
		case ch+1 < m.channels:
			x.first, x.second = x.of(c.In[0], plane+ch), x.of(c.In[0], plane+ch+1)
			x.pair(to)
		case ch < m.channels:
			for i := range size {
				pairsIn(to)[2*i], pairsIn(to)[2*i+1] = x.rounded(c.In[0], plane+ch, i), 0
			}
		default:
			clear(to)
		}
	}
}

// multiplyBlocks computes the products of some rows of weights with some pixels, with the biases where they are the result.
func (k transposedConv) multiplyBlocks(m *spread, a, x, out, biases []float32, rows, pixels int) {
	b := tile.Block{LDA: 4 * tile.BlockPairs, B: unsafe.Pointer(&x[0]), LDB: uintptr(4 * m.pitch), StepB: uintptr(4 * m.pitch * m.pairs),
		LDC:   uintptr(4 * pixels),
		Steps: m.steps, Pairs: m.pairs, Packed: true}
	b.Taps, b.NTaps = tile.PlainTaps()
	for r := 0; r < rows; r += tile.BlockRows {
		n := min(tile.BlockRows, rows-r)
		b.A, b.StepA = unsafe.Pointer(&a[r/tile.FewRows*m.steps*tileSize]), uintptr(4*tileSize*((n+tile.FewRows-1)/tile.FewRows))
		b.C = unsafe.Pointer(&out[r*pixels])
		b.Run(n, pixels)
	}
	if m.woven {
		e := tile.Ending{X: unsafe.Pointer(&out[0]), PitchX: uintptr(4 * pixels), Y: unsafe.Pointer(&out[0]), PitchY: uintptr(4 * pixels),
			Rows: rows,
			Bias: unsafe.Pointer(&biases[0]), Lo: float32(math.Inf(-1)), Hi: float32(math.Inf(1))}
		e.Run(pixels)
	}
}

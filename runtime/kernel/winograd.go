package kernel

// This file computes convolutions of 3×3 weights by Winograd's F(4×4, 3×3), where the program allows it: 36 products
// for 16 pixels and a channel instead of 144. Images are laid out with their border and their channels last; then
// tiles of 6×6 pixels are transformed, multiplied with the transformed weights place by place, each place a chain
// over the channels, and transformed back. Tiles are the rows of the products, a block of them at a time. An infinity
// or NaN in a tile makes all its 16 results NaN.

import (
	"fmt"
	"math"
	"unsafe"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// winogradEntries lists the entry for such convolutions.
func winogradEntries(t Tier) []*Entry {
	k := winograd{convVectors{conv{t: t, f: tile.RowsOf(t)}}}
	return []*Entry{{Op: isa.Conv, Name: "conv.f32.winograd", Match: k.match, Shape: k.shape, Cost: k.cost, Scratch: k.scratch,
		Shared: k.shared, Split: k.split,
		Packs:   []*Pack{{Operand: 1, Form: fmt.Sprintf("f32.winograd43.%d", tile.Panel(t)), Size: k.packSize, Parts: k.parts, Write: k.pack}},
		Prepare: func(s *Sig) any { return k.plan(s) }, Run: k.run, InPlace: func(_ *Sig, operand int) bool { return operand == 3 }}}
}

type winograd struct{ convVectors }

// The pixels before and behind the products of a block of tiles stay in L2 together, and so the block has at most so many bytes
// and tiles, but no fewer than a product has rows.
const blockBytes, blockTiles = 800 << 10, 24

// A tiling is one signature.
type tiling struct {
	*panelling
	across        int // tiles of a row of them
	total         int // tiles of an image
	width, blocks int // the most tiles of a block, and blocks of an image
	slices        int // parts of the output channels
	before        int // elements of a block before the products
}

// plan reads the signature; nil: it is none for this file. What it gives must not be changed.
func (k winograd) plan(s *Sig) *tiling {
	return read(s, k.key(asTiles), func() *tiling { return k.tiling(s) })
}

// tiling is the plan of a convolution by F(4×4, 3×3), or nil where it is no such one: 3×3 kernels
// with stride and dilation 1 in one group, for which the compiler has permitted the algorithm.
// Results are computed in squares of 4×4, which read 6×6; squares are grouped into blocks whose
// transformed values fit into a core's cache.
func (k winograd) tiling(s *Sig) *tiling {
	if s.Inst.Str("algo", "direct") != "winograd" || len(s.In) < 2 || len(s.In[0].Dims) != 4 {
		return nil
	}
	p := k.convVectors.plan(s)
	if p == nil || p.groups != 1 || p.pixels == 0 {
		return nil
	}
	for _, d := range []window{p.h, p.w} {
		if d.kernel != 3 || d.stride != 1 || d.dilation != 1 {
			return nil
		}
	}
	own := *p
	m := &tiling{panelling: &own, across: (p.w.out + 3) / 4}
	down := (p.h.out + 3) / 4
	m.rows, m.cols, m.pixel = 4*down+2, 4*m.across+2, (p.channels+p.lane-1)/p.lane*p.lane
	m.size = m.rows * m.cols * m.pixel
	m.total = down * m.across
	most := min(max(blockBytes/(4*tile.Places*(m.pixel+m.panel)), tile.MaxRows), blockTiles)
	m.blocks = (m.total + most - 1) / most
	m.width = (m.total + m.blocks - 1) / m.blocks
	m.before = tile.Places * m.width * m.pixel
	m.slices = m.panels
	if m.before*m.outs <= convWork[k.t] {
		m.slices = 1
	}
	m.tiles = m.batch * m.blocks * m.slices
	return m
}

func (k winograd) match(s *Sig) bool {
	m := k.plan(s)
	if m == nil || !allPlain(s, tensor.Float32) || s.In[1].Const == nil {
		return false
	}
	return (!m.bias || sameDims(s.In[2].Dims, s.In[1].Dims[:1])) && (!m.residual || sameDims(s.In[3].Dims, s.Out[0].Dims))
}

// cost is below that of the direct forms, whatever the sizes: bits must not depend on them.
func (k winograd) cost(s *Sig) float64 { return k.conv.cost(s) / 1000 }

// packSize is that of the transformed weights: panels of [place, channel] of whole vectors of output channels.
func (k winograd) packSize(s *Sig) int64 {
	m := k.plan(s)
	return 4 * tile.Places * int64(m.channels) * int64(m.vectors*m.lane)
}

// pack writes the transforms of a column.
func (k winograd) pack(s *Sig, elems, dst []byte, part int) {
	panels, image := *k.plan(s).panelling, *k.plan(s).image
	m := &panels
	m.image, image.k = &image, tile.Places*image.channels
	c := m.columnOf(part)
	const taps = 9
	memory := make([]float32, tile.TempBytes/4+taps*m.lane) // zeros are behind the last output channel
	lines := memory[tile.TempBytes/4:]
	turn := tile.NewTurn()
	turn.PitchX, turn.Rows, turn.Cols, turn.Y, turn.PitchY = uintptr(4*taps*m.channels), c.n, taps, unsafe.Pointer(&lines[0]),
		uintptr(4*m.lane)
	p := tile.Winograd{X: turn.Y, RowX: 3 * turn.PitchY, ColX: turn.PitchY, RowY: uintptr(4 * 6 * m.channels * c.width),
		ColY:    uintptr(4 * m.channels * c.width),
		Vectors: 1, Temp: unsafe.Pointer(&memory[0])}
	for i := range m.channels {
		turn.X, p.Y = unsafe.Pointer(&floats(elems)[(c.first*m.channels+i)*taps]), unsafe.Pointer(&floats(dst)[c.at+i*c.width])
		turn.Run(k.t)
		p.Weights(k.t)
	}
}

// fused reports whether a block is transformed by the one who multiplies it, as nobody else does.
func (m *tiling) fused() bool { return m.slices == 1 }

// strip is the pixels of a row that are transformed back together: as many as a transpose takes.
func (m *tiling) strip() int { return m.lane }

// scratch holds what lies between the halves of a transform, the bias of a panel, pixels that are transformed back, a panel of
// a block behind the products, and the block before them where its worker alone needs it.
func (k winograd) scratch(s *Sig) int64 {
	m := k.plan(s)
	n := tile.TempBytes/4 + m.panel*(1+4*m.strip()+tile.Places*m.width)
	if m.fused() {
		n += m.before
	}
	return 4 * int64(n)
}

// shared holds the images, and the blocks before the products where these are cut into slices.
func (k winograd) shared(s *Sig) int64 {
	m := k.plan(s)
	n := int64(m.batch) * int64(m.size)
	if !m.fused() {
		n += int64(m.batch*m.blocks) * int64(m.before)
	}
	return 4 * n
}

func (k winograd) split(s *Sig) Grid {
	m := k.plan(s)
	if m.fused() {
		return Grid{Tiles: m.tiles, Phases: 2}
	}
	return Grid{Tiles: m.tiles, Phases: 3}
}

// take cuts n elements off.
func take(x *[]float32, n int) []float32 {
	part := (*x)[:n]
	*x = (*x)[n:]
	return part
}

// run is a tile of one of three phases: laying the image out, transforming its squares, and
// products with the transform back. The second one is part of the third where it is fused.
func (k winograd) run(c *Call, worker, index int) {
	m := c.State.(*tiling)
	phase, index := index/m.tiles, index%m.tiles
	shared, own := floats(c.Shared), floats(c.Scratch[worker])
	images, temp := take(&shared, m.batch*m.size), take(&own, tile.TempBytes/4)
	switch {
	case phase == 0:
		k.lay(c, m.panelling, index)
	case phase == 1 && !m.fused():
		all := m.batch * m.total
		for t, end := index*all/m.tiles, (index+1)*all/m.tiles; t < end; t++ {
			image, at := t/m.total, t%m.total
			block := ((at+1)*m.blocks - 1) / m.total
			k.before(m, images[image*m.size:], shared[(image*m.blocks+block)*m.before:], temp, at, at-block*m.total/m.blocks)
		}
	default:
		block, slice := index/m.slices, index%m.slices
		image := block / m.blocks
		first, end := block%m.blocks*m.total/m.blocks, (block%m.blocks+1)*m.total/m.blocks
		bias, strip, products := take(&own, m.panel), take(&own, 4*m.strip()*m.panel), take(&own, tile.Places*m.width*m.panel)
		pixels := own
		if m.fused() {
			for t := first; t < end; t++ {
				k.before(m, images[image*m.size:], pixels, temp, t, t-first)
			}
		} else {
			pixels = shared[block*m.before:]
		}
		for panel := slice * m.panels / m.slices; panel < (slice+1)*m.panels/m.slices; panel++ {
			k.multiply(m, floats(c.Packed[0]), pixels, products, panel, end-first)
			k.after(c, m, products, strip, temp, bias, image, panel, first, end)
		}
	}
}

// before transforms a tile of an image, as the tile of that number of a block.
func (k winograd) before(m *tiling, image, block, temp []float32, t, at int) {
	y, x := t/m.across*4, t%m.across*4
	p := tile.Winograd{X: unsafe.Pointer(&image[(y*m.cols+x)*m.pixel]), RowX: uintptr(4 * m.cols * m.pixel), ColX: uintptr(4 * m.pixel),
		Y: unsafe.Pointer(&block[at*m.pixel]), RowY: uintptr(4 * 6 * m.width * m.pixel), ColY: uintptr(4 * m.width * m.pixel),
		Vectors: m.pixel / m.lane, Temp: unsafe.Pointer(&temp[0])}
	p.Before(k.t)
}

// multiply writes the products of the tiles of a block with a panel of the weights.
func (k winograd) multiply(m *tiling, weights, pixels, out []float32, panel, tiles int) {
	vector, n := m.panelOf(panel)
	width := n * m.lane
	weights = weights[vector*m.lane*tile.Places*m.channels:]
	cols := min(width, m.outs-vector*m.lane)
	p := tile.Product{LDC: uintptr(4 * m.panel), K: m.channels, Lo: float32(math.Inf(-1)), Hi: float32(math.Inf(1)), NextStep: tile.Fetched}
	p.Taps, p.NTaps = tile.PlainTaps()
	for i := range p.Rows {
		p.Rows[i] = uintptr(4 * (i + 1) * m.pixel)
	}
	for place := range tile.Places {
		b := place * m.channels * width
		p.B = unsafe.Pointer(&weights[b])
		next := b + m.channels*width
		eachRows(0, tiles, func(t, n int) {
			p.A, p.C = unsafe.Pointer(&pixels[(place*m.width+t)*m.pixel]), unsafe.Pointer(&out[(place*m.width+t)*m.panel])
			p.Next = unsafe.Pointer(&weights[min(next, len(weights)-1)])
			next += m.channels * tile.Fetched / 16
			p.RunScattered(k.t, n, cols)
		})
	}
}

// after transforms the products of a block and a panel back.
func (k winograd) after(c *Call, m *tiling, products, strip, temp, bias []float32, image, panel, first, end int) {
	vector, n := m.panelOf(panel)
	cols := min(n*m.lane, m.outs-vector*m.lane)
	clear(bias)
	if m.bias {
		copy(bias, floats(c.In[2])[vector*m.lane:][:cols])
	}
	p := tile.Winograd{RowX: uintptr(4 * 6 * m.width * m.panel), ColX: uintptr(4 * m.width * m.panel),
		RowY: uintptr(4 * m.strip() * m.panel), ColY: uintptr(4 * m.panel),
		Vectors: n, Temp: unsafe.Pointer(&temp[0]), Bias: unsafe.Pointer(&bias[0])}
	base := (image*m.outs + vector*m.lane) * m.pixels
	turn := tile.Turn{PitchX: uintptr(4 * m.panel), Cols: cols, PitchY: uintptr(4 * m.pixels), Lo: m.lo, Hi: m.hi}
	for t := first; t < end; {
		y, x := t/m.across*4, t%m.across*4
		tiles := min(m.strip()/4, m.across-t%m.across, end-t)
		for i := range tiles {
			p.X, p.Y = unsafe.Pointer(&products[(t-first+i)*m.panel]), unsafe.Pointer(&strip[4*i*m.panel])
			p.After(k.t)
		}
		for i := range min(4, m.h.out-y) {
			place := base + (y+i)*m.w.out + x
			turn.X, turn.Y, turn.Rows = unsafe.Pointer(&strip[i*m.strip()*m.panel]), unsafe.Pointer(&floats(c.Out[0])[place]),
				min(4*tiles, m.w.out-x)
			if m.residual {
				turn.Res = unsafe.Pointer(&floats(c.In[3])[place])
			}
			turn.Run(k.t)
		}
		t += tiles
	}
}

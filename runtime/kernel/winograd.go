package kernel

// This file computes convolutions of 3×3 weights by Winograd's F(4×4, 3×3), where the program allows it: 36 products for 16
// pixels and a channel instead of 144. Planes are laid out with their border first; then tiles of 6×6 pixels are transformed,
// multiplied with the transformed weights place by place, each place a chain over the channels, and transformed back. Tiles are the columns
// of the products, a block of them at a time. An infinity or NaN in a tile makes all its 16 results NaN.

import (
	"math"
	"unsafe"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// winogradEntries lists the entry for such convolutions.
func winogradEntries(t Tier) []*Entry {
	k := winograd{conv{t: t, f: tile.RowsOf(t)}}
	return []*Entry{{Op: isa.Conv, Name: "conv.f32.winograd", Match: k.match, Shape: k.shape, Cost: k.cost, Scratch: k.scratch, Shared: k.shared, Split: k.split,
		Packs:   []*Pack{{Operand: 1, Form: "f32.winograd43", Size: k.packSize, Parts: func(s *Sig) int { return int(s.In[1].Dims[0]) }, Write: k.pack}},
		Prepare: func(s *Sig) any { return k.plan(s) }, Run: k.run, InPlace: func(_ *Sig, operand int) bool { return operand == 3 }}}
}

type winograd struct{ conv }

// blockBytes bounds the pixels before and behind the products of a block of tiles together, so that they stay in L2.
const blockBytes = 1200 << 10

// A tiling is one signature.
type tiling struct {
	*image
	laid          *plane
	channel       int // elements of a laid out plane
	down, across  int // tiles of an image
	width, blocks int // tiles of a block, and blocks of an image
	rows, slices  int // output channels that are computed together
	units         int // blocks of all images times slices
	before        int // elements of a block before the products
}

// plan reads the signature; nil: it is none for this file.
func (k winograd) plan(s *Sig) *tiling {
	if s.Inst.Str("algo", "direct") != "winograd" {
		return nil
	}
	m, err := k.conv.plan(s)
	if err != nil || len(s.In[0].Dims) != 4 || m.groups != 1 {
		return nil
	}
	for _, d := range []window{m.h, m.w} {
		if d.kernel != 3 || d.stride != 1 || d.dilation != 1 {
			return nil
		}
	}
	w := &tiling{image: m, down: (m.h.out + 3) / 4, across: (m.w.out + 3) / 4}
	h, v := m.h, m.w
	h.out, v.out = 4*w.down, 4*w.across
	var ok bool
	if w.laid, ok = newPlane(h, v); !ok || m.pixels == 0 || m.k == 0 {
		return nil
	}
	w.channel = (w.laid.size + line - 1) / line * line
	lanes := tile.Lanes(k.t)
	vectors := (w.down*w.across + lanes - 1) / lanes
	most := min(max(blockBytes/(4*tile.Places*lanes*(m.channels+m.outs)), 1), m.panel/lanes, vectors)
	w.blocks = (vectors + most - 1) / most
	w.width = (vectors + w.blocks - 1) / w.blocks * lanes
	w.before = tile.Places * m.channels * w.width
	slices := (w.before*m.outs + convWork[k.t] - 1) / convWork[k.t]
	w.rows = ((m.outs+slices-1)/slices + tile.MaxRows - 1) / tile.MaxRows * tile.MaxRows
	w.slices = (m.outs + w.rows - 1) / w.rows
	w.units = m.batch * w.blocks * w.slices
	return w
}

func (k winograd) match(s *Sig) bool {
	m := k.plan(s)
	if m == nil || !allPlain(s, tensor.Float32) || s.In[1].Const == nil {
		return false
	}
	return (!m.bias || sameDims(s.In[2].Dims, s.In[1].Dims[:1])) && (!m.residual || sameDims(s.In[3].Dims, s.Out[0].Dims))
}

// cost is below that of the direct form, whatever the sizes: bits must not depend on them.
func (k winograd) cost(s *Sig) float64 { return k.conv.cost(s) / 1000 }

// packSize is that of the transformed weights: [place, output channel, channel].
func (k winograd) packSize(s *Sig) int64 {
	return 4 * tile.Places * s.In[1].Dims[0] * s.In[1].Dims[1]
}

func (k winograd) pack(s *Sig, elems, dst []byte, o int) {
	outs, c := int(s.In[1].Dims[0]), int(s.In[1].Dims[1])
	from, to := floats(elems)[o*c*9:], floats(dst)[o*c:]
	for i := range c {
		tile.WinogradWeights(from[9*i:9*i+9], to[i:], outs*c)
	}
}

// fused reports whether a block is transformed by the one who multiplies it, as nobody else does.
func (m *tiling) fused() bool { return m.slices == 1 }

// scratch holds a slice of a block behind the products, the block before them where its worker alone needs it, and what lies
// between the halves of a transform.
func (k winograd) scratch(s *Sig) int64 {
	m := k.plan(s)
	n := tile.TempBytes/4 + tile.Places*min(m.rows, m.outs)*m.width
	if m.fused() {
		n += m.before
	}
	return 4 * int64(n)
}

// planes is the elements of all planes, and what is read behind the last one.
func (m *tiling) planes() int { return m.batch*m.channels*m.channel + tile.Behind }

// shared holds the planes, and the blocks before the products where these are cut into slices.
func (k winograd) shared(s *Sig) int64 {
	m := k.plan(s)
	n := int64(m.planes())
	if !m.fused() {
		n += int64(m.batch*m.blocks) * int64(m.before)
	}
	return 4 * n
}

func (k winograd) split(s *Sig) Grid {
	m := k.plan(s)
	if m.fused() {
		return Grid{Tiles: m.units, Phases: 2}
	}
	return Grid{Tiles: m.units, Phases: 3}
}

func (k winograd) run(c *Call, worker, index int) {
	m := c.State.(*tiling)
	phase, index := index/m.units, index%m.units
	shared := floats(c.Shared)
	planes, blocks := shared[:m.planes()], shared[m.planes():]
	own := floats(c.Scratch[worker])
	// It has more than tile.Behind elements, which may lie behind the products.
	temp := own[len(own)-tile.TempBytes/4:]
	switch {
	case phase == 0:
		total, size := m.batch*m.channels, m.h.in*m.w.in
		for p := index * total / m.units; p < (index+1)*total/m.units; p++ {
			m.laid.lay(k.t, k.f, floats(c.In[0])[p*size:(p+1)*size], planes[p*m.channel:][:m.laid.size], nil, 0)
		}
	case phase == 1 && !m.fused():
		total := m.batch * m.blocks * m.channels
		for from, end := index*total/m.units, (index+1)*total/m.units; from < end; {
			block, ch := from/m.channels, from%m.channels
			n := min(m.channels-ch, end-from)
			k.before(m, planes, blocks[block*m.before:][:m.before], temp, block, ch, n)
			from += n
		}
	default:
		block, slice := index/m.slices, index%m.slices
		first := slice * m.rows
		rows := min(m.rows, m.outs-first)
		products := own[:tile.Places*rows*m.width]
		pixels := own[len(products):]
		if m.fused() {
			k.before(m, planes, pixels[:m.before], temp, block, 0, m.channels)
		} else {
			pixels = blocks[block*m.before:]
		}
		k.multiply(m, floats(c.Packed[0]), pixels, products, block, first, rows)
		k.after(c, m, products, temp, block, first, rows)
	}
}

// each calls do with the pieces of rows of tiles that a block has: the first tile's place in the block and in the image, and how many.
func (m *tiling) each(t Tier, block int, do func(at, y, x, n int)) {
	first, tiles := m.tilesOf(t, block)
	for f := first; f < first+tiles; {
		y, x := f/m.across, f%m.across
		n := min(m.across-x, first+tiles-f, tile.Lanes(t))
		do(f-first, y, x, n)
		f += n
	}
}

// tilesOf gives the first tile of a block in its image, and their number.
func (m *tiling) tilesOf(t Tier, block int) (first, n int) {
	lanes, total := tile.Lanes(t), m.down*m.across
	vectors := (total + lanes - 1) / lanes
	b := block % m.blocks
	first = b * vectors / m.blocks * lanes
	return first, min((b+1)*vectors/m.blocks*lanes, total) - first
}

// before transforms the tiles of a block in n channels from ch on.
func (k winograd) before(m *tiling, planes, out, temp []float32, block, ch, n int) {
	planes = planes[(block/m.blocks*m.channels+ch)*m.channel:]
	p := tile.Winograd{RowX: uintptr(4 * m.laid.pitch), PlaneX: uintptr(4 * m.channel), RowY: uintptr(4 * m.channels * m.width), PlaneY: uintptr(4 * m.width),
		Channels: n, Temp: unsafe.Pointer(&temp[0])}
	m.each(k.t, block, func(at, y, x, tiles int) {
		p.X, p.Y = unsafe.Pointer(&planes[4*y*m.laid.pitch+4*x]), unsafe.Pointer(&out[ch*m.width+at])
		p.Before(k.t, tiles)
	})
}

// multiply computes the products of all places.
func (k winograd) multiply(m *tiling, weights, pixels, out []float32, block, first, rows int) {
	_, tiles := m.tilesOf(k.t, block)
	p := tile.Product{LDA: uintptr(4 * m.channels), LDB: uintptr(4 * m.width), LDC: uintptr(4 * m.width), K: m.channels, Lo: float32(math.Inf(-1)), Hi: float32(math.Inf(1))}
	p.Taps, p.NTaps = tile.PlainTaps()
	for place := range tile.Places {
		p.B = unsafe.Pointer(&pixels[place*m.channels*m.width])
		eachRows(0, rows, func(r, n int) {
			p.A, p.C = unsafe.Pointer(&weights[(place*m.outs+first+r)*m.channels]), unsafe.Pointer(&out[(place*rows+r)*m.width])
			p.Run(k.t, n, tiles)
		})
	}
}

// noBias is what is added where there is no bias.
var noBias float32

// after transforms the products of a block back.
func (k winograd) after(c *Call, m *tiling, products, temp []float32, block, first, rows int) {
	p := tile.Winograd{RowX: uintptr(4 * rows * m.width), PlaneX: uintptr(4 * m.width), RowY: uintptr(4 * m.w.out), PlaneY: uintptr(4 * m.pixels), Channels: rows,
		Temp: unsafe.Pointer(&temp[0]), Lo: m.lo, Hi: m.hi}
	base := (block/m.blocks*m.outs + first) * m.pixels
	m.each(k.t, block, func(at, y, x, tiles int) {
		place := base + 4*y*m.w.out + 4*x
		p.X, p.Y, p.Rows = unsafe.Pointer(&products[at]), unsafe.Pointer(&floats(c.Out[0])[place]), min(4, m.h.out-4*y)
		p.Bias, p.BiasStep = unsafe.Pointer(&noBias), 0
		if m.bias {
			p.Bias, p.BiasStep = unsafe.Pointer(&floats(c.In[2])[first]), 4
		}
		if m.residual {
			p.Res = unsafe.Pointer(&floats(c.In[3])[place])
		}
		p.After(k.t, min(4*tiles, m.w.out-4*x))
	})
}

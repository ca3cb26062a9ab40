package kernel

// This file computes convolutions with output channels in the vectors: neighbouring pixels times packed weights, as
// products are. Images are laid out first with their border and channels last; sums of a block of pixels are
// transposed when they are complete. The chains are those of conv.go, so that bits are the same, and what takes less
// time may be chosen by sizes.
//
// conv.go has pixels in the vectors and reads weights as single numbers; here output channels are
// in the vectors, and pixels are single numbers. That pays when there are many channels and few
// pixels, as in the later layers of networks. Both add in the same order (kernel row, column,
// channel), so which one is chosen does not show in the results.

import (
	"fmt"
	"math"
	"unsafe"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
)

// vectorEntries lists the entries for such convolutions.
func vectorEntries(t Tier) []*Entry {
	var out []*Entry
	for _, op := range []isa.Op{isa.Conv, isa.Lookup("", "Conv")} {
		k := convVectors{conv{t: t, f: tile.RowsOf(t)}}
		out = append(out, k.entry(op, op.String()+".f32.vectors", fmt.Sprintf("f32.vectors%d", tile.Panel(t)), k.unpack))
	}
	return out
}

type convVectors struct{ conv }

func (k convVectors) entry(op isa.Op, name, form string, read func(s *Sig, form, elems []byte)) *Entry {
	return &Entry{Op: op, Name: name, Tier: k.t, Match: k.match, Shape: k.shape, Cost: k.cost, Scratch: k.scratch, Shared: k.shared,
		Split:   k.split,
		Packs:   []*Pack{{Operand: 1, Form: form, Size: k.packSize, Parts: k.parts, Write: k.pack, Read: read}},
		Prepare: func(s *Sig) any { return k.plan(s) }, Run: k.run, InPlace: func(_ *Sig, operand int) bool { return operand == 3 }}
}

// blockPixels is the most pixels of a tile: their sums stay in the first cache, or in the second
// one where the weights are many. chain is the number of products of an element.
func blockPixels(chain int) int {
	if chain <= page {
		return 96
	}
	return 256
}

// A panelling is one signature. A panel is up to tile.Panel output channels in whole vectors, the
// last one perhaps less; inner counts channels times the columns of the kernel that are one tap.
type panelling struct {
	*image
	rows, cols    int          // of the bordered image, as far as windows go
	pixel         int          // elements of a pixel
	size          int          // elements of a laid out image
	taps          [][]tile.Tap // by the vectors of a panel
	inner         int          // elements of a tap
	vectors, lane int
	panels        int
	blocks        int  // of the pixels of an image
	outer         bool // panels go round slower than blocks
	tiles         int
}

// plan reads the signature; nil: it is none for this file. What it gives must not be changed.
func (k convVectors) plan(s *Sig) *panelling {
	return read(s, k.key(asPanels), func() *panelling { return k.panelling(s) })
}

// panelling lays out a convolution with output channels as vectors, from the plan of conv; it returns nil
// where there is nothing to sum, or an odd number of channels to be paired. Neighbouring columns of the
// kernel are one tap where their pixels are contiguous, and tiles come in the order in which less is read
// again.
func (k convVectors) panelling(s *Sig) *panelling {
	shared, err := k.conv.plan(s)
	if err != nil || shared.k == 0 || k.pairs && s.In[1].Dims[1]%2 != 0 {
		return nil
	}
	own := *shared
	m := &panelling{image: &own, lane: tile.Lanes(k.t)}
	if m.h.plain() && m.w.plain() { // a row of pixels
		m.h, m.w = window{1, 1, 1, 1, 1, 0, 0}, window{in: m.h.in * m.w.in, out: m.pixels, kernel: 1, stride: 1, dilation: 1}
	}
	m.rows, m.cols = m.h.reach(), m.w.reach()
	m.pixel = m.channels
	m.size = m.rows * m.cols * m.pixel
	across := m.w.kernel // columns of the kernel that are one tap, as their pixels are neighbours
	m.inner = m.channels * across
	if m.w.dilation > 1 || m.inner > maxK {
		across, m.inner = 1, m.channels
	}
	m.vectors = (m.outs + m.lane - 1) / m.lane
	m.panels = (m.vectors*m.lane + m.panel - 1) / m.panel
	m.taps = make([][]tile.Tap, m.panel/m.lane+1)
	for panel := range m.panels {
		_, n := m.panelOf(panel)
		if m.taps[n] != nil {
			continue
		}
		for t := 0; t < m.h.kernel*m.w.kernel; t += across {
			y, x := t/m.w.kernel, t%m.w.kernel
			m.taps[n] = append(m.taps[n], tile.Tap{A: uintptr(4 * (y*m.h.dilation*m.cols + x*m.w.dilation) * m.channels),
				B: uintptr(4 * t * m.channels * n * m.lane)})
		}
	}
	pixels := min(max(convWork[k.t]/(m.k*m.panel), tile.MaxRows), blockPixels(m.k))
	m.blocks = (m.pixels + pixels - 1) / pixels
	if all := m.batch * m.groups * m.panels; all > 0 { // of few tiles, one more is much for a thread
		m.blocks = max(m.blocks, min((shares/2+all-1)/all, m.pixels/(4*tile.MaxRows)))
	}
	// What is read again comes from L3: images for each panel, or weights for each block.
	m.outer = m.size*m.panels+m.k*m.outs < m.size+m.k*m.outs*m.blocks
	m.tiles = m.batch * m.groups * m.panels * m.blocks
	return m
}

func (k convVectors) match(s *Sig) bool { return k.conv.match(s) && k.plan(s) != nil }

// The estimates of cost, in ns: an element that is transposed, that is copied with its border, or that is rounded as
// well; and how much faster than those of conv.go products are.
const turnCost, copyCost, roundCost, vectorGain = 0.12, 0.04, 0.12, 1.12

// cost is that of conv.go, times what is computed for each element of the result there and here,
// and transposes. The cost of conv.go is scaled by the ratio of products (rounded up to whole
// vectors on both sides) and by what laying out takes.
func (k convVectors) cost(s *Sig) float64 {
	m := k.plan(s)
	if m.pixels == 0 {
		return math.Inf(1)
	}
	whole := func(n, lanes int) float64 { // a vector alone has too few sums to hide what one takes
		v := float64((n + lanes - 1) / lanes)
		if v == 1 {
			v = 1.4
		}
		return v * float64(lanes)
	}
	columns := whole(m.image.n, m.lane) * float64(m.outs)
	if m.byRow {
		columns = whole(m.image.w.out, m.lane) * float64(m.image.h.out*m.outs)
	}
	here := whole(m.outs, m.lane) * float64(m.pixels)
	speed := [...]float64{3, 60, 120}[k.t]
	sum := float64(m.batch*m.groups*m.k) / speed
	images := float64(m.batch * m.groups)
	turned := images * float64(m.size+m.outs*m.pixels) * turnCost
	copied := 0.0
	switch {
	case k.pairs:
		turned += images * float64(m.size) * turnCost // each is two
		copied = images * float64(m.size) * 2 * roundCost
	case m.laid != nil:
		copied = images * float64(m.size) * copyCost
	}
	return k.conv.cost(s) * (here*sum/vectorGain + turned) / (columns*sum + copied)
}

// scratch holds the sums of a block.
func (k convVectors) scratch(s *Sig) int64 {
	m := k.plan(s)
	if m.blocks == 0 {
		return 0
	}
	return 4 * int64((m.pixels+m.blocks-1)/m.blocks*m.panel)
}

// shared holds the images.
func (k convVectors) shared(s *Sig) int64 {
	m := k.plan(s)
	return 4 * int64(m.batch*m.groups) * int64(m.size)
}

func (k convVectors) split(s *Sig) Grid { return Grid{Tiles: k.plan(s).tiles, Phases: convPhases} }

// packSize is that of panels of weights: lines [row, column, channel] of whole vectors of output channels.
func (k convVectors) packSize(s *Sig) int64 {
	m := k.plan(s)
	return 4 * int64(m.groups*m.k) * int64(m.vectors*m.lane)
}

// panelOf gives the first vector of a panel, and how many it has. Vectors are shared out evenly,
// so panels differ by one vector at most.
func (m *panelling) panelOf(panel int) (first, n int) {
	first = panel * m.vectors / m.panels
	return first, (panel+1)*m.vectors/m.panels - first
}

// parts are the vectors of output channels of all groups.
func (k convVectors) parts(s *Sig) int {
	m := k.plan(s)
	return m.groups * m.vectors
}

// A column is a vector of output channels, of those there are n, from the first one on: the line of its first tap is at a place
// in the form, where lines have that width. at and width are elements of the packed form.
type column struct{ first, n, at, width int }

// columnOf gives a column.
func (m *panelling) columnOf(part int) column {
	group, v := part/m.vectors, part%m.vectors
	first, n := m.panelOf(((v+1)*m.panels - 1) / m.vectors)
	return column{first: group*m.outs + v*m.lane, n: min(m.lane, m.outs-v*m.lane), at: (group*m.vectors+first)*m.lane*m.k + (v-first)*m.lane,
		width: n * m.lane}
}

// pack writes a column, and zeros behind the last output channel of a group.
func (k convVectors) pack(s *Sig, elements, dst []byte, part int) {
	m := k.plan(s)
	c := m.columnOf(part)
	to := floats(dst)[c.at:]
	if c.n < m.lane {
		for line := range m.k {
			clear(to[line*c.width:][c.n:m.lane])
		}
	}
	taps := m.k / m.channels
	if k.pairs {
		for o := range c.n {
			from, to := floats(elements)[2*(c.first+o)*m.k:][:2*m.k], halves(dst)[2*(c.at+o):]
			for i := range 2 * m.channels {
				for t := range taps {
					to[2*(t*m.channels+i/2)*c.width+i%2] = tile.Rounded(from[i*taps+t])
				}
			}
		}
		return
	}
	p := tile.NewTurn()
	p.PitchX, p.Rows = uintptr(4*m.k), c.n
	if taps == 1 { // lines are neighbours
		p.Cols, p.PitchY = m.k, uintptr(4*c.width)
		p.X, p.Y = unsafe.Pointer(&floats(elements)[c.first*m.k]), unsafe.Pointer(&to[0])
		p.Run(k.t)
		return
	}
	p.Cols, p.PitchY = taps, uintptr(4*m.channels*c.width)
	for i := range m.channels {
		p.X, p.Y = unsafe.Pointer(&floats(elements)[c.first*m.k+i*taps]), unsafe.Pointer(&to[i*c.width])
		p.Run(k.t)
	}
}

// unpack reads the weights from their panels.
func (k convVectors) unpack(s *Sig, form, elements []byte) {
	m := k.plan(s)
	taps := m.k / m.channels
	from := floats(form)
	for part := range m.groups * m.vectors {
		x := m.columnOf(part)
		for o := range x.n {
			to := floats(elements)[(x.first+o)*m.k:][:m.k]
			for c := range m.channels {
				for t := range taps {
					to[c*taps+t] = from[x.at+o+(t*m.channels+c)*x.width]
				}
			}
		}
	}
}

// lay lays out the rows of some channels of images whose turn it is in the first phase. Channels
// are taken a vector at a time, since the transposition of such a strip is done in registers.
func (k convVectors) lay(c *Call, m *panelling, index int) {
	x, shared := floats(c.In[0]), floats(c.Shared)
	real := int(c.Sig.In[1].Dims[1]) // channels of a group, of which a pair may be one of m's
	each := 1
	if k.pairs {
		each = 2
	}
	strips := (real + m.lane - 1) / m.lane
	lo := min(max(m.w.before, 0), m.cols) // a border that is negative is cut off
	hi := max(min(m.cols, m.w.before+m.w.in), lo)
	total := m.batch * m.groups * strips * m.rows
	for u := index * total / m.tiles; u < (index+1)*total/m.tiles; u++ {
		row, image := u%m.rows, u/(m.rows*strips)
		ch := u / m.rows % strips * m.lane
		n := min(m.lane, real-ch)
		line := shared[image*m.size+row*m.cols*m.pixel+ch/each:]
		border := func(from, to int) {
			for i := from; i < to; i++ {
				clear(line[i*m.pixel:][:n/each])
			}
		}
		y := row - m.h.before
		if y < 0 || y >= m.h.in || lo == hi {
			border(0, m.cols)
			continue
		}
		border(0, lo)
		border(hi, m.cols)
		p := tile.NewTurn()
		p.X, p.PitchX = unsafe.Pointer(&x[((image*real+ch)*m.h.in+y)*m.w.in+lo-m.w.before]), uintptr(4*m.h.in*m.w.in)
		p.Y, p.PitchY = unsafe.Pointer(&line[lo*m.pixel]), uintptr(4*m.pixel)
		p.Rows, p.Cols = n, hi-lo
		if k.pairs {
			p.RunHalves()
		} else {
			p.Run(k.t)
		}
	}
}

// The sums of a block of pixels are complete in scratch memory, [pixel, channel], and are
// transposed to [channel, pixel] with bounds and residual on the way.
func (k convVectors) run(c *Call, worker, index int) {
	m := c.State.(*panelling)
	if index < m.tiles {
		k.lay(c, m, index)
		return
	}
	index -= m.tiles
	image, index := index/(m.panels*m.blocks), index%(m.panels*m.blocks)
	panel, block := index%m.panels, index/m.panels
	if m.outer {
		panel, block = index/m.blocks, index%m.blocks
	}
	group := image % m.groups
	vector, width := m.panelOf(panel)
	first, end := block*m.pixels/m.blocks, (block+1)*m.pixels/m.blocks
	width *= m.lane
	out := group*m.outs + vector*m.lane // the first channel
	cols := min(width, m.outs-vector*m.lane)
	own := floats(c.Scratch[worker])
	k.multiply(c, m, own, image*m.size, group, vector, width, first, end)
	base := (image/m.groups*m.groups*m.outs + out) * m.pixels
	y := floats(c.Out[0])[base:]
	p := tile.Turn{PitchX: uintptr(4 * m.panel), Cols: cols, PitchY: uintptr(4 * m.pixels), Lo: m.lo, Hi: m.hi}
	for at := first; at < end; at += m.lane {
		p.X, p.Y, p.Rows = unsafe.Pointer(&own[(at-first)*m.panel]), unsafe.Pointer(&y[at]), min(m.lane, end-at)
		if m.residual {
			p.Res = unsafe.Pointer(&floats(c.In[3])[base+at])
		}
		p.Run(k.t)
	}
}

// multiply writes the sums of a block of pixels and a panel, with the bias. Weights of the taps
// that follow are prefetched while the last block of an image is computed; other blocks find them
// in the cache.
func (k convVectors) multiply(c *Call, m *panelling, own []float32, image, group, vector, width, first, end int) {
	x, weights := floats(c.Shared)[image:], floats(c.Packed[0])[(group*m.vectors+vector)*m.lane*m.k:]
	p := tile.Product{LDC: uintptr(4 * m.panel), K: m.inner, Lo: float32(math.Inf(-1)), Hi: float32(math.Inf(1))}
	if m.bias {
		p.Bias = unsafe.Pointer(&floats(c.In[2])[group*m.outs+vector*m.lane])
	}
	cols := min(width, m.outs-vector*m.lane)
	place := func(pixel int) int {
		return (pixel/m.w.out*m.h.stride*m.cols + pixel%m.w.out*m.w.stride) * m.channels
	}
	step := max(1, maxK/m.inner) // taps of a call
	taps := m.taps[width/m.lane]
	p.B = unsafe.Pointer(&weights[0])
	for t0 := 0; t0 < len(taps); t0 += step {
		p.Taps, p.NTaps, p.Flags = &taps[t0], min(step, len(taps)-t0), 0
		if t0 > 0 {
			p.Flags |= tile.Accumulate
		}
		if t0+step < len(taps) {
			p.Flags |= tile.Partial
		}
		part, next := p.NTaps*m.inner*tile.Fetched/16, (t0+p.NTaps)*m.inner*width
		stop := min(next+p.NTaps*m.inner*width, len(weights))
		if end < m.pixels {
			stop = 0 // the next block has the same weights
		}
		eachRows(first, end-first, func(pixel, n int) {
			at := place(pixel)
			for i := range n - 1 {
				p.Rows[i] = uintptr(4 * (place(pixel+i+1) - at))
			}
			p.A, p.C = unsafe.Pointer(&x[at]), unsafe.Pointer(&own[(pixel-first)*m.panel])
			if p.Next, p.NextStep = p.A, 0; next < stop { // weights of the next taps, or panel
				p.Next, p.NextStep = unsafe.Pointer(&weights[next]), tile.Fetched
				next += part
			}
			if k.pairs {
				p.RunScatteredPairs(n, cols)
			} else {
				p.RunScattered(k.t, n, cols)
			}
		})
	}
}

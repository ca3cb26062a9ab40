package kernel

// This file computes convolutions of one to three spatial axes as products: the weights' rows
// times columns of pixels. The chain runs over kernel row, kernel column and channel. First all planes are laid out
// with their border, so that what a panel of neighbouring pixels sees at one place of the kernel is one piece of
// memory in each channel: the product reads it there. A panel is a part of a row of the result, or goes on over the border to
// the next row, where that needs fewer vectors: the pixels between the rows are then computed as well, and dropped. A volume is
// slices of such planes, each of the result's with taps in several.

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// convolutions lists the entries for convolutions.
func convolutions(t Tier) []*Entry {
	var out []*Entry
	for _, op := range []isa.Op{isa.Conv, isa.Lookup("", "Conv")} {
		k := conv{t: t, f: tile.RowsOf(t), volumes: true}
		out = append(out, k.entry(op, op.String()+".f32.columns"))
	}
	return out
}

type conv struct {
	t     Tier
	f     tile.Rows
	pairs bool // it computes in bf16: two channels are one, of elements that are pairs
	// volumes says that it takes three spatial axes.
	volumes bool
}

func (k conv) entry(op isa.Op, name string) *Entry {
	return &Entry{Op: op, Name: name, Match: k.match, Shape: k.shape, Cost: k.cost, Scratch: k.scratch, Shared: k.shared, Split: k.split,
		Packs: []*Pack{{Operand: 1, Form: "f32.ohwi", Size: k.packSize, Parts: func(s *Sig) int { return int(s.In[1].Dims[0]) },
			Write: k.pack, Read: k.unpack}},
		Prepare: k.prepare, Run: k.run,
		InPlace: func(s *Sig, operand int) bool { // else partial sums would be stored over it
			m, err := k.plan(s)
			return err == nil && operand == 3 && (m.k <= maxChain || !m.dense())
		}}
}

const (
	// maxChain bounds the chain of one call of a tile to some 100 µs, as far as a kernel's place has no more channels.
	maxChain = 1 << 14
	// convPhases is the number of phases when planes are laid out.
	convPhases = 2
)

// Of the first cache it is enough to know that elements which lie a multiple of page apart compete for ways places.
const (
	line = 16   // elements
	page = 1024 // elements
	ways = 8
)

// convWork is the multiply-adds of a tile of the grid, up to 400 µs, so that weights are read often while they are near. Each
// call of assembly in it is far below 100 µs.
var convWork = [...]int{Portable: 1 << 20, AVX2: 20 << 20, AVX512: 20 << 20}

// nearCaches is what the second cache of no processor holds: results of convolutions that go with more are fetched before they are written.
const nearCaches = 2 << 20

// largestBorder is up to how many elements a channel may have with its border, however few it has itself.
const largestBorder = 1 << 22

// shares is the number of tiles that threads can share well.
const shares = 24

// A window is one spatial axis. in and out are elements of the axis, before and after its
// padding; out = (in + before + after - (kernel-1)·dilation - 1)/stride + 1, rounded down.
type window struct {
	in, out, kernel, stride, dilation, before, after int
}

// plain reports whether one element makes one.
func (d window) plain() bool {
	return d.kernel == 1 && d.stride == 1 && d.before == 0 && d.after == 0
}

// reach is the elements of the bordered image, as far as windows go. It may be less than the
// padded image, when the last elements are in no window.
func (d window) reach() int { return max(d.out-1, 0)*d.stride + (d.kernel-1)*d.dilation + 1 }

// An image is one signature. Distances are in elements. When laid is not nil the image is first
// copied to planes (see plane.go), in which each tap of the kernel reads one run of memory at a
// fixed offset, for strides and dilations alike; then pitch may be larger than a row of the
// result, and the pixels between are computed and dropped.
type image struct {
	batch, groups, channels, outs int        // channels and outs are those of a group
	d, h, w                       window     // d is along the slices of a volume
	k, pixels, panel, panels      int        // pixels are those of a slice of the result
	slice, slices                 int        // the distance of slices, and how many of a channel are laid out
	rows, rowTiles                int        // of output channels
	laid                          *plane     // how planes lie; nil: as they are
	channel                       int        // the distance of channels
	taps                          []tile.Tap // where weights and pixels of the kernel's places are
	n, pitch                      int        // pixels that are computed, and those of a row
	byRow                         bool       // panels are parts of rows
	tiles                         int
	lo, hi                        float32
	bias, residual                bool
}

// attrOr gives element i of a list, or def when the list is not written.
func attrOr(list []int64, i int, def int64) int64 {
	if i < len(list) {
		return list[i]
	}
	return def
}

// A convKey is the key of what convolutions read of a signature. Several kinds of convolution
// read the same signature, each with its own form of the analysis.
type convKey struct {
	t              Tier
	form           convForm
	pairs, volumes bool
}

type convForm uint8

const (
	asImage convForm = iota
	asPanels
	asTiles
	asRows
	asPlanes
	asBlocks
)

func (k conv) key(form convForm) convKey { return convKey{k.t, form, k.pairs, k.volumes} }

// plan reads the signature. The image must not be changed.
func (k conv) plan(s *Sig) (*image, error) {
	type planned struct {
		*image
		err error
	}
	p := read(s, k.key(asImage), func() planned {
		m, err := k.image(s)
		return planned{m, err}
	})
	return p.image, p.err
}

// image checks a convolution and lays out its work. Image and weights have equal ranks with one or two
// spatial axes (three where the kernel takes volumes), channels that suit the groups, explicit padding,
// and kernels that fit the padded image. Images that are padded, strided or dilated are laid out as
// planes, which must not be too large. Its errors only say that this kernel does not compute the
// signature; whether the convolution is wrong is the reference's to report. With pairs two
// channels are one element, of bf16. A panel by rows (byRow) is chosen where the rows fill whole
// vectors nearly as well as the pixels in a sequence do (at most 5 % more), because then nothing
// is dropped.
//
// The distance of channels is made an odd number of cache lines: a power of two would have all
// channels of a pixel in one set of the first cache.
func (k conv) image(s *Sig) (*image, error) {
	if len(s.In) < 2 {
		return nil, errors.New("a convolution needs an image and weights")
	}
	x, w := s.In[0].Dims, s.In[1].Dims
	spatial := len(x) - 2
	if spatial < 1 || spatial > 2 && !(spatial == 3 && k.volumes) || len(w) != len(x) {
		return nil, fmt.Errorf("an image of %d and weights of %d dimensions are not computed here", len(x), len(w))
	}
	groups := s.Inst.Int("groups", s.Inst.Int("group", 1))
	if groups < 1 || x[1] != w[1]*groups || w[0]%groups != 0 {
		return nil, fmt.Errorf("%d channels in %d groups do not suit weights %v", x[1], groups, w)
	}
	if auto := s.Inst.Str("auto_pad", "NOTSET"); auto != "NOTSET" && auto != "VALID" {
		return nil, errors.New("padding that depends on sizes is not computed here")
	}
	m := &image{batch: int(x[0]), groups: int(groups), channels: int(w[1]), outs: int(w[0] / groups), panel: tile.Panel(k.t),
		bias: !s.Opt(2).Absent, residual: !s.Opt(3).Absent}
	m.h = window{1, 1, 1, 1, 1, 0, 0}
	m.d = m.h
	strides, dilations, pads := s.Inst.Ints("strides"), s.Inst.Ints("dilations"), s.Inst.Ints("pads")
	for i := range spatial {
		d := window{in: int(x[2+i]), kernel: int(w[2+i]), stride: int(attrOr(strides, i, 1)), dilation: int(attrOr(dilations, i, 1)),
			before: int(attrOr(pads, i, 0)), after: int(attrOr(pads, spatial+i, 0))}
		if d.kernel < 1 || d.stride < 1 || d.dilation < 1 || d.kernel > isa.MaxTaps || d.dilation > isa.MaxTaps || d.stride > isa.MaxTaps {
			return nil, errors.New("a kernel, stride or dilation is not positive")
		}
		room := d.in + d.before + d.after - (d.kernel-1)*d.dilation - 1
		if room < 0 {
			return nil, fmt.Errorf("the kernel of %d, dilated by %d, is larger than the padded image of %d", d.kernel, d.dilation,
				d.in+d.before+d.after)
		}
		d.out = room/d.stride + 1
		switch spatial - i {
		case 1:
			m.w = d
		case 2:
			m.h = d
		default:
			m.d = d
		}
	}
	if k.pairs {
		m.channels = (m.channels + 1) / 2
	}
	m.k, m.pixels = m.channels*m.d.kernel*m.h.kernel*m.w.kernel, m.h.out*m.w.out
	m.lo, m.hi = bounds(s)
	m.n, m.pitch, m.slice, m.slices = m.pixels, m.w.out, m.h.in*m.w.in, m.d.in
	m.channel = m.slice * m.slices
	if !m.d.plain() || !m.h.plain() || !m.w.plain() || m.crowded() || k.pairs {
		var ok bool
		if m.laid, ok = newPlane(m.h, m.w); !ok {
			return nil, errors.New("the planes are large")
		}
		m.n, m.pitch = m.laid.n, m.laid.pitch
		m.slice, m.slices = m.laid.size, m.d.reach()
		if m.slices > max(largestBorder, 8*m.channel)/max(m.slice, 1) || m.d.kernel > 1<<12 {
			return nil, errors.New("the planes are large")
		}
		m.channel = (m.slice*m.slices+line-1)/line*line | line
	}
	flat := m.h.kernel * m.w.kernel
	for tap := range m.d.kernel * flat {
		at := tile.Tap{A: uintptr(4 * tap * m.channels)}
		if m.laid != nil && m.n > 0 {
			at.B = uintptr(4*(tap/flat*m.d.dilation*m.slice)) + m.laid.offs[tap%flat]
		}
		m.taps = append(m.taps, at)
	}
	m.panels = (m.n + m.panel - 1) / m.panel
	lanes := tile.Lanes(k.t)
	if byRow := (m.w.out + lanes - 1) / lanes * m.h.out; m.pitch != m.w.out && m.w.out >= m.panel/2 && byRow <= (m.n+lanes-1)/lanes*21/20 {
		m.byRow, m.panels = true, m.h.out*((m.w.out+m.panel-1)/m.panel)
	}
	m.cutRows(k.t)
	m.tiles = m.batch * m.groups * m.d.out * m.panels * m.rowTiles
	return m, nil
}

// cutRows cuts the output channels into blocks of about the same size: as many as one tile can have, but into fewer
// where there would be less than shares tiles, so that threads end at about the same time. The
// number of channels of a tile is a multiple of tile.MaxRows, so that only the last block has a
// rest.
func (m *image) cutRows(t Tier) {
	most := max(convWork[t]/max(m.k*m.panel, 1), 4*tile.MaxRows)
	all := m.batch * m.groups * m.d.out * m.panels
	blocks := max((m.outs+most-1)/most, min((shares+all-1)/max(all, 1), m.outs/(4*tile.MaxRows)), 1)
	m.rows = max((m.outs+blocks-1)/blocks+tile.MaxRows-1, tile.MaxRows) / tile.MaxRows * tile.MaxRows
	m.rowTiles = (m.outs + m.rows - 1) / m.rows
}

func (k conv) shape(s *Sig) ([][]int64, error) {
	m, err := k.plan(s)
	if err != nil {
		return nil, err
	}
	out := []int64{int64(m.d.out), int64(m.h.out), int64(m.w.out)}
	return [][]int64{append([]int64{int64(m.batch), int64(m.outs * m.groups)}, out[5-len(s.In[0].Dims):]...)}, nil
}

func (k conv) match(s *Sig) bool { return allPlain(s, tensor.Float32) && k.suits(s) }

// suits reports whether the sizes are those of a convolution with constant weights.
func (k conv) suits(s *Sig) bool {
	m, err := k.plan(s)
	if err != nil || s.In[1].Const == nil || m.k == 0 {
		return false
	}
	return (!m.bias || sameDims(s.In[2].Dims, s.In[1].Dims[:1])) && (!m.residual || sameDims(s.In[3].Dims, s.Out[0].Dims))
}

// The constants are multiply-adds in a nanosecond, measured for each tier; output channels are
// counted in whole blocks of rows, as the rest of a block costs as much. The last term is for
// reading the columns.
func (k conv) cost(s *Sig) float64 {
	m, err := k.plan(s)
	if err != nil {
		return math.Inf(1)
	}
	columns := float64(m.batch*m.groups*m.d.out*m.pixels) * float64(m.k)
	rows := float64((m.outs + tile.MaxRows - 1) / tile.MaxRows * tile.MaxRows)
	cost := 500 + columns*rows/[...]float64{0.7, 40, 45}[k.t]
	return cost + columns/10
}

func (k conv) prepare(s *Sig) any {
	m, _ := k.plan(s) // match has seen that there is none
	return m
}

// scratch holds, where pixels are dropped, the sums and the residual of a tile, and in the first phase what laying planes out needs.
func (k conv) scratch(s *Sig) int64 {
	m, _ := k.plan(s)
	if m == nil {
		return 0
	}
	n := 0
	if !m.dense() {
		n = (min(m.rows, m.outs) + tile.MaxRows) * m.panel
	}
	if m.laid != nil {
		laid := m.laid.temp()
		if k.pairs {
			laid = k.pairTemp(m, int(s.In[1].Dims[1]))
		}
		n = max(n, laid)
	}
	return 4 * int64(n)
}

// shared holds the planes.
func (k conv) shared(s *Sig) int64 {
	m, _ := k.plan(s)
	if m == nil || m.laid == nil {
		return 0
	}
	return 4 * int64(m.batch*m.groups*m.channels) * int64(m.channel)
}

// crowded reports whether the same pixel of most channels has the same place in the first cache.
// Half a page is the distance at which addresses fall into the same few sets of a first cache of
// 8 ways; with more channels than twice the ways they push each other out. It does not matter
// where few rows use each column.
func (m *image) crowded() bool {
	return m.channel%(page/2) == 0 && m.channels > 2*ways && m.outs > tile.MaxRows
}

// dense reports whether all pixels that are computed are the result's.
func (m *image) dense() bool { return m.byRow || m.pitch == m.w.out }

func (k conv) split(s *Sig) Grid {
	m, _ := k.plan(s)
	if m.laid == nil {
		return Grid{Tiles: m.tiles}
	}
	return Grid{Tiles: m.tiles, Phases: convPhases}
}

// packSize is that of the weights with their channels last; 0 when one pixel makes one pixel.
// Kernels of 1 have their channels last already and need no copy.
func (k conv) packSize(s *Sig) int64 {
	w := &s.In[1]
	if k.pairs {
		m, _ := k.plan(s)
		return 4 * w.Dims[0] * int64(m.k)
	}
	if !slices.ContainsFunc(w.Dims[2:], func(d int64) bool { return d != 1 }) {
		return 0
	}
	return 4 * w.Len()
}

// pack brings the weights [channel, row, column] of an output channel into the order [row, column, channel].
func (k conv) pack(s *Sig, elems, dst []byte, o int) {
	c := int(s.In[1].Dims[1])
	size := int(s.In[1].Len() / s.In[1].Dims[0])
	taps := size / max(c, 1)
	from, to := floats(elems)[o*size:][:size], floats(dst)[o*size:][:size]
	for t := range taps {
		for i := range c {
			to[t*c+i] = from[i*taps+t]
		}
	}
}

// unpack brings the weights back.
func (k conv) unpack(s *Sig, form, elems []byte) {
	w := s.In[1].Dims
	c := int(w[1])
	size := int(s.In[1].Len() / max(w[0], 1))
	taps := size / max(c, 1)
	from, to := floats(form), floats(elems)
	for o := range int(w[0]) {
		for t := range taps {
			for i := range c {
				to[o*size+i*taps+t] = from[o*size+t*c+i]
			}
		}
	}
}

// planesOf lays the planes out whose turn it is in the first phase. Slices in the border are zero.
func (k conv) planesOf(c *Call, m *image, worker, index int) {
	if k.pairs {
		k.pairsOf(c, m, worker, index)
		return
	}
	total, size := m.batch*m.groups*m.channels*m.slices, m.h.in*m.w.in
	for p := index * total / m.tiles; p < (index+1)*total/m.tiles; p++ {
		channel, z := p/m.slices, p%m.slices-m.d.before
		to := floats(c.Shared)[channel*m.channel+p%m.slices*m.slice:][:m.slice]
		if z < 0 || z >= m.d.in {
			clear(to)
			continue
		}
		m.laid.lay(k.t, k.f, floats(c.In[0])[(channel*m.d.in+z)*size:][:size], to, floats(c.Scratch[worker]), 0)
	}
}

// pixelsOf gives the pixels of a panel: where the first one is in a channel and in a channel of the result, and how many they are.
func (m *image) pixelsOf(panel int) (first, at, cols int) {
	if !m.byRow {
		first = panel * m.panel
		return first, first, min(m.panel, m.n-first)
	}
	perRow := m.panels / m.h.out
	y, x := panel/perRow, panel%perRow*m.panel
	return y*m.pitch + x, y*m.w.out + x, min(m.panel, m.w.out-x)
}

// run computes one tile: the first ones lay out planes, where needed; the others multiply a block of
// output channels with a panel of pixels, tap by tap in sections of at most maxChain products. Where a
// panel has gaps, results go through scratch memory and are copied from there in runs.
func (k conv) run(c *Call, worker, index int) {
	m := c.State.(*image)
	x := floats(c.In[0])
	if m.laid != nil {
		if index < m.tiles {
			k.planesOf(c, m, worker, index)
			return
		}
		index -= m.tiles
		x = floats(c.Shared)
	}
	block, index := index%m.rowTiles, index/m.rowTiles
	first, at, cols := m.pixelsOf(index % m.panels)
	index /= m.panels
	depth, index := index%m.d.out, index/m.d.out
	group, n := index%m.groups, index/m.groups
	rows := min(m.rows, m.outs-block*m.rows)
	whole := m.d.out * m.pixels
	base := ((n*m.groups+group)*m.outs+block*m.rows)*whole + depth*m.pixels
	weights := floats(c.In[1])
	if len(c.Packed[0]) > 0 {
		weights = floats(c.Packed[0])
	}
	weights = weights[(group*m.outs+block*m.rows)*m.k:]
	p := tile.Product{LDA: uintptr(4 * m.k), LDB: uintptr(4 * m.channel),
		B: unsafe.Pointer(&x[(n*m.groups+group)*m.channels*m.channel+depth*m.d.stride*m.slice+first]), K: m.channels, Lo: m.lo, Hi: m.hi}
	out, pitch := floats(c.Out[0])[base:], whole
	var own, residual []float32
	if m.residual {
		residual = floats(c.In[3])[base:]
	}
	var runs []run
	if !m.dense() {
		var list [64]run
		runs = m.runs(list[:0], first, cols)
		own = floats(c.Scratch[worker])
		out, pitch, at = own, m.panel, 0
		own = own[min(m.rows, m.outs)*m.panel:]
	}
	p.LDC, p.LDR = uintptr(4*pitch), uintptr(4*pitch)
	fetch := uint64(0)
	if m.dense() && len(c.In[0])+len(c.Out[0]) >= nearCaches {
		fetch = tile.Fetch
	}
	step := max(1, maxChain/m.channels) // taps of a call
	for t0 := 0; t0 < len(m.taps); t0 += step {
		p.Taps, p.NTaps = &m.taps[t0], min(step, len(m.taps)-t0)
		p.Flags = fetch
		if t0 > 0 {
			p.Flags |= tile.Accumulate
		}
		last := t0+p.NTaps == len(m.taps)
		if !last {
			p.Flags |= tile.Partial
		}
		tiles := (rows + tile.MaxRows - 1) / tile.MaxRows
		for t := range tiles {
			r, end := t*rows/tiles, (t+1)*rows/tiles
			p.A, p.C = unsafe.Pointer(&weights[r*m.k]), unsafe.Pointer(&out[r*pitch+at])
			if m.bias {
				p.RowBias = unsafe.Pointer(&floats(c.In[2])[group*m.outs+block*m.rows+r])
			}
			switch {
			case !m.residual || !last:
			case m.dense():
				p.Res = unsafe.Pointer(&residual[r*whole+at])
			default:
				for i := range end - r {
					for _, z := range runs {
						copy(own[i*m.panel+z.from:i*m.panel+z.from+z.n], residual[(r+i)*whole+z.to:])
					}
				}
				p.Res = unsafe.Pointer(&own[0])
			}
			if k.pairs {
				p.RunPairs(end-r, cols)
			} else {
				p.Run(k.t, end-r, cols)
			}
			if last {
				for i := r; i < end; i++ {
					for _, z := range runs {
						copy(floats(c.Out[0])[base+i*whole+z.to:][:z.n], out[i*pitch+z.from:])
					}
				}
			}
		}
	}
}

// A run is a piece of a panel that is a piece of a row of the result. from is in the panel, to in
// the channel of the result, n the pixels.
type run struct{ from, to, n int }

// runs lists those of the computed pixels from first on. A panel that begins or ends within a gap
// has no run there.
func (m *image) runs(list []run, first, cols int) []run {
	for j := first; j < first+cols; {
		y, x := j/m.pitch, j%m.pitch
		if x < m.w.out {
			n := min(m.w.out-x, first+cols-j)
			list = append(list, run{j - first, y*m.w.out + x, n})
		}
		j += m.pitch - x
	}
	return list
}

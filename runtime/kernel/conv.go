package kernel

// This file computes convolutions of one and two spatial axes as products: the weights' rows
// times columns of pixels. The chain runs over kernel row, kernel column and channel. First all planes are laid out
// with their border, so that what a panel of neighbouring pixels sees at one place of the kernel is one piece of
// memory; the columns of a panel are then copies of such pieces. Pixels between the rows of the result are
// computed as well and dropped.

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
		k := conv{t, tile.RowsOf(t)}
		out = append(out, &Entry{Op: op, Name: op.String() + ".f32.columns", Match: k.match, Shape: k.shape, Cost: k.cost, Scratch: k.scratch, Shared: k.shared, Split: k.split,
			Packs: []*Pack{{Operand: 1, Form: "f32.ohwi", Size: k.packSize, Parts: func(s *Sig) int { return int(s.In[1].Dims[0]) }, Write: k.pack}}, Prepare: k.prepare, Run: k.run,
			InPlace: func(s *Sig, operand int) bool { // else partial sums would be stored over it
				m, err := k.plan(s)
				return err == nil && operand == 3 && (m.k <= maxColumns || !m.dense())
			}})
	}
	return out
}

type conv struct {
	t Tier
	f tile.Rows
}

const (
	// maxColumns bounds the rows of gathered columns, so that these stay in L2.
	maxColumns = 1024
	// convPhases is the number of phases when planes are laid out.
	convPhases = 2
)

// convWork is the multiply-adds of a tile of the grid, about 400 µs: what a tile copies must be worth
// it. Each call of assembly in it is far below 100 µs.
var convWork = [...]int{Portable: 1 << 20, AVX2: 20 << 20, AVX512: 20 << 20}

// A window is one spatial axis.
type window struct {
	in, out, kernel, stride, dilation, before, after int
}

// An image is one signature.
type image struct {
	batch, groups, channels, outs int // channels and outs are those of a group
	h, w                          window
	k, pixels, panel, panels      int
	rows, rowTiles                int // of output channels
	direct                        bool
	laid                          *plane // how planes lie; nil when direct
	n, pitch                      int    // pixels that are computed, and those of a row
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

// plan reads the signature.
func (k conv) plan(s *Sig) (*image, error) {
	if len(s.In) < 2 {
		return nil, errors.New("a convolution needs an image and weights")
	}
	x, w := s.In[0].Dims, s.In[1].Dims
	spatial := len(x) - 2
	if spatial < 1 || spatial > 2 || len(w) != len(x) {
		return nil, fmt.Errorf("an image of %d and weights of %d dimensions are not computed here", len(x), len(w))
	}
	groups := s.Inst.Int("groups", s.Inst.Int("group", 1))
	if groups < 1 || x[1] != w[1]*groups || w[0]%groups != 0 {
		return nil, fmt.Errorf("%d channels in %d groups do not suit weights %v", x[1], groups, w)
	}
	if auto := s.Inst.Str("auto_pad", "NOTSET"); auto != "NOTSET" && auto != "VALID" {
		return nil, errors.New("padding that depends on sizes is not computed here")
	}
	m := &image{batch: int(x[0]), groups: int(groups), channels: int(w[1]), outs: int(w[0] / groups), panel: tile.Panel(k.t), bias: !s.Opt(2).Absent, residual: !s.Opt(3).Absent}
	m.h = window{1, 1, 1, 1, 1, 0, 0}
	strides, dilations, pads := s.Inst.Ints("strides"), s.Inst.Ints("dilations"), s.Inst.Ints("pads")
	for i := range spatial {
		d := window{in: int(x[2+i]), kernel: int(w[2+i]), stride: int(attrOr(strides, i, 1)), dilation: int(attrOr(dilations, i, 1)),
			before: int(attrOr(pads, i, 0)), after: int(attrOr(pads, spatial+i, 0))}
		if d.kernel < 1 || d.stride < 1 || d.dilation < 1 || d.kernel > isa.MaxTaps || d.dilation > isa.MaxTaps || d.stride > isa.MaxTaps {
			return nil, errors.New("a kernel, stride or dilation is not positive")
		}
		room := d.in + d.before + d.after - (d.kernel-1)*d.dilation - 1
		if room < 0 {
			return nil, fmt.Errorf("the kernel of %d, dilated by %d, is larger than the padded image of %d", d.kernel, d.dilation, d.in+d.before+d.after)
		}
		if d.out = room/d.stride + 1; i == spatial-1 {
			m.w = d
		} else {
			m.h = d
		}
	}
	m.k, m.pixels = m.channels*m.h.kernel*m.w.kernel, m.h.out*m.w.out
	m.rows = max(convWork[k.t]/max(m.k*m.panel, 1), 4*tile.MaxRows)
	m.rowTiles = (m.outs + m.rows - 1) / m.rows
	unit := func(d window) bool { return d.kernel == 1 && d.stride == 1 && d.before == 0 && d.after == 0 }
	m.direct = unit(m.h) && unit(m.w)
	m.lo, m.hi = bounds(s)
	m.n, m.pitch = m.pixels, m.w.out
	if !m.direct {
		var ok bool
		if m.laid, ok = newPlane(m.h, m.w); !ok {
			return nil, errors.New("the planes are large")
		}
		m.n, m.pitch = m.laid.n, m.laid.pitch
	}
	m.panels = (m.n + m.panel - 1) / m.panel
	m.tiles = m.batch * m.groups * m.panels * m.rowTiles
	return m, nil
}

func (k conv) shape(s *Sig) ([][]int64, error) {
	m, err := k.plan(s)
	if err != nil {
		return nil, err
	}
	out := []int64{int64(m.batch), int64(m.outs * m.groups), int64(m.h.out), int64(m.w.out)}
	if len(s.In[0].Dims) == 3 {
		out = []int64{out[0], out[1], out[3]}
	}
	return [][]int64{out}, nil
}

func (k conv) match(s *Sig) bool {
	m, err := k.plan(s)
	if err != nil || !allPlain(s, tensor.Float32) || s.In[1].Const == nil || m.k == 0 {
		return false
	}
	return (!m.bias || sameDims(s.In[2].Dims, s.In[1].Dims[:1])) && (!m.residual || sameDims(s.In[3].Dims, s.Out[0].Dims))
}

func (k conv) cost(s *Sig) float64 {
	m, err := k.plan(s)
	if err != nil {
		return math.Inf(1)
	}
	columns := float64(m.batch*m.groups*m.pixels) * float64(m.k)
	rows := float64((m.outs + tile.MaxRows - 1) / tile.MaxRows * tile.MaxRows)
	cost := 500 + columns*rows/[...]float64{0.7, 40, 45}[k.t]
	return cost + columns/10
}

func (k conv) prepare(s *Sig) any {
	m, _ := k.plan(s) // match has seen that there is none
	return m
}

// scratch holds the columns, and where pixels are dropped the sums and the residual of a tile.
func (k conv) scratch(s *Sig) int64 {
	m, _ := k.plan(s)
	if m == nil {
		return 0
	}
	n := min(m.k, maxColumns)
	if !m.dense() {
		n += min(m.rows, m.outs) + tile.MaxRows
	}
	n *= m.panel
	if !m.direct {
		n = max(n, m.laid.temp())
	}
	return 4 * int64(n)
}

// shared holds the planes.
func (k conv) shared(s *Sig) int64 {
	m, _ := k.plan(s)
	if m == nil || m.direct {
		return 0
	}
	return 4 * int64(m.batch*m.groups*m.channels) * int64(m.laid.size)
}

// dense reports whether all pixels that are computed are the result's.
func (m *image) dense() bool { return m.pitch == m.w.out }

func (k conv) split(s *Sig) Grid {
	m, _ := k.plan(s)
	if m.direct {
		return Grid{Tiles: m.tiles}
	}
	return Grid{Tiles: m.tiles, Phases: convPhases}
}

// packSize is that of the weights with their channels last; 0 when one pixel makes one pixel.
func (k conv) packSize(s *Sig) int64 {
	w := &s.In[1]
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

// planesOf lays the planes out whose turn it is in the first phase.
func (k conv) planesOf(c *Call, m *image, worker, index int) {
	total, size := m.batch*m.groups*m.channels, m.h.in*m.w.in
	for p := index * total / m.tiles; p < (index+1)*total/m.tiles; p++ {
		m.laid.lay(k.t, k.f, floats(c.In[0])[p*size:(p+1)*size], floats(c.Shared)[p*m.laid.size:(p+1)*m.laid.size], floats(c.Scratch[worker]), 0)
	}
}

func (k conv) run(c *Call, worker, index int) {
	m := c.State.(*image)
	if !m.direct {
		if index < m.tiles {
			k.planesOf(c, m, worker, index)
			return
		}
		index -= m.tiles
	}
	block, index := index%m.rowTiles, index/m.rowTiles
	first, index := index%m.panels*m.panel, index/m.panels
	group, n := index%m.groups, index/m.groups
	cols, rows := min(m.panel, m.n-first), min(m.rows, m.outs-block*m.rows)
	x, size := floats(c.In[0]), m.h.in*m.w.in
	if !m.direct {
		x, size = floats(c.Shared), m.laid.size
	}
	x = x[(n*m.groups+group)*m.channels*size:]
	base := ((n*m.groups+group)*m.outs + block*m.rows) * m.pixels
	own := floats(c.Scratch[worker])
	columns, own := own[:min(m.k, maxColumns)*m.panel], own[min(m.k, maxColumns)*m.panel:]
	weights := floats(c.In[1])
	if len(c.Packed[0]) > 0 {
		weights = floats(c.Packed[0])
	}
	weights = weights[(group*m.outs+block*m.rows)*m.k:]
	p := tile.Product{LDA: uintptr(4 * m.k), LDB: uintptr(4 * m.panel), B: unsafe.Pointer(&columns[0]), Lo: m.lo, Hi: m.hi}
	p.Taps, p.NTaps = tile.PlainTaps()
	out, pitch := floats(c.Out[0])[base:], m.pixels
	at := first
	var runs []run
	var residual []float32
	if m.residual {
		residual = floats(c.In[3])[base:]
	}
	if !m.dense() {
		var list [64]run
		runs = m.runs(list[:0], first, cols)
		out, pitch, at = own, m.panel, 0
		own = own[min(m.rows, m.outs)*m.panel:]
	}
	p.LDC, p.LDR = uintptr(4*pitch), uintptr(4*pitch)
	for k0 := 0; k0 < m.k; k0 += maxColumns {
		p.K = min(maxColumns, m.k-k0)
		p.Flags = 0
		if k0 > 0 {
			p.Flags |= tile.Accumulate
		}
		last := k0+p.K == m.k
		if !last {
			p.Flags |= tile.Partial
		}
		k.columns(m, x, columns, k0, p.K, first, cols, size)
		tiles := (rows + tile.MaxRows - 1) / tile.MaxRows
		for t := range tiles {
			r, end := t*rows/tiles, (t+1)*rows/tiles
			p.A, p.C = unsafe.Pointer(&weights[r*m.k+k0]), unsafe.Pointer(&out[r*pitch+at])
			if m.bias {
				p.RowBias = unsafe.Pointer(&floats(c.In[2])[group*m.outs+block*m.rows+r])
			}
			switch {
			case !m.residual || !last:
			case m.dense():
				p.Res = unsafe.Pointer(&residual[r*m.pixels+first])
			default:
				for i := range end - r {
					for _, z := range runs {
						copy(own[i*m.panel+z.from:i*m.panel+z.from+z.n], residual[(r+i)*m.pixels+z.to:])
					}
				}
				p.Res = unsafe.Pointer(&own[0])
			}
			p.Run(k.t, end-r, cols)
			if last {
				for i := r; i < end; i++ {
					for _, z := range runs {
						copy(floats(c.Out[0])[base+i*m.pixels+z.to:][:z.n], out[i*pitch+z.from:])
					}
				}
			}
		}
	}
}

// A run is a piece of a panel that is a piece of a row of the result.
type run struct{ from, to, n int }

// runs lists those of the computed pixels from first on.
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

// columns writes rows k0 to k0+n of what the pixels from first on see: at one kernel row, column and channel.
func (k conv) columns(m *image, x, columns []float32, k0, n, first, cols, size int) {
	rec := tile.Columns{PitchX: uintptr(4 * size), PitchY: uintptr(4 * m.panel)}
	for i := 0; i < n; i += rec.Rows {
		ch, tap := (k0+i)%m.channels, (k0+i)/m.channels
		from := ch*size + first
		if !m.direct {
			from += int(m.laid.offs[tap] / 4)
		}
		rec.Rows = min(m.channels-ch, n-i)
		rec.X, rec.Y = unsafe.Pointer(&x[from]), unsafe.Pointer(&columns[i*m.panel])
		rec.Run(k.t, cols)
	}
}

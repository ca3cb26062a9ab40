package kernel

// This file computes convolutions of one and two spatial axes as products: the weights' rows
// times columns that are gathered from the image for each panel of pixels. The chain runs over
// kernel row, kernel column and channel.

import (
	"errors"
	"fmt"
	"math"
	"unsafe"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// convolutions lists the entries for convolutions.
func convolutions(t Tier) []*Entry {
	var out []*Entry
	for _, op := range []isa.Op{isa.Conv, isa.Lookup("", "Conv")} {
		k := conv{t}
		out = append(out, &Entry{Op: op, Name: op.String() + ".f32.columns", Match: k.match, Shape: k.shape, Cost: k.cost, Scratch: k.scratch, Split: k.split,
			Packs: []*Pack{{Operand: 1, Form: "f32.ohwi", Size: func(s *Sig) int64 { return 4 * s.In[1].Len() }, Write: k.pack}}, Prepare: k.prepare, Run: k.run,
			InPlace: func(s *Sig, operand int) bool { // else partial sums would be stored over it
				m, err := k.plan(s)
				return err == nil && operand == 3 && m.k <= maxColumns
			}})
	}
	return out
}

type conv struct{ t Tier }

const (
	// maxColumns bounds the rows of gathered columns, so that these stay in L2.
	maxColumns = 1024
	// convWork is the multiply-adds of a tile of the grid, about 1 ms: what a tile gathers must
	// be worth it. Each call of assembly in it is far below 100 µs.
	convWork = 50 << 20
)

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
	m.panels = (m.pixels + m.panel - 1) / m.panel
	m.rows = max(convWork/max(m.k*m.panel, 1), 4*tile.MaxRows)
	m.rowTiles = (m.outs + m.rows - 1) / m.rows
	unit := func(d window) bool { return d.kernel == 1 && d.stride == 1 && d.before == 0 && d.after == 0 }
	m.direct = unit(m.h) && unit(m.w)
	m.lo, m.hi = bounds(s)
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
	if !m.direct {
		cost += columns / 3
	}
	return cost
}

func (k conv) prepare(s *Sig) any {
	m, _ := k.plan(s) // match has seen that there is none
	return m
}

func (k conv) scratch(s *Sig) int64 {
	m, _ := k.plan(s)
	if m == nil || m.direct {
		return 0
	}
	return int64(min(m.k, maxColumns)) * int64(m.panel) * 4
}

func (k conv) split(s *Sig) Grid {
	m, _ := k.plan(s)
	return Grid{Tiles: m.batch * m.groups * m.panels * m.rowTiles}
}

// pack brings weights [out, channel, row, column] into the order [out, row, column, channel].
func (k conv) pack(s *Sig, elems, dst []byte) {
	w := s.In[1].Dims
	from, to := floats(elems), floats(dst)
	c := int(w[1])
	taps := 1
	for _, d := range w[2:] {
		taps *= int(d)
	}
	for o := range int(w[0]) {
		for i := range c {
			for t := range taps {
				to[(o*taps+t)*c+i] = from[(o*c+i)*taps+t]
			}
		}
	}
}

func (k conv) run(c *Call, worker, index int) {
	m := c.State.(*image)
	block, index := index%m.rowTiles, index/m.rowTiles
	first, index := index%m.panels*m.panel, index/m.panels
	group, n := index%m.groups, index/m.groups
	cols, rows := min(m.panel, m.pixels-first), min(m.rows, m.outs-block*m.rows)
	plane := m.h.in * m.w.in
	x := floats(c.In[0])[(n*m.groups+group)*m.channels*plane:]
	base := (n*m.groups + group) * m.outs * m.pixels
	out := floats(c.Out[0])[base:]
	weights := floats(c.Packed[0])[group*m.outs*m.k:]
	p := tile.Product{LDA: uintptr(4 * m.k), LDC: uintptr(4 * m.pixels), LDR: uintptr(4 * m.pixels), Lo: m.lo, Hi: m.hi}
	p.Taps, p.NTaps = tile.PlainTaps()
	for k0 := 0; k0 < m.k; k0 += maxColumns {
		p.K = min(maxColumns, m.k-k0)
		p.Flags = 0
		if k0 > 0 {
			p.Flags |= tile.Accumulate
		}
		if k0+p.K < m.k {
			p.Flags |= tile.Partial
		}
		if m.direct {
			p.B, p.LDB = unsafe.Pointer(&x[k0*plane+first]), uintptr(4*plane)
		} else {
			columns := floats(c.Scratch[worker])
			m.gather(x, columns, k0, p.K, first, cols)
			p.B, p.LDB = unsafe.Pointer(&columns[0]), uintptr(4*m.panel)
		}
		eachRows(block*m.rows, rows, func(r, count int) {
			p.A, p.C = unsafe.Pointer(&weights[r*m.k+k0]), unsafe.Pointer(&out[r*m.pixels+first])
			if m.bias {
				p.RowBias = unsafe.Pointer(&floats(c.In[2])[group*m.outs+r])
			}
			if m.residual {
				p.Res = unsafe.Pointer(&floats(c.In[3])[base+r*m.pixels+first])
			}
			p.Run(k.t, count, cols)
		})
	}
}

// gather writes rows k0 to k0+n of the columns of the pixels from first on: what each of them
// sees at one kernel row, column and channel, zero outside of the image.
func (m *image) gather(x, columns []float32, k0, n, first, cols int) {
	plane := m.h.in * m.w.in
	for i := range n {
		at := k0 + i
		ch, tap := at%m.channels, at/m.channels
		dy, dx := tap/m.w.kernel*m.h.dilation-m.h.before, tap%m.w.kernel*m.w.dilation-m.w.before
		line := columns[i*m.panel : i*m.panel+cols]
		img := x[ch*plane : (ch+1)*plane]
		for pixel := first; len(line) > 0; {
			oy, ox := pixel/m.w.out, pixel%m.w.out
			count := min(m.w.out-ox, len(line))
			y := oy*m.h.stride + dy
			if y < 0 || y >= m.h.in {
				clear(line[:count])
			} else {
				m.gatherRow(img[y*m.w.in:(y+1)*m.w.in], line[:count], ox*m.w.stride+dx)
			}
			line, pixel = line[count:], pixel+count
		}
	}
}

// gatherRow writes the elements of a row from place sx on, in steps of the stride.
func (m *image) gatherRow(row, line []float32, sx int) {
	stride := m.w.stride
	lo := 0
	if sx < 0 {
		lo = min((-sx+stride-1)/stride, len(line))
	}
	hi := lo
	if last := m.w.in - 1 - sx; last >= 0 {
		hi = max(min(last/stride+1, len(line)), lo)
	}
	clear(line[:lo])
	clear(line[hi:])
	if stride == 1 {
		if hi > lo {
			copy(line[lo:hi], row[sx+lo:])
		}
		return
	}
	for i := lo; i < hi; i++ {
		line[i] = row[sx+i*stride]
	}
}

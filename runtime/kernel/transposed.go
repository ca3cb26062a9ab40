package kernel

// This file computes transposed convolutions of one to three spatial axes: for each output channel and
// tap a product with the image, whose elements are added to the places that the tap has in the result. Where each place has one tap,
// and the rows of two taps are the columns of a row, these are woven.

import (
	"errors"
	"math"
	"unsafe"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// A transposedConv multiplies each pixel of the input with the kernel and adds the products up where they fall
// ("spread"). The other way, to gather for each pixel of the result, would skip most of the kernel where
// strides are above 1.
type transposedConv struct {
	t      Tier
	f      tile.Rows
	blocks bool // its products are those of convblocks.go
}

// A spread is one signature. window.in is the image's extent, out the result's. taps is the
// product of the kernel's sizes; rows counts lines of the image over all slices.
type spread struct {
	batch, groups, channels, outs int    // channels and outs are those of a group
	d, h, w                       window // d is along the slices of a volume
	taps, block                   int    // block: output channels of a tile
	blocks                        int
	rows, strip                   int // of the image, of all slices, and those that are computed at a time
	panel                         int
	woven                         bool
	// On tiles: pairs of a step and steps of the channels, and the distance of planes of pairs.
	pairs, steps, pitch int
}

// stripPixels is about how many pixels of the image are computed at a time.
const stripPixels = 2048

func transposedEntries(t Tier) []*Entry {
	k := transposedConv{t: t, f: tile.RowsOf(t)}
	return []*Entry{{Op: isa.Lookup("", "ConvTranspose"), Name: "ConvTranspose.f32.spread", Match: k.match, Shape: k.shape, Cost: k.cost,
		Scratch: k.scratch,
		Split: func(s *Sig) Grid {
			m, _ := k.plan(s)
			return Grid{Tiles: m.batch * m.groups * m.blocks}
		},
		Packs:   []*Pack{{Operand: 1, Form: "f32.spread", Size: func(s *Sig) int64 { return 4 * s.In[1].Len() }, Write: k.pack}},
		Prepare: func(s *Sig) any { m, _ := k.plan(s); return m }, Run: k.run}}
}

// plan checks a transposed convolution of one to three spatial axes and lays out its work. Channels are a
// multiple of the groups and the weights' first axis; padding is explicit and not negative, and
// output_shape is not supported. Windows of stride 2 that touch without overlap are woven straight into
// the result. The result's size is (in-1)·stride + (kernel-1)·dilation + 1 - before - after +
// output_padding. An error means that the reference computes it.
func (k transposedConv) plan(s *Sig) (*spread, error) {
	if len(s.In) < 2 || s.In[0].Absent || s.In[1].Absent {
		return nil, errors.New("an image and weights are needed")
	}
	x, w := s.In[0].Dims, s.In[1].Dims
	spatial := len(x) - 2
	groups := s.Inst.Int("group", 1)
	if spatial < 1 || spatial > 3 || len(w) != len(x) || groups < 1 || x[1] != w[0] || x[1]%groups != 0 ||
		s.Inst.Ints("output_shape") != nil ||
		s.Inst.Str("auto_pad", "NOTSET") != "NOTSET" {
		return nil, errors.New("it is not computed here")
	}
	m := &spread{batch: int(x[0]), groups: int(groups), channels: int(x[1] / groups), outs: int(w[1]), taps: 1, panel: tile.Panel(k.t)}
	m.h = window{1, 1, 1, 1, 1, 0, 0}
	m.d = m.h
	for i := range spatial {
		d := window{in: int(x[2+i]), kernel: int(w[2+i]), stride: int(attrOr(s.Inst.Ints("strides"), i, 1)),
			dilation: int(attrOr(s.Inst.Ints("dilations"), i, 1)),
			before:   int(attrOr(s.Inst.Ints("pads"), i, 0)), after: int(attrOr(s.Inst.Ints("pads"), spatial+i, 0))}
		more := int(attrOr(s.Inst.Ints("output_padding"), i, 0))
		if min(d.in, d.kernel, d.stride, d.dilation) < 1 || max(d.kernel, d.stride, d.dilation, more) > isa.MaxTaps ||
			min(d.before, d.after, more) < 0 {
			return nil, errors.New("a kernel, stride, dilation or padding is out of range")
		}
		if d.out = (d.in-1)*d.stride + (d.kernel-1)*d.dilation + 1 - d.before - d.after + more; d.out < 0 {
			return nil, errors.New("the paddings leave nothing")
		}
		m.taps *= d.kernel
		switch spatial - i {
		case 1:
			m.w = d
		case 2:
			m.h = d
		default:
			m.d = d
		}
	}
	alone := func(d window) bool {
		return d.kernel == d.stride && d.dilation == 1 && d.before == 0 && d.out == d.in*d.stride
	}
	m.woven = spatial < 3 && alone(m.h) && alone(m.w) && m.w.stride == 2
	m.rows = m.d.in * m.h.in
	m.block = min(max(1, 24/m.taps), max(m.outs, 1))
	if k.blocks {
		m.block = min(max(1, tile.BlockRows/m.taps), max(m.outs, 1))
		m.steps = max((m.channels+2*tile.BlockPairs-1)/(2*tile.BlockPairs), 1)
		m.pairs = ((m.channels+1)/2 + m.steps - 1) / m.steps
		m.pitch = (m.rows*m.w.in+line-1)/line*line | line
	}
	m.blocks = (m.outs + m.block - 1) / m.block
	m.strip = min(max(1, stripPixels/m.w.in), m.rows)
	return m, nil
}

func (k transposedConv) shape(s *Sig) ([][]int64, error) {
	m, err := k.plan(s)
	if err != nil {
		return nil, err
	}
	out := []int64{int64(m.d.out), int64(m.h.out), int64(m.w.out)}
	return [][]int64{append([]int64{int64(m.batch), int64(m.outs * m.groups)}, out[5-len(s.In[0].Dims):]...)}, nil
}

func (k transposedConv) match(s *Sig) bool {
	m, err := k.plan(s)
	narrow := err == nil && k.blocks && m.woven && narrowed(s, 0)
	if err != nil || !narrow && !allPlain(s, tensor.Float32) || s.In[1].Const == nil || m.channels == 0 || s.Out[0].Len() == 0 {
		return false
	}
	return k.scratch(s) < 1<<28 && (s.Opt(2).Absent || sameDims(s.In[2].Dims, []int64{int64(m.outs * m.groups)}))
}

func (k transposedConv) cost(s *Sig) float64 {
	m, _ := k.plan(s)
	return 500 + float64(s.In[0].Len())*float64(m.outs*m.taps)/[...]float64{0.7, 30, 35}[k.t]
}

// scratch is the products of a strip of the image with all taps.
func (k transposedConv) scratch(s *Sig) int64 {
	m, _ := k.plan(s)
	return 4 * int64(m.block*m.taps) * int64(m.strip*m.w.in+1)
}

// pack brings weights [channel, out, row, column] of each group into the order [out, row, column, channel].
func (k transposedConv) pack(s *Sig, elements, dst []byte, _ int) {
	m, _ := k.plan(s)
	from, to := floats(elements), floats(dst)
	rows := m.outs * m.taps
	for g := range m.groups {
		for c := range m.channels {
			for r := range rows {
				to[(g*rows+r)*m.channels+c] = from[(g*m.channels+c)*rows+r]
			}
		}
	}
}

// run computes one tile: products of a block of output channels with a strip of rows, for each tap, are
// added to the result, which starts with the bias, or woven into it where windows do not overlap.
// Strips bound the memory of the products; rows are added to the result in the order of the
// strips, and within them of the taps, so the order of sums is fixed.
func (k transposedConv) run(c *Call, worker, index int) {
	m := c.State.(*spread)
	if k.blocks {
		if tiles := m.batch * m.groups * m.blocks; index < tiles {
			k.lay(c, m, index, tiles)
			return
		}
		index -= m.batch * m.groups * m.blocks
	}
	block, rest := index%m.blocks, index/m.blocks
	group, n := rest%m.groups, rest/m.groups
	first := block * m.block
	outs := min(m.block, m.outs-first)
	plane, size := m.rows*m.w.in, m.d.out*m.h.out*m.w.out
	at := ((n*m.groups+group)*m.outs + first) * size // of the result
	var x, y []float32
	if !c.Sig.Out[0].narrow() {
		y = floats(c.Out[0])[at:][:outs*size]
	}
	a := floats(c.Packed[0])
	if k.blocks {
		a, x = a[(group*m.blocks+block)*m.tiles16()*m.steps*tileSize:], floats(c.Shared)[(n*m.groups+group)*m.steps*m.pairs*m.pitch:]
	} else {
		a, x = a[(group*m.outs+first)*m.taps*m.channels:], floats(c.In[0])[(n*m.groups+group)*m.channels*plane:]
	}
	products := floats(c.Scratch[worker])
	biases := take(&products, m.block*m.taps) // of the products, where they are the result
	for o := range outs {
		bias := float32(0)
		if !c.Sig.Opt(2).Absent {
			bias = floats(c.In[2])[group*m.outs+first+o]
		}
		if m.woven {
			set(biases[o*m.taps:(o+1)*m.taps], bias)
		} else {
			set(y[o*size:(o+1)*size], bias)
		}
	}
	for from := 0; from < m.rows; from += m.strip {
		rows := min(m.strip, m.rows-from)
		pixels := rows * m.w.in
		if k.blocks {
			k.multiplyBlocks(m, a, x[from*m.w.in:], products, biases, outs*m.taps, pixels)
		} else {
			k.multiply(m, a, x[from*m.w.in:], products, biases, outs*m.taps, pixels, plane)
		}
		for o := range outs {
			switch products := products[o*m.taps*pixels:]; {
			case y == nil:
				m.weaveHalves(products, halves(c.Out[0])[at+o*size:][:size], from, rows)
				continue
			case m.woven:
				m.weave(k.f, products, y[o*size:(o+1)*size], from, rows)
				continue
			}
			for t := range m.taps {
				m.scatter(k.f, products[(o*m.taps+t)*pixels:], y[o*size:(o+1)*size], t, from, rows)
			}
		}
	}
}

// weave writes what all taps make of some rows of the image. With stride 2 and a kernel of 2 the
// taps ky and kx give the rows 2y+ky, whose even and odd elements are two products.
func (m *spread) weave(f tile.Rows, from, y []float32, first, rows int) {
	for r := range rows {
		for ky := range m.h.kernel {
			line := from[(2*ky*rows+r)*m.w.in:]
			f.Weave(line[:m.w.in], line[rows*m.w.in:][:m.w.in], y[((first+r)*m.h.stride+ky)*m.w.out:][:m.w.out])
		}
	}
}

// weaveHalves is weave with a result of bf16.
func (m *spread) weaveHalves(from []float32, y []uint16, first, rows int) {
	for r := range rows {
		for ky := range m.h.kernel {
			line := from[(2*ky*rows+r)*m.w.in:]
			roundTo(y[((first+r)*m.h.stride+ky)*m.w.out:], line[:m.w.in], line[rows*m.w.in:])
		}
	}
}

// multiply computes the products of some rows of weights with some pixels, with the biases where they are the result.
func (k transposedConv) multiply(m *spread, a, x, out, biases []float32, rows, pixels, plane int) {
	p := tile.Product{LDA: uintptr(4 * m.channels), LDB: uintptr(4 * plane), LDC: uintptr(4 * pixels), Lo: float32(math.Inf(-1)),
		Hi: float32(math.Inf(1))}
	p.Taps, p.NTaps = tile.PlainTaps()
	for j := 0; j < pixels; j += m.panel {
		for k0 := 0; k0 < m.channels; k0 += maxK {
			p.K = min(maxK, m.channels-k0)
			p.Flags = 0
			if k0 > 0 {
				p.Flags = tile.Accumulate
			}
			if k0+p.K < m.channels {
				p.Flags |= tile.Partial
			}
			p.B = unsafe.Pointer(&x[k0*plane+j])
			eachRows(0, rows, func(r, n int) {
				p.A, p.C = unsafe.Pointer(&a[r*m.channels+k0]), unsafe.Pointer(&out[r*pixels+j])
				if m.woven {
					p.RowBias = unsafe.Pointer(&biases[r])
				}
				p.Run(k.t, n, min(m.panel, pixels-j))
			})
		}
	}
}

// scatter adds what one tap makes of some rows of the image. lo and hi bound the columns of the
// image whose place is within the result, so the loop needs no test.
func (m *spread) scatter(f tile.Rows, from, y []float32, tap, first, rows int) {
	flat := m.h.kernel * m.w.kernel
	dz, dy := tap/flat*m.d.dilation-m.d.before, tap%flat/m.w.kernel*m.h.dilation-m.h.before
	dx := tap%m.w.kernel*m.w.dilation - m.w.before
	s := m.w.stride
	lo := 0
	if dx < 0 {
		lo = (-dx + s - 1) / s
	}
	hi := m.w.in
	if last := m.w.out - 1 - dx; last < 0 {
		hi = 0
	} else {
		hi = min(hi, last/s+1)
	}
	if lo >= hi {
		return
	}
	for r := range rows {
		oz, oy := (first+r)/m.h.in*m.d.stride+dz, (first+r)%m.h.in*m.h.stride+dy
		if oz < 0 || oz >= m.d.out || oy < 0 || oy >= m.h.out {
			continue
		}
		oy += oz * m.h.out
		line := from[r*m.w.in+lo : r*m.w.in+hi]
		out := y[oy*m.w.out+lo*s+dx : (oy+1)*m.w.out]
		if s == 1 {
			f.Two(tile.Add, out[:len(line)], line, out[:len(line)])
			continue
		}
		at := 0
		for _, v := range line {
			out[at] += v
			at += s
		}
	}
}

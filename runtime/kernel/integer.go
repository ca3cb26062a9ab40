package kernel

// This file computes products and convolutions of integers of 8 bits with constant weights, exactly, by the packed
// panels of vectors.go. Zero points are taken away afterwards, from the sums of weights, which are packed with them,
// and from those of the other operand, for which each panel has a column of ones where zero points of weights are not
// known to be zero.
//
// With zero points zx and zw the product is
//
//	Σ (x - zx)·(w - zw) = Σ x·w - zx·Σ w - zw·Σ x + n·zx·zw
//
// over the n elements of a chain. The first sum is that of the vector instructions. Σ w depends
// on the constant weights alone and is packed behind them; Σ x is what the column of ones gives.
// So the inner loop never subtracts a zero point, and the border of an image is filled with zx,
// which then counts as nothing.
//
// VNNI multiplies bytes without a sign by bytes with one. Operands of the other kind have their
// highest bit turned (flip), which adds 128 to them and to their zero points alike: the sum stays
// the same. Processors without it multiply integers of 16 bits.

import (
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// maxIntegers bounds the chain, so that 32 bits hold its sum.
const maxIntegers = 1 << 15

// An integerProduct is an operator: which operands its factors and their zero points are, and, where the result has a scale, the
// scales: of the first factor, and of the second, and of the result, behind which the result's
// zero point is. The numbers are indices of operands. QLinearConv and QLinearMatMul have a scale
// before each zero point.
type integerProduct struct {
	t                      Tier // one of IntegerTier
	op                     string
	conv, scaled           bool
	x, w, zx, zw           int
	scaleX, scaleW, scaleY int
	ones                   bool // panels have a column of ones
}

// integerEntries makes the integer products and convolutions, each in two forms of packed weights: with a
// column of ones for the zero points of weights, and for weights whose zero points are known to be zero,
// without it.
func integerEntries(t Tier) []*Entry {
	var out []*Entry
	t = tile.IntegerTier(t)
	for _, k := range []integerProduct{
		{op: "MatMulInteger", x: 0, w: 1, zx: 2, zw: 3}, {op: "ConvInteger", conv: true, x: 0, w: 1, zx: 2, zw: 3},
		{op: "QLinearMatMul", scaled: true, x: 0, scaleX: 1, zx: 2, w: 3, scaleW: 4, zw: 5, scaleY: 6},
		{op: "QLinearConv", conv: true, scaled: true, x: 0, scaleX: 1, zx: 2, w: 3, scaleW: 4, zw: 5, scaleY: 6},
	} {
		for _, name := range []string{"panels", "centred"} {
			k := k // closures keep it
			k.t, k.ones = t, name == "panels"
			out = append(out, &Entry{Op: isa.Lookup("", k.op), Name: k.op + ".integer." + name, Match: k.match, Shape: k.shape, Scratch: k.scratch,
				Shared: k.shared, Split: k.split,
				Cost:    func(s *Sig) float64 { return 500 + float64(s.Out[0].Len())*float64(k.plan(s).chain)/10 },
				Packs:   []*Pack{{Operand: k.w, Form: fmt.Sprintf("integer.%s%d", name, tile.Panel(t)), Size: k.packSize, Write: k.pack}},
				Prepare: func(s *Sig) any { return k.plan(s) }, Run: k.run})
		}
	}
	return out
}

// An integerCut is one signature. An element is 32 bits: group integers of 8 or 16 bits that one
// instruction multiplies and adds. A product of matrices is treated as a convolution with a
// kernel of 1 over one row of pixels.
type integerCut struct {
	images, groups int // images of all batches and groups
	channels, outs int // of a group
	h, w           window
	rows, cols     int // of the bordered image
	group          int // integers of an element
	inner, k       int // elements of a pixel, and of the chain
	chain          int // integers of the chain
	pixels, blocks int
	lane, panel    int
	real           int // output channels of a full panel
	panels, tiles  int
	planar         bool          // channels lie apart
	taps           [2][]tile.Tap // of the last panel, and of others
}

// plain gives the signature of the operator without zero points and scales.
func (k integerProduct) plain(s *Sig) *Sig {
	return &Sig{Inst: s.Inst, In: []Operand{*s.Opt(k.x), *s.Opt(k.w)}, Out: s.Out}
}

func (k integerProduct) shape(s *Sig) ([][]int64, error) {
	if len(s.In) <= k.w {
		return nil, fmt.Errorf("%s needs two factors", k.op)
	}
	if k.conv {
		return conv{t: k.t}.shape(k.plain(s))
	}
	return matmul{k.t}.shape(k.plain(s))
}

// plan reads the signature; nil: it is none for this file. It refuses chains longer than
// maxIntegers, for which 32 bits may overflow, and operands without elements. real is panel-1
// where the last column is that of ones. The two lists of taps differ in the width of the panel,
// which is smaller for the last one.
func (k integerProduct) plan(s *Sig) *integerCut {
	p := k.plain(s)
	m := &integerCut{groups: 1, planar: k.conv, lane: tile.Lanes(k.t), panel: tile.Panel(k.t), group: tile.IntegerGroup(k.t)}
	if k.conv {
		image, err := conv{t: k.t}.plan(p)
		if err != nil {
			return nil
		}
		m.images, m.groups, m.channels, m.outs, m.h, m.w = image.batch*image.groups, image.groups, image.channels, image.outs, image.h, image.w
	} else {
		x, w := p.In[0].Dims, p.In[1].Dims
		if len(x) < 1 || len(w) != 2 || p.In[1].Dims[0] != x[len(x)-1] {
			return nil
		}
		rows := 1
		for _, d := range x[:len(x)-1] {
			rows *= int(d)
		}
		m.images, m.channels, m.outs = 1, int(w[0]), int(w[1])
		m.h, m.w = window{1, 1, 1, 1, 1, 0, 0}, window{in: rows, out: rows, kernel: 1, stride: 1, dilation: 1}
	}
	taps := m.h.kernel * m.w.kernel
	m.inner = (m.channels + m.group - 1) / m.group
	m.k, m.chain = taps*m.inner, taps*m.channels
	m.pixels = m.h.out * m.w.out
	if m.chain == 0 || m.chain > maxIntegers || m.outs == 0 || m.pixels == 0 || m.images == 0 {
		return nil
	}
	m.rows, m.cols = m.h.reach(), m.w.reach()
	m.real = m.panel
	if k.ones {
		m.real--
	}
	m.panels = (m.outs + m.real - 1) / m.real
	pixels := min(max(convWork[k.t]/(m.k*m.panel), tile.MaxRows), blockPixels(m.k))
	m.blocks = (m.pixels + pixels - 1) / pixels
	m.tiles = m.images * m.panels * m.blocks
	for i := range m.taps {
		width := k.width(m, max(m.panels-1-i, 0))
		for t := range taps {
			y, x := t/m.w.kernel, t%m.w.kernel
			m.taps[i] = append(m.taps[i], tile.Tap{A: uintptr(4 * (y*m.h.dilation*m.cols + x*m.w.dilation) * m.inner),
				B: uintptr(4 * t * m.inner * width)})
		}
	}
	return m
}

// width is the elements of a line of a panel. It is rounded up to whole vectors; columns behind
// the last output channel are zeros.
func (k integerProduct) width(m *integerCut, panel int) int {
	n := min(m.real, m.outs-panel*m.real) + m.panel - m.real
	return (n + m.lane - 1) / m.lane * m.lane
}

// size is the elements of the panels of a group.
func (k integerProduct) size(m *integerCut) int {
	return m.k * ((m.panels-1)*m.panel + k.width(m, m.panels-1))
}

func byteType(d tensor.DType) bool { return d == tensor.Int8 || d == tensor.Uint8 }

// match takes one zero point and scale for all of the first factor, and those of the second one
// for all, or for each output channel. The weights must be constant, as their sums are packed.
// With the column of ones it takes what the centred form does not: exactly one of the two
// matches.
func (k integerProduct) match(s *Sig) bool {
	m := k.plan(s)
	if m == nil || s.In[k.w].Const == nil || !byteType(s.In[k.x].DType) || !byteType(s.In[k.w].DType) {
		return false
	}
	all := int64(m.groups * m.outs)
	one := func(i int) bool { return s.Opt(i).Absent || s.In[i].Len() == 1 }
	each := func(i int) bool { return one(i) || sameDims(s.In[i].Dims, []int64{all}) }
	typed := func(i int, d tensor.DType) bool { return s.Opt(i).Absent || s.In[i].DType == d }
	if !one(k.zx) || !each(k.zw) || !typed(k.zx, s.In[k.x].DType) || !typed(k.zw, s.In[k.w].DType) || k.centred(s) == k.ones {
		return false
	}
	if !k.scaled {
		return s.Out[0].DType == tensor.Int32
	}
	for _, i := range []int{k.scaleX, k.scaleW, k.scaleY} {
		if s.Opt(i).Absent || s.In[i].DType != tensor.Float32 {
			return false
		}
	}
	zy := s.Opt(k.scaleY + 1)
	if !one(k.scaleX) || !each(k.scaleW) || !one(k.scaleY) || zy.Absent || zy.Len() != 1 || !byteType(zy.DType) || s.Out[0].DType != zy.DType {
		return false
	}
	bias := s.Opt(k.scaleY + 2)
	return bias.Absent || k.conv && bias.DType == tensor.Int32 && sameDims(bias.Dims, []int64{all})
}

// centred reports whether the zero points of weights, as they are packed, are known to be zero. A
// zero point that only a run knows may be anything, so the answer is then false.
func (k integerProduct) centred(s *Sig) bool {
	zero := byte(0)
	if s.In[k.w].DType == tensor.Uint8 && tile.IntegerGroup(k.t) == 4 {
		zero = flip
	}
	z := s.Opt(k.zw)
	if z.Absent {
		return zero == 0
	}
	for _, v := range z.Const {
		if v != zero {
			return false
		}
	}
	return z.Const != nil
}

// scratch is the memory of one thread: a panel of sums for a block, and what scales the results back.
func (k integerProduct) scratch(s *Sig) int64 {
	m := k.plan(s)
	n := 1 + (m.pixels+m.blocks-1)/m.blocks
	if k.scaled {
		n += 4 // addends and factors, in float64
	}
	return 4 * int64(m.panel) * int64(n)
}

// shared is what all threads read: the columns of the image, laid out once.
func (k integerProduct) shared(s *Sig) int64 {
	m := k.plan(s)
	return 4 * int64(m.images) * int64(m.rows*m.cols) * int64(m.inner)
}

func (k integerProduct) split(s *Sig) Grid { return Grid{Tiles: k.plan(s).tiles, Phases: convPhases} }

// packSize is that of the panels, and of the sums of the weights of each output channel.
func (k integerProduct) packSize(s *Sig) int64 {
	m := k.plan(s)
	return 4 * int64(m.groups) * int64(k.size(m)+m.outs)
}

// flip is what makes an integer of 8 bits with a sign one without, 128 larger, and the other way round.
const flip = 0x80

// put writes an integer of 8 bits, as it is multiplied: without a sign on the left, with one on the right, in 8 bits, or in 16.
func (m *integerCut) put(dst []byte, at int, v byte, signed, left bool) {
	switch {
	case m.group == 4 && signed == left:
		dst[at] = v ^ flip
	case m.group == 4:
		dst[at] = v
	case signed:
		binary.NativeEndian.PutUint16(dst[2*at:], uint16(int16(int8(v))))
	default:
		binary.NativeEndian.PutUint16(dst[2*at:], uint16(v))
	}
}

// value is the integer that put has multiplied. It must agree with put bit for bit: sums of
// weights and zero points are computed with it.
func (m *integerCut) value(v byte, signed, left bool) int32 {
	switch {
	case m.group == 4 && left && signed:
		return int32(v ^ flip)
	case m.group == 4 && !left && !signed:
		return int32(int8(v ^ flip))
	case signed:
		return int32(int8(v))
	}
	return int32(v)
}

// pack writes panels: lines [row, column, channel] of output channels, and the sums of these behind them.
func (k integerProduct) pack(s *Sig, elements, dst []byte, _ int) {
	m := k.plan(s)
	clear(dst)
	size := k.size(m)
	sums := elems[int32](dst[4*m.groups*size:])
	taps := m.h.kernel * m.w.kernel
	signed := s.In[k.w].DType == tensor.Int8
	for group := range m.groups {
		for panel := range m.panels {
			width, first := k.width(m, panel), panel*m.real
			to := dst[4*(group*size+panel*m.panel*m.k):]
			for o := first; o < min(first+m.real, m.outs); o++ {
				sum := int32(0)
				for c := range m.channels {
					for t := range taps {
						at := ((group*m.outs+o)*m.channels+c)*taps + t
						if !k.conv {
							at = c*m.outs + o
						}
						m.put(to, ((t*m.inner+c/m.group)*width+o-first)*m.group+c%m.group, elements[at], signed, false)
						sum += m.value(elements[at], signed, false)
					}
				}
				sums[group*m.outs+o] = sum
			}
			if !k.ones {
				continue
			}
			for line := range m.k {
				for q := range m.group {
					m.put(to, (line*width+width-1)*m.group+q, 1, true, false)
				}
			}
		}
	}
}

// zero is the zero point of the first factor, as it is in the operand.
func (k integerProduct) zero(c *Call, i, at int) byte {
	if c.Sig.Opt(i).Absent {
		return 0
	}
	return c.In[i][at%len(c.In[i])]
}

// lay lays out the rows of images whose turn it is: the channels of a pixel one behind the other,
// and zero points around. Image rows are shared out over all tiles. Pixels become [row, column,
// channel] with channels padded to whole elements, so that the chain of a tap is one run of
// memory.
func (k integerProduct) lay(c *Call, m *integerCut, index int) {
	x, zero, signed := c.In[k.x], k.zero(c, k.zx, 0), c.Sig.In[k.x].DType == tensor.Int8
	line := m.cols * m.inner * m.group // integers of a row
	if !m.planar {
		for p := index * m.cols / m.tiles; p < (index+1)*m.cols/m.tiles; p++ {
			to := c.Shared[4*p*m.inner:][:4*m.inner]
			clear(to[4*m.inner-4:])
			from := x[p*m.channels:][:m.channels]
			if m.group == 4 && !signed {
				copy(to, from)
				continue
			}
			for i, v := range from {
				m.put(to, i, v, signed, true)
			}
		}
		return
	}
	for u := index * m.images * m.rows / m.tiles; u < (index+1)*m.images*m.rows/m.tiles; u++ {
		image, y := u/m.rows, u%m.rows-m.h.before
		to := c.Shared[4*u*m.cols*m.inner:][:line*4/m.group]
		if m.channels%m.group != 0 {
			clear(to)
		}
		lo := min(max(m.w.before, 0), m.cols)
		hi := max(min(m.cols, m.w.before+m.w.in), lo)
		if y < 0 || y >= m.h.in {
			lo, hi = m.cols, m.cols
		}
		step := m.inner * m.group
		for ch := range m.channels {
			for col := range lo {
				m.put(to, col*step+ch, zero, signed, true)
			}
			for col := hi; col < m.cols; col++ {
				m.put(to, col*step+ch, zero, signed, true)
			}
			if lo == hi {
				continue
			}
			from, at := x[((image*m.channels+ch)*m.h.in+y)*m.w.in+lo-m.w.before:][:hi-lo], lo*step+ch
			if m.group != 4 {
				for i, v := range from {
					m.put(to, at+i*step, v, signed, true)
				}
				continue
			}
			other := byte(0)
			if signed {
				other = flip
			}
			for _, v := range from {
				to[at] = v ^ other
				at += step
			}
		}
	}
}

// run computes one tile. The first tiles lay out images; the others multiply a block of pixels with a
// panel of packed weights in int32. Sums start with the zero points' share, from the sums of the weights,
// and are requantized at the end. start has, for each output channel, the part of the formula
// that does not depend on the pixel.
func (k integerProduct) run(c *Call, worker, index int) {
	m := c.State.(*integerCut)
	if index < m.tiles {
		k.lay(c, m, index)
		return
	}
	index -= m.tiles
	image, panel, block := index/(m.panels*m.blocks), index/m.blocks%m.panels, index%m.blocks
	group, size := image%m.groups, k.size(m)
	first, end := block*m.pixels/m.blocks, (block+1)*m.pixels/m.blocks
	width, out := k.width(m, panel), group*m.outs+panel*m.real // the first channel
	cols := min(m.real, m.outs-panel*m.real)
	scratch := elems[int32](c.Scratch[worker])
	start, sums := scratch[:m.panel], scratch[m.panel:] // behind the sums is what requantize needs
	// Sums begin with what zero points make of the sums of weights.
	zx := m.value(k.zero(c, k.zx, 0), c.Sig.In[k.x].DType == tensor.Int8, true)
	weights := elems[int32](c.Packed[0][4*m.groups*size:])[out:]
	clear(start)
	for j := range cols {
		start[j] = zx * (int32(m.chain)*k.zeroOf(c, m, out+j) - weights[j])
	}
	place := func(pixel int) int {
		return (pixel/m.w.out*m.h.stride*m.cols + pixel%m.w.out*m.w.stride) * m.inner
	}
	taps := m.taps[min(m.panels-1-panel, 1)]
	p := tile.Product{LDC: uintptr(4 * m.panel), K: m.inner, Taps: &taps[0], NTaps: len(taps), Flags: tile.Accumulate,
		B: unsafe.Pointer(&c.Packed[0][4*(group*size+panel*m.panel*m.k)])}
	images := elems[int32](c.Shared)[image*m.rows*m.cols*m.inner:]
	eachRows(first, end-first, func(pixel, n int) {
		at := place(pixel)
		for i := range n {
			copy(sums[(pixel-first+i)*m.panel:][:width], start)
			if i > 0 {
				p.Rows[i-1] = uintptr(4 * (place(pixel+i) - at))
			}
		}
		p.A, p.C = unsafe.Pointer(&images[at]), unsafe.Pointer(&sums[(pixel-first)*m.panel])
		p.Next = p.A
		p.RunIntegers(k.t, n, width)
	})
	k.finish(c, m, sums, image/m.groups, out, cols, width, first, end)
}

// zeroOf is the zero point of the weights of an output channel.
func (k integerProduct) zeroOf(c *Call, m *integerCut, o int) int32 {
	return m.value(k.zero(c, k.zw, o), c.Sig.In[k.w].DType == tensor.Int8, false)
}

// requantize writes the scaled results of a block and a panel, by vectors; false: zero points of
// weights or odd scales are in the way. The result is round(sum·sx·sw/sy) + zy, clamped to the
// result's type, with halves rounded to even as ONNX's QuantizeLinear has it.
func (k integerProduct) requantize(c *Call, m *integerCut, sums []int32, base, out, cols, width, first, end, pixelStep,
	channelStep int) bool {
	scale, scaleX, scales := floats(c.In[k.scaleY])[0], floats(c.In[k.scaleX])[0], floats(c.In[k.scaleW])
	if k.ones || scale == 0 || scale-scale != 0 || scaleX-scaleX != 0 {
		return false
	}
	rows := end - first
	own := unsafe.Slice((*float64)(unsafe.Pointer(&sums[rows*m.panel])), 2*m.panel)
	bias, factors := own[:width], own[m.panel:][:width]
	clear(bias)
	clear(factors)
	for j := range cols {
		s := scales[(out+j)%len(scales)]
		if s-s != 0 {
			return false
		}
		factors[j] = float64(scaleX) * float64(s)
		if !c.Sig.Opt(k.scaleY + 2).Absent {
			bias[j] = float64(elems[int32](c.In[k.scaleY+2])[out+j])
		}
	}
	zy := c.In[k.scaleY+1][0]
	p := tile.Requantizing{X: unsafe.Pointer(&sums[0]), Pitch: uintptr(4 * m.panel), Rows: rows, Cols: width, Bias: unsafe.Pointer(&bias[0]),
		Factor: unsafe.Pointer(&factors[0]),
		Scale:  float64(scale), Zero: int32(zy), High: math.MaxUint8}
	if c.Sig.Out[0].DType == tensor.Int8 {
		p.Zero, p.Low, p.High = int32(int8(zy)), math.MinInt8, math.MaxInt8
	}
	p.Run(k.t)
	if channelStep == 1 {
		for r := range rows {
			y := c.Out[0][base+out+(first+r)*pixelStep:][:cols]
			for j, v := range sums[r*m.panel:][:cols] {
				y[j] = byte(v)
			}
		}
		return true
	}
	for j := range cols {
		y := c.Out[0][base+(out+j)*channelStep+first*pixelStep:][:rows]
		for r := range y {
			y[r] = byte(sums[r*m.panel+j])
		}
	}
	return true
}

// finish takes away what zero points of weights make of the sums of the other factor, and writes the results of a block and a panel.
func (k integerProduct) finish(c *Call, m *integerCut, sums []int32, n, out, cols, width, first, end int) {
	pixelStep, channelStep := m.groups*m.outs, 1
	if m.planar {
		pixelStep, channelStep = 1, m.pixels
	}
	base := n * m.groups * m.outs * m.pixels
	if k.scaled && k.requantize(c, m, sums, base, out, cols, width, first, end, pixelStep, channelStep) {
		return
	}
	if !k.scaled && !k.ones && !m.planar {
		y := elems[int32](c.Out[0])
		for p := range end - first {
			copy(y[base+(first+p)*pixelStep+out:], sums[p*m.panel:][:cols])
		}
		return
	}
	for j := range cols {
		zw := int32(0)
		if k.ones {
			zw = k.zeroOf(c, m, out+j)
		}
		at := base + (out+j)*channelStep + first*pixelStep
		if !k.scaled {
			y := elems[int32](c.Out[0])
			for p := range end - first {
				row := sums[p*m.panel:][:width]
				y[at] = row[j] - zw*row[width-1]
				at += pixelStep
			}
			continue
		}
		bias := int64(0)
		if !c.Sig.Opt(k.scaleY + 2).Absent {
			bias = int64(elems[int32](c.In[k.scaleY+2])[out+j])
		}
		scales := floats(c.In[k.scaleW])
		factor := float64(floats(c.In[k.scaleX])[0]) * float64(scales[(out+j)%len(scales)])
		scale, zy, signed := float64(floats(c.In[k.scaleY])[0]), c.In[k.scaleY+1][0], c.Sig.Out[0].DType == tensor.Int8
		zero, low, high := int32(zy), int32(0), int32(math.MaxUint8)
		if signed {
			zero, low, high = int32(int8(zy)), math.MinInt8, math.MaxInt8
		}
		for p := range end - first {
			row := sums[p*m.panel:][:width]
			c.Out[0][at] = byte(tile.Nearest(float64(int64(row[j]-zw*row[width-1])+bias)*factor/scale, zero, low, high))
			at += pixelStep
		}
	}
}

package kernel

// This file computes products, convolutions and recurrent networks with constant weights in bf16, where the caller
// allows it: operands are rounded to bf16, pairs of their products are added in f32, a chain over the pairs in
// ascending order. Where the inner size is odd, the last pair has a zero. Numbers below the least normal one are
// zeros.

import (
	"unsafe"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
)

// BF16 lists the entries that compute in bf16, which are chosen before all others; none where the processor has no such products.
func BF16(t Tier) []*Entry {
	if !tile.HasBF16(t) {
		return nil
	}
	return bf16(t, tile.HasBlocks(t))
}

// bf16 lists them, with products on the processor's tiles or on its vectors.
func bf16(t Tier, blocks bool) []*Entry {
	var out []*Entry
	for _, op := range []isa.Op{isa.MatMul, isa.Lookup("", "MatMul"), isa.Lookup("", "Gemm")} {
		k := matmulPairs{matmul{t}, blocks}
		form, run := "bf16.panel", k.run
		if blocks {
			form, run = "bf16.blocks", k.runBlocks
		}
		out = append(out, &Entry{Op: op, Name: op.String() + "." + form, Tier: t, Match: k.match, Shape: k.shape, Cost: atOnce,
			Scratch: k.scratch, Shared: k.shared, Split: k.split,
			Packs:   []*Pack{{Operand: 1, Form: form, Size: k.packSize, Parts: func(s *Sig) int { return k.plan(s).cols }, Write: k.pack}},
			Prepare: func(s *Sig) any { return k.plan(s) }, Run: run,
			InPlace: func(s *Sig, operand int) bool { return operand == 3 && (blocks || k.plan(s).pairs <= maxK) }})
	}
	w := winograd{convVectors{conv{t: t, f: tile.RowsOf(t)}}}
	fewer := func(s *Sig) bool { // what takes less time in f32, as it has fewer products
		return w.match(s) && min(s.In[1].Dims[0], s.In[1].Dims[1]) >= winogradFaster
	}
	for _, op := range []isa.Op{isa.Conv, isa.Lookup("", "Conv")} {
		k := conv{t: t, f: tile.RowsOf(t), pairs: true}
		if blocks {
			out = append(out, convBlocks{k}.entry(op))
		}
		e := k.entry(op, op.String()+".bf16.columns")
		e.Tier, e.Match = t, func(s *Sig) bool { return k.match(s) && s.In[1].Dims[1] > 1 && !fewer(s) }
		e.Packs = []*Pack{{Operand: 1, Form: "bf16.ohwi", Size: k.packSize, Parts: e.Packs[0].Parts, Write: k.packPairs}}
		e.Cost = func(s *Sig) float64 { return k.cost(s) * first }
		v := convVectors{k}
		other := v.entry(op, op.String()+".bf16.vectors", "bf16.vectors", nil)
		other.Match = func(s *Sig) bool { return v.match(s) && !fewer(s) }
		other.Cost = func(s *Sig) float64 { return v.cost(s) * first }
		out = append(out, e, other)
	}
	kind := "bf16"
	if blocks {
		kind = "bf16.blocks"
		out = append(out, transposedBlocks(t))
	}
	for _, e := range recurrentEntries(t, kind) {
		e.Cost = atOnce
		out = append(out, e)
	}
	return out
}

// winogradFaster is the channels from which on Winograd's algorithm in f32 is faster than the direct form in bf16.
const winogradFaster = 32

// atOnce is the cost of what is chosen whatever the sizes are: bits must not depend on them.
func atOnce(*Sig) float64 { return 0 }

// first makes costs those of what is chosen before all that computes in f32, whatever the sizes are. Of the forms
// that have the same bits the cheapest one is chosen.
const first = 1e-9

// roundPart bounds the numbers that are rounded by one call.
const roundPart = 1 << 16

// roundTo rounds x to the first elements of y, or x and x2 in turn.
func roundTo(y []uint16, x, x2 []float32) {
	step := 1
	if x2 != nil {
		step = 2
	}
	for at := 0; at < len(x); at += roundPart {
		h := tile.Halves{X: unsafe.Pointer(&x[at]), Y: &y[step*at], N: min(roundPart, len(x)-at)}
		if x2 != nil {
			h.X2 = unsafe.Pointer(&x2[at])
		}
		h.Run()
	}
}

func halves(b []byte) []uint16 { return elems[uint16](b) }

// matmulPairs is a product on the processor's vectors, or in blocks on its tiles.
type matmulPairs struct {
	matmul
	blocks bool
}

// A productPairs is a product whose inner size is counted in pairs.
type productPairs struct {
	*product
	pairs, tiles int
	lda          int // the distance of rows of A: of blocks a line more than they have, or many would have one place in the first cache
}

// plan is that of the product in f32, with the inner dimension in pairs, as the instructions
// multiply two numbers of bf16 at a time; an odd one is filled with 0.
func (k matmulPairs) plan(s *Sig) *productPairs {
	p := &productPairs{product: k.matmul.plan(s)}
	if k.blocks {
		p.cutBlocks()
	} else {
		p.pairs = (p.k + 1) / 2
		p.lda = p.pairs
		p.rows = max(tileWork/max(p.pairs*p.panel, 1), 4*tile.MaxRows)
		p.cut()
	}
	p.tiles = p.rowTiles * p.cols
	return p
}

func (k matmulPairs) match(s *Sig) bool {
	if !k.matmul.match(s) || s.In[1].Const == nil {
		return false
	}
	p := k.plan(s)
	return len(p.b) == 1 && p.k > 0
}

// shared holds A in bf16.
func (k matmulPairs) shared(s *Sig) int64 {
	p := k.plan(s)
	return 4 * int64(p.m) * int64(p.lda)
}

// scratch holds the sums of a block.
func (k matmulPairs) scratch(s *Sig) int64 {
	if !k.blocks {
		return 0
	}
	return 4 * tile.BlockRows * int64(k.plan(s).panel)
}

func (k matmulPairs) split(s *Sig) Grid { return Grid{Tiles: k.plan(s).tiles, Phases: 2} }

func (k matmulPairs) packSize(s *Sig) int64 {
	p := k.plan(s)
	size := int64(0)
	for j := 0; j < p.n; j += p.panel {
		size += int64(p.pairs) * int64(panelWidth(k.t, p.n, j)) * 4
	}
	return size
}

// pack writes a panel: lines of pairs, with zeros behind the last column and the last row.
func (k matmulPairs) pack(s *Sig, elements, dst []byte, part int) {
	p, b := k.plan(s), floats(elements)
	j := part * p.panel
	w := panelWidth(k.t, p.n, j)
	cols := min(w, p.n-j)
	out := halves(dst)[2*p.pairs*j:][:2*p.pairs*w]
	clear(out)
	if !p.tb {
		none := make([]float32, cols)
		for r := range (p.k + 1) / 2 {
			second := none
			if 2*r+1 < p.k {
				second = b[(2*r+1)*p.n+j:][:cols]
			}
			roundTo(out[2*r*w:], b[2*r*p.n+j:][:cols], second)
		}
		return
	}
	var column [2 * line]uint16 // what is read of a row at a time
	for r := 0; r < p.k; r += len(column) {
		rows := min(len(column), p.k-r)
		for c := range cols {
			roundTo(column[:], b[(j+c)*p.k+r:][:rows], nil)
			for i, x := range column[:rows] {
				out[(r+i)/2*2*w+2*c+i%2] = x
			}
		}
	}
}

// run computes one tile. The first tiles round the left operand to bfloat16 in pairs, with a zero behind
// an odd length; the others multiply a block of rows with a panel of packed weights, in sections of maxK
// pairs that accumulate.
func (k matmulPairs) run(c *Call, worker, index int) {
	p := c.State.(*productPairs)
	if index < p.tiles {
		a, y := floats(c.In[0]), halves(c.Shared)
		first, end := index*p.m/p.tiles, (index+1)*p.m/p.tiles
		if p.k%2 == 0 {
			roundTo(y[first*p.k:], a[first*p.k:end*p.k], nil)
			return
		}
		for r := first; r < end; r++ {
			roundTo(y[2*r*p.pairs:], a[r*p.k:(r+1)*p.k], nil)
			y[2*r*p.pairs+p.k] = 0
		}
		return
	}
	index -= p.tiles
	j, i := index/p.rowTiles*p.panel, index%p.rowTiles*p.rows
	w := panelWidth(k.t, p.n, j)
	a, b, out := floats(c.Shared), floats(c.Packed[0])[p.pairs*j:], floats(c.Out[0])
	x := tile.Product{LDC: uintptr(4 * p.n), LDR: uintptr(4 * p.n), LDA: uintptr(4 * p.pairs), LDB: uintptr(4 * w), Lo: p.lo, Hi: p.hi}
	x.Taps, x.NTaps = tile.PlainTaps()
	if p.bias >= 0 {
		x.Bias = unsafe.Pointer(&floats(c.In[p.bias])[j])
	}
	for k0 := 0; k0 < p.pairs; k0 += maxK {
		x.Flags, x.K = 0, min(maxK, p.pairs-k0)
		if k0 > 0 {
			x.Flags |= tile.Accumulate
		}
		if k0+maxK < p.pairs {
			x.Flags |= tile.Partial
		}
		x.B = unsafe.Pointer(&b[k0*w])
		rows, cols := min(p.rows, p.m-i), min(p.panel, p.n-j)
		f := follow(&x, floats(c.Packed[0]), p.pairs*j+k0*w, x.K, w, i+rows == p.m)
		eachRows(i, rows, func(r, n int) {
			x.A, x.C = unsafe.Pointer(&a[r*p.pairs+k0]), unsafe.Pointer(&out[r*p.n+j])
			if p.residual >= 0 {
				x.Res = unsafe.Pointer(&floats(c.In[p.residual])[r*p.n+j])
			}
			if cols != w || rows <= followRows*tile.MaxRows {
				x.RunPairs(n, cols)
				return
			}
			f.step(&x)
			x.RunScatteredPairs(n, cols)
		})
	}
}

// packPairs brings the weights of an output channel into the order [row, column, channel], in bf16, with a zero behind an odd number of
// channels.
func (k conv) packPairs(s *Sig, elements, dst []byte, o int) {
	m, _ := k.plan(s)
	c, taps := int(s.In[1].Dims[1]), len(m.taps)
	from, to := floats(elements)[o*c*taps:][:c*taps], halves(dst)[2*o*m.k:][:2*m.k]
	clear(to)
	for t := range taps {
		for i := range c {
			to[2*t*m.channels+i] = tile.Rounded(from[i*taps+t])
		}
	}
}

// pairsOf lays the pairs of planes out whose turn it is in the first phase.
func (k conv) pairsOf(c *Call, m *image, worker, index int) {
	for p, end := m.share(index, m.batch*m.groups*m.channels); p < end; p++ {
		k.layPair(c, m, p/m.channels, p%m.channels, floats(c.Shared)[p*m.channel:], floats(c.Scratch[worker]), false)
	}
}

// share gives what of so many things a tile of the first phase does.
func (m *image) share(index, total int) (first, end int) {
	return index * total / m.tiles, (index + 1) * total / m.tiles
}

// layPair lays a pair of channels of a group of an image out, which is of f32 or, where it is narrow, of bf16. A pair
// takes the place of an f32, which is only moved.
func (k conv) layPair(c *Call, m *image, group, pair int, to, own []float32, narrow bool) {
	size, real := m.h.in*m.w.in, int(c.Sig.In[1].Dims[1])
	x := twoPlanes{narrow: narrow, n: size}
	x.first = x.of(c.In[0], group*real+2*pair)
	if 2*pair+1 < real {
		x.second = x.of(c.In[0], group*real+2*pair+1)
	} else {
		none := take(&own, size)
		clear(none)
		x.second = unsafe.Pointer(unsafe.SliceData(none))
	}
	if m.h.plain() && m.w.plain() {
		x.pair(to)
		return
	}
	if m.h.stride == 1 && m.w.stride == 1 && m.w.before >= 0 && size <= roundPart {
		m.roundLines(x, to[:m.laid.size])
		return
	}
	pairs := take(&own, size)
	x.pair(pairs)
	m.laid.lay(k.t, k.f, pairs, to[:m.laid.size], own, 0)
}

// A twoPlanes is two planes of n elements each, of f32 or, narrow, of bf16.
type twoPlanes struct {
	first, second unsafe.Pointer
	n             int
	narrow        bool
}

// bytes is the size of an element.
func (x *twoPlanes) bytes() int {
	if x.narrow {
		return 2
	}
	return 4
}

// of is where a plane of an operand begins.
func (x *twoPlanes) of(b []byte, plane int) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(b[x.bytes()*plane*x.n:][:x.bytes()*x.n]))
}

// rounded is an element of a plane in bf16.
func (x *twoPlanes) rounded(b []byte, plane, i int) uint16 {
	if x.narrow {
		return halves(b)[plane*x.n+i]
	}
	return tile.Rounded(floats(b)[plane*x.n+i])
}

// rounding is the record that makes pairs of the elements from one on.
func (x *twoPlanes) rounding(from int) tile.Halves {
	at := x.bytes() * from
	return tile.Halves{X: unsafe.Add(x.first, at), X2: unsafe.Add(x.second, at), Narrow: x.narrow}
}

// pair writes the pairs of all elements.
func (x *twoPlanes) pair(to []float32) {
	for at := 0; at < x.n; at += roundPart {
		h := x.rounding(at)
		h.Y, h.N = (*uint16)(unsafe.Pointer(&to[at])), min(roundPart, x.n-at)
		h.Run()
	}
}

// roundLines lays a pair of channels out for windows with no stride.
func (m *image) roundLines(x twoPlanes, to []float32) {
	p := m.laid
	first, end := p.reach(0)
	cols := min(m.w.in, p.pitch-m.w.before)
	if end == first || cols <= 0 {
		clear(to)
		return
	}
	clear(to[:first*p.pitch])
	clear(to[end*p.pitch:])
	lines := to[first*p.pitch : end*p.pitch]
	if p.pitch <= clearedPitch {
		clear(lines)
	} else {
		for l := range end - first {
			clear(lines[l*p.pitch:][:m.w.before])
			clear(lines[l*p.pitch:][m.w.before+cols : p.pitch])
		}
	}
	h := x.rounding((first - m.h.before) * m.w.in)
	h.Y, h.N, h.Rows, h.PitchX, h.PitchY = (*uint16)(unsafe.Pointer(&lines[m.w.before])), cols, end-first, uintptr(x.bytes()*m.w.in),
		uintptr(4*p.pitch)
	h.Run()
}

// clearedPitch is the elements of a line up to which it takes less time to clear it as a whole than its borders.
const clearedPitch = 256

// pairTemp is the elements that layPair needs besides.
func (k conv) pairTemp(m *image, real int) int {
	return (1+real%2)*m.h.in*m.w.in + m.laid.temp()
}

// pairsIn are the pairs of bf16 in the memory of x.
func pairsIn(x []float32) []uint16 {
	return unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(x))), 2*len(x))
}

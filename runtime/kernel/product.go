package kernel

// This file computes matrix products: rows of A as they lie, times panels of B, which are packed
// when B is a constant, read in place when it is not, and packed tile by tile when it is
// transposed as well.
//
// The blocking is Goto's (Anatomy of High-Performance Matrix Multiplication, 2008) with two of
// its loops left out. B is packed into panels of a few vectors' width, so that the inner loop
// reads it in sequence; a chain of at most maxK rows of a panel stays in the second cache while
// all rows of A go over it. A is read where it is: its rows are used by one panel at a time,
// MaxRows of them together, which keeps as many streams as the processor prefetches. The
// innermost loop is tile.Product, in assembly.
//
// Sums are in float32, in the order of k, which does not depend on the cut or on the number of
// threads. The epilogue (bias, residual, bounds of an activation) is applied to the sums while
// they are in registers.

import (
	"errors"
	"fmt"
	"math"
	"unsafe"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// Constants of the cut.
const (
	// maxK bounds the chain of one call of a tile: a longer one goes on from the stored sum. A
	// panel of so many rows stays in L2.
	maxK = 2048
	// tileWork is the multiply-adds of a tile of the grid, about 100 µs on the widest tier.
	tileWork = 5 << 20
)

// products lists the entries for products. A residual may be the result's memory only when there
// is one chain: with several, partial sums are stored in the result before the residual is read.
func products(t Tier) []*Entry {
	var out []*Entry
	for _, op := range []isa.Op{isa.MatMul, isa.Lookup("", "MatMul"), isa.Lookup("", "Gemm")} {
		k := matmul{t}
		out = append(out, &Entry{Op: op, Name: op.String() + ".f32.panel", Match: k.match, Shape: k.shape, Cost: k.cost, Scratch: k.scratch,
			Split: k.split,
			Packs: []*Pack{{Operand: 1, Form: fmt.Sprintf("f32.panel%d", tile.Panel(t)), Size: k.packSize,
				Parts: func(s *Sig) int { return k.plan(s).cols }, Write: k.pack, Read: k.unpack}},
			Prepare: k.prepare, Run: k.run,
			InPlace: func(s *Sig, operand int) bool { return operand == 3 && k.plan(s).k <= maxK }}) // else partial sums would be stored over it
	}
	return out
}

// A matmul is MatMul, Gemm and the machine's product with bias, residual and bounds.
type matmul struct{ t Tier }

// A product is the cut and the places of one signature. m, n and k are the sizes of one product
// m×k times k×n. a and b are offsets in elements, one for each batch.
type product struct {
	m, n, k        int
	a, b           []int // where each batch begins, in elements
	tb             bool
	packs          bool // the panel is packed for each tile
	rows           int  // of a tile of the grid
	rowTiles, cols int  // cols counts panels
	lo, hi         float32
	bias, residual int // operands, or -1
	panel          int
}

// transposed gives the flags of the operands.
func transposed(s *Sig) (ta, tb bool) {
	if s.Op() == isa.Lookup("", "Gemm") {
		return s.Inst.Int("transA", 0) != 0, s.Inst.Int("transB", 0) != 0
	}
	return s.Inst.Int("ta", 0) != 0, s.Inst.Int("tb", 0) != 0
}

// matrix splits dimensions into batch, rows and columns; a vector is a row on the left and a
// column on the right. This is numpy's rule for matmul, which ONNX and PyTorch share.
func matrix(dims []int64, left bool) (batch []int64, rows, cols int64) {
	switch n := len(dims); {
	case n >= 2:
		return dims[:n-2], dims[n-2], dims[n-1]
	case n == 1 && left:
		return nil, 1, dims[0]
	case n == 1:
		return nil, dims[0], 1
	}
	return nil, 0, 0
}

// Its errors are inner sizes that differ, and batch axes that do not broadcast. The axis that a
// vector stands for is left out of the result.
func (matmul) shape(s *Sig) ([][]int64, error) {
	if len(s.In) < 2 || len(s.In[0].Dims) == 0 || len(s.In[1].Dims) == 0 {
		return nil, errors.New("a product needs two operands with dimensions")
	}
	ta, tb := transposed(s)
	ab, m, k := matrix(s.In[0].Dims, true)
	bb, k2, n := matrix(s.In[1].Dims, false)
	if ta {
		m, k = k, m
	}
	if tb {
		k2, n = n, k2
	}
	if k != k2 {
		return nil, fmt.Errorf("the inner sizes %d and %d differ", k, k2)
	}
	batch, err := broadcast(ab, bb)
	if err != nil {
		return nil, err
	}
	out := append([]int64{}, batch...)
	if len(s.In[0].Dims) > 1 {
		out = append(out, m)
	}
	if len(s.In[1].Dims) > 1 {
		out = append(out, n)
	}
	return [][]int64{out}, nil
}

// broadcast joins dimensions as ONNX does. Its error names the two sizes. Missing axes are in
// front.
func broadcast(a, b []int64) ([]int64, error) {
	if len(a) < len(b) {
		a, b = b, a
	}
	out := append([]int64{}, a...)
	for i := range b {
		x, y := &out[len(a)-len(b)+i], b[i]
		switch {
		case *x == y || y == 1:
		case *x == 1:
			*x = y
		default:
			return nil, fmt.Errorf("the sizes %d and %d cannot be broadcast", *x, y)
		}
	}
	return out, nil
}

func sameDims(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// places finds the operands of the epilogue: a bias for each column and a matrix to add. A Gemm's
// C may be a row [1, n] as well, and a matrix of the result's sizes; other broadcasts are left to
// the reference.
func places(s *Sig, n int64) (bias, residual int, ok bool) {
	bias, residual = -1, -1
	for i := 2; i < len(s.In); i++ {
		switch x := &s.In[i]; {
		case x.Absent:
		case i == 2 && (len(x.Dims) == 1 && x.Dims[0] == n || s.Op() == isa.Lookup("", "Gemm") && sameDims(x.Dims, []int64{1, n})):
			bias = i
		case sameDims(x.Dims, s.Out[0].Dims) && residual < 0:
			residual = i
		default:
			return 0, 0, false
		}
	}
	return bias, residual, true
}

// match takes float32 and factors alpha and beta of 1; other factors are left to the reference. A
// transposed left factor would have its rows read with a stride; compilers of models hardly ever
// leave one, as the pass before has turned it.
func (k matmul) match(s *Sig) bool {
	ta, _ := transposed(s)
	if ta || !allPlain(s, tensor.Float32) || s.Inst.Float("alpha", 1) != 1 || s.Inst.Float("beta", 1) != 1 {
		return false
	}
	if s.Op() == isa.Lookup("", "Gemm") && (len(s.In[0].Dims) != 2 || len(s.In[1].Dims) != 2) {
		return false
	}
	_, rows, cols := matrix(s.In[1].Dims, false)
	if _, tb := transposed(s); tb {
		cols = rows
	}
	_, _, ok := places(s, cols)
	return ok
}

// The divisors are multiply-adds in a nanosecond on one thread of each tier.
func (k matmul) cost(s *Sig) float64 {
	_, _, inner := matrix(s.In[0].Dims, true)
	return 200 + float64(s.Out[0].Len())*float64(inner)/[...]float64{0.7, 45, 52}[k.t]
}

// bounds are those of an epilogue. relu is a lower bound of 0; none has infinite bounds, so the
// kernel clamps always and has one form.
func bounds(s *Sig) (lo, hi float32) {
	lo, hi = float32(math.Inf(-1)), float32(math.Inf(1))
	switch s.Inst.Str("act", "none") {
	case "relu":
		lo = 0
	case "clip":
		lo, hi = float32(s.Inst.Float("lo", math.Inf(-1))), float32(s.Inst.Float("hi", math.Inf(1)))
	}
	return lo, hi
}

func (k matmul) prepare(s *Sig) any { return k.plan(s) }

// plan: where all batches have one right factor, they are rows of one product. The right factor is packed into
// panels, once and for all if it is constant, else by each tile; tiles are then larger, to pack
// less often. rows is the number of rows of a tile such that a tile has about tileWork
// multiply-adds, and at least four blocks of rows, below which packing and calling would cost
// more than the product.
func (k matmul) plan(s *Sig) *product {
	ab, m, inner := matrix(s.In[0].Dims, true)
	bb, rows, n := matrix(s.In[1].Dims, false)
	p := &product{m: int(m), n: int(n), k: int(inner), panel: tile.Panel(k.t)}
	if _, p.tb = transposed(s); p.tb {
		p.n = int(rows)
	}
	p.lo, p.hi = bounds(s)
	p.bias, p.residual, _ = places(s, int64(p.n))
	batch, _ := broadcast(ab, bb)
	total := int64(1)
	for _, d := range bb {
		total *= d
	}
	if total == 1 { // one B for all: the batches are rows
		for _, d := range ab {
			p.m *= int(d)
		}
		p.a, p.b = []int{0}, []int{0}
	} else {
		p.a, p.b = offsets(batch, ab, int(m*inner)), offsets(batch, bb, int(rows*n))
	}
	p.packs = p.tb && (s.In[1].Const == nil || len(p.b) != 1)
	p.cols = (p.n + p.panel - 1) / p.panel
	p.rows = max(tileWork/max(p.k*p.panel, 1), 4*tile.MaxRows)
	if p.packs {
		p.rows = max(p.rows, 512)
	}
	p.cut()
	return p
}

// cut cuts rows evenly into tiles of at most so many.
func (p *product) cut() {
	p.rowTiles = (p.m + p.rows - 1) / p.rows
	p.rows = (p.m + max(p.rowTiles, 1) - 1) / max(p.rowTiles, 1)
}

// A follower is the packed panels that a product reads, of which those that come next are fetched while the last rows
// are multiplied: nobody may have read them yet. With few rows that takes longer than it saves.
// Prefetching pays when the panel that comes next is new, as for the last block of rows; fetched
// lines go to the second cache.
type follower struct {
	weights    []float32
	next, part int // where what is fetched next begins, and how much is fetched with a tile
}

// followRows is the least tiles of rows with which weights are fetched.
const followRows = 4

// follow begins with what is behind a part of the chain from b on, of so many lines; nothing is fetched where that is not wanted.
func follow(x *tile.Product, weights []float32, b, lines, width int, want bool) follower {
	for i := range x.Rows {
		x.Rows[i] = uintptr(i+1) * x.LDA
	}
	f := follower{weights, b + lines*width, lines * tile.Fetched / 16}
	if !want {
		f.next = len(weights)
	}
	return f
}

// step names what is fetched with the next tile.
func (f *follower) step(x *tile.Product) {
	if x.Next, x.NextStep = x.A, 0; f.next < len(f.weights) {
		x.Next, x.NextStep = unsafe.Pointer(&f.weights[f.next]), tile.Fetched
		f.next += f.part
	}
}

// offsets lists where the matrices of an operand begin for each batch. Batch axes of one element
// have stride 0, so that broadcasting copies nothing. The list is the cartesian product of
// positions, in row-major order; its memory is asked for first, since a batch may be large.
func offsets(batch, dims []int64, size int) []int {
	out := []int{0}
	stride := size
	var strides []int
	for i := len(dims) - 1; i >= 0; i-- {
		s := stride
		if dims[i] == 1 {
			s = 0
		}
		strides = append(strides, s)
		stride *= int(dims[i])
	}
	for i, d := range batch {
		s := 0
		if j := len(batch) - 1 - i; j < len(strides) {
			s = strides[j]
		}
		ask(8 * int64(len(out)) * d)
		next := make([]int, 0, len(out)*int(d))
		for _, o := range out {
			for x := range int(d) {
				next = append(next, o+x*s)
			}
		}
		out = next
	}
	return out
}

// scratch is one panel, where a thread packs for itself.
func (k matmul) scratch(s *Sig) int64 {
	if p := k.plan(s); p.packs {
		return int64(p.k) * int64(p.panel) * 4
	}
	return 0
}

func (k matmul) split(s *Sig) Grid {
	p := k.plan(s)
	return Grid{Tiles: len(p.a) * p.rowTiles * p.cols}
}

// panelWidth is the number of columns that a panel has in memory. It is a whole number of
// vectors, at most tile.Panel; the columns behind n are zeros.
func panelWidth(t Tier, n, first int) int {
	lanes := tile.Lanes(t)
	return min((n-first+lanes-1)/lanes*lanes, tile.Panel(t))
}

// packSize is that of all panels of a constant B, 0 when it is read as it is: batches of
// constants are rare.
func (k matmul) packSize(s *Sig) int64 {
	p := k.plan(s)
	if len(p.b) != 1 {
		return 0
	}
	size := int64(0)
	for j := 0; j < p.n; j += p.panel {
		size += int64(p.k) * int64(panelWidth(k.t, p.n, j)) * 4
	}
	return size
}

// pack writes a panel.
func (k matmul) pack(s *Sig, elems, dst []byte, part int) {
	p := k.plan(s)
	j := part * p.panel
	w := panelWidth(k.t, p.n, j)
	packPanel(k.t, floats(elems), floats(dst)[p.k*j:][:p.k*w], p, j, w)
}

// packPanel writes columns j to j+w of B, with zeros behind the last.
func packPanel(t Tier, b, out []float32, p *product, j, w int) {
	cols := min(w, p.n-j)
	if !p.tb {
		for r := range p.k {
			line := out[r*w : r*w+w]
			copy(line, b[r*p.n+j:r*p.n+j+cols])
			clear(line[cols:])
		}
		return
	}
	intoColumns(t, b[j*p.k:], p.k, cols, p.k, out, w)
}

// intoColumns writes n rows of x, so many elements of each, as the columns of lines of w elements, with zeros behind
// the last one. What the tier's transposes take at once is bounded. It is a transposition by
// squares of a vector's side, done in registers by the tier.
func intoColumns(t Tier, x []float32, pitch, n, length int, out []float32, w int) {
	lanes := tile.Lanes(t)
	p := tile.NewTurn()
	p.PitchX, p.PitchY = uintptr(4*pitch), uintptr(4*w)
	for c := 0; c < n; c += lanes {
		p.Rows = min(lanes, n-c)
		for at := 0; at < length; at += maxK {
			p.X, p.Y, p.Cols = unsafe.Pointer(&x[c*pitch+at]), unsafe.Pointer(&out[at*w+c]), min(maxK, length-at)
			p.Run(t)
		}
	}
	if n == w {
		return
	}
	for r := range length {
		clear(out[r*w+n : (r+1)*w])
	}
}

// unpack reads B from its panels.
func (k matmul) unpack(s *Sig, form, elems []byte) {
	p := k.plan(s)
	b := floats(elems)
	for j := 0; j < p.n; j += p.panel {
		w := panelWidth(k.t, p.n, j)
		panel := floats(form)[p.k*j:][:p.k*w]
		for r := range p.k {
			for c, x := range panel[r*w : r*w+min(w, p.n-j)] {
				if p.tb {
					b[(j+c)*p.k+r] = x
				} else {
					b[r*p.n+j+c] = x
				}
			}
		}
	}
}

// floats reads memory as f32.
func floats(b []byte) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/4)
}

// run computes one tile of a matrix product in float32: a block of rows with a panel of columns, in
// sections of maxK that accumulate, with bias and residual. Packed panels of whole vectors are multiplied
// while what comes next is fetched. With k = 0 the product is a sum of nothing: the chain is then
// empty and only the epilogue writes, which the loop does once.
func (k matmul) run(c *Call, worker, index int) {
	p := c.State.(*product)
	perBatch := p.rowTiles * p.cols
	batch, index := index/perBatch, index%perBatch
	j, i := index/p.rowTiles*p.panel, index%p.rowTiles*p.rows
	cols, rows := min(p.panel, p.n-j), min(p.rows, p.m-i)
	out := floats(c.Out[0])[batch*p.m*p.n:]
	x := tile.Product{LDC: uintptr(4 * p.n), LDR: uintptr(4 * p.n), LDA: uintptr(4 * p.k), Lo: p.lo, Hi: p.hi}
	x.Taps, x.NTaps = tile.PlainTaps()
	if p.bias >= 0 {
		x.Bias = unsafe.Pointer(&floats(c.In[p.bias])[j])
	}
	var res []float32
	if p.residual >= 0 {
		res = floats(c.In[p.residual])[batch*p.m*p.n:]
	}
	var a, b []float32
	if p.k > 0 {
		a = floats(c.In[0])[p.a[batch]:]
		b, x.LDB = k.panelOf(c, p, worker, batch, j)
	} else {
		x.NTaps = 0
		x.A, x.B = unsafe.Pointer(&out[0]), unsafe.Pointer(&out[0]) // not read
		x.K = 1
	}
	for k0 := 0; k0 == 0 || k0 < p.k; k0 += maxK {
		x.Flags = 0
		if k0 > 0 {
			x.Flags |= tile.Accumulate
		}
		if k0+maxK < p.k {
			x.Flags |= tile.Partial
		}
		if p.k > 0 {
			x.K = min(maxK, p.k-k0)
			x.B = unsafe.Pointer(&b[k0*int(x.LDB/4)])
		}
		packed := p.k > 0 && len(c.Packed[0]) > 0 && cols%tile.Lanes(k.t) == 0 && rows > followRows*tile.MaxRows // then whole vectors are stored
		var f follower
		if packed {
			f = follow(&x, floats(c.Packed[0]), p.k*j+k0*cols, x.K, cols, i+rows == p.m)
		}
		eachRows(i, rows, func(r, n int) {
			if p.k > 0 {
				x.A = unsafe.Pointer(&a[r*p.k+k0])
			}
			x.C = unsafe.Pointer(&out[r*p.n+j])
			if res != nil {
				x.Res = unsafe.Pointer(&res[r*p.n+j])
			}
			if !packed {
				x.Run(k.t, n, cols)
				return
			}
			f.step(&x)
			x.RunScattered(k.t, n, cols)
		})
	}
}

// panelOf gives the panel of columns from j on, and its pitch in bytes.
func (k matmul) panelOf(c *Call, p *product, worker, batch, j int) ([]float32, uintptr) {
	w := panelWidth(k.t, p.n, j)
	switch {
	case len(c.Packed[0]) > 0:
		return floats(c.Packed[0])[p.k*j:], uintptr(4 * w)
	case p.tb:
		b := floats(c.Scratch[worker])[:p.k*w]
		packPanel(k.t, floats(c.In[1])[p.b[batch]:], b, p, j, w)
		return b, uintptr(4 * w)
	}
	return floats(c.In[1])[p.b[batch]+j:], uintptr(4 * p.n)
}

// eachRows cuts rows evenly into tiles of at most MaxRows: 14 are 5, 5 and 4. Even blocks are
// faster than full ones and a rest: the innermost loop's speed falls with fewer rows.
func eachRows(first, rows int, f func(row, n int)) {
	tiles := (rows + tile.MaxRows - 1) / tile.MaxRows
	for t := range tiles {
		lo, hi := t*rows/tiles, (t+1)*rows/tiles
		f(first+lo, hi-lo)
	}
}

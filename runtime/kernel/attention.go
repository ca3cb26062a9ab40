package kernel

// This file computes attention: scores of some rows of queries with all keys of a head, their softmax, and the sums
// of values, so that scores never leave L2. Heads are read where they lie, also in rows that hold all of them.
//
// This is the scheme of FlashAttention (Dao et al., 2022) in its simplest form: a block of rows
// of queries against all keys of a head, whose scores fit the second cache. Since a block has
// whole rows, their maximum and sum are known before the values are multiplied, and no rescaling
// of partial results is needed. Division by the sum is done on the result's rows, which are
// shorter than the scores.
//
// Causal rows skip the keys behind them, but only when keys and values are finite: 0·∞ is NaN,
// and the reference computes all keys.

import (
	"errors"
	"fmt"
	"math"
	"unsafe"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

const (
	// attentionRows is the most rows of a tile, and attentionScores about the most bytes of its scores: half of L2.
	attentionRows   = 48
	attentionScores = 512 << 10
)

// attentions makes Attention of float32: keys are packed first, and then blocks of queries compute scores,
// softmax and the weighted sum, so that the scores of a block stay in the cache and never all exist.
func attentions(t Tier) []*Entry {
	k := attention{t, tile.RowsOf(t)}
	return []*Entry{{Op: isa.Lookup("", "Attention"), Name: "Attention.f32.blocks", Shape: k.shape, Match: k.match, Scratch: k.scratch,
		Shared: k.shared, Split: k.split,
		Cost: func(s *Sig) float64 {
			p, _ := k.plan(s)
			return 1000 + float64(p.batch*p.heads*p.length*p.keys)*float64(p.size+p.value)/[...]float64{0.7, 40, 50}[t]
		},
		Prepare: func(s *Sig) any { p, _ := k.plan(s); return p }, Run: k.run}}
}

type attention struct {
	t Tier
	f tile.Rows
}

// A headed is where the heads of an operand lie: the steps of a batch, of a head and of a row, in elements.
type headed struct{ batch, head, row int }

func (h headed) at(batch, head, row int) int { return batch*h.batch + head*h.head + row*h.row }

// An attended is the cut and the places of one signature. kv is the number of heads of keys and
// values; heads/kv heads of queries share one (grouped-query attention). value is the size of a
// value's row.
type attended struct {
	batch, heads, kv, length, keys, size, value int
	q, k, v, y                                  headed
	out                                         []int64
	mask                                        int // the operand, or -1
	maskAt                                      headed
	isBool                                      bool
	causal                                      bool
	scale                                       float32
	rows, blocks                                int // of a tile, tiles of a head
	panel, panels                               int // columns, and how many of a head's keys
	pitch                                       int // of scores
}

// heads reads the sizes of an operand of 3 or 4 dimensions, with the number of heads of the
// former. Operands of 4 axes are [batch, heads, length, size], those of 3 are [batch, length,
// heads·size], where n heads share a row.
func heads(o *Operand, n int64) (batch, heads, length, size int, at headed, err error) {
	switch d := o.Dims; {
	case len(d) == 4:
		batch, heads, length, size = int(d[0]), int(d[1]), int(d[2]), int(d[3])
		at = headed{heads * length * size, length * size, size}
	case len(d) == 3 && n > 0 && d[2]%n == 0:
		batch, heads, length, size = int(d[0]), int(n), int(d[1]), int(d[2]/n)
		at = headed{length * heads * size, size, heads * size}
	default:
		err = fmt.Errorf("%d heads of a tensor of the sizes %v", n, d)
	}
	return batch, heads, length, size, at, err
}

// plan checks the operands of ONNX's Attention and lays out its work. Queries, keys and values agree in
// batch, keys and values in length and heads, queries and keys in the size of a head; the heads of queries
// are a multiple. A mask broadcasts to the scores, except along the keys. Blocks of rows shrink until
// their scores fit the limit.
func (k attention) plan(s *Sig) (*attended, error) {
	if len(s.In) < 3 || s.In[0].Absent || s.In[1].Absent || s.In[2].Absent {
		return nil, errors.New("queries, keys or values are missing")
	}
	p := &attended{mask: -1, panel: tile.Panel(k.t)}
	n, kv := s.Inst.Int("q_num_heads", 0), s.Inst.Int("kv_num_heads", 0)
	var batch, kvs, length, size int
	var err error
	if p.batch, p.heads, p.length, p.size, p.q, err = heads(&s.In[0], n); err != nil {
		return nil, err
	}
	if batch, p.kv, p.keys, size, p.k, err = heads(&s.In[1], kv); err != nil {
		return nil, err
	}
	if batch != p.batch || size != p.size || p.kv < 1 || p.heads%p.kv != 0 {
		return nil, fmt.Errorf("queries of the sizes %v and keys of %v", s.In[0].Dims, s.In[1].Dims)
	}
	if batch, kvs, length, p.value, p.v, err = heads(&s.In[2], kv); err != nil {
		return nil, err
	}
	if batch != p.batch || kvs != p.kv || length != p.keys {
		return nil, fmt.Errorf("keys of the sizes %v and values of %v", s.In[1].Dims, s.In[2].Dims)
	}
	p.out, p.y = []int64{int64(p.batch), int64(p.heads), int64(p.length), int64(p.value)},
		headed{p.heads * p.length * p.value, p.length * p.value, p.value}
	if len(s.In[0].Dims) == 3 {
		p.out, p.y = []int64{int64(p.batch), int64(p.length), int64(p.heads * p.value)},
			headed{p.length * p.heads * p.value, p.value, p.heads * p.value}
	}
	p.causal = s.Inst.Int("is_causal", 0) != 0
	p.scale = float32(s.Inst.Float("scale", 1/math.Sqrt(float64(max(p.size, 1)))))
	p.panels = (p.keys + p.panel - 1) / p.panel
	p.pitch = p.panels * p.panel
	p.rows = attentionRows
	for p.rows > tile.MaxRows && 4*p.rows*p.pitch > attentionScores {
		p.rows -= tile.MaxRows
	}
	p.blocks = (p.length + p.rows - 1) / p.rows
	if m := s.Opt(3); !m.Absent {
		p.mask, p.isBool = 3, m.DType == tensor.Bool
		full := []int64{int64(p.batch), int64(p.heads), int64(p.length), int64(p.keys)}
		steps := [4]int{}
		own := dense(m.Dims)
		for i, d := range m.Dims {
			at := 4 - len(m.Dims) + i
			if at < 0 || at == 3 && d != full[3] || d != full[at] && d != 1 {
				return p, fmt.Errorf("a mask of the sizes %v for scores of %v", m.Dims, full)
			}
			if d == full[at] && d != 1 {
				steps[at] = own[i]
			}
		}
		if len(m.Dims) == 0 {
			return p, errors.New("a mask without dimensions")
		}
		p.maskAt = headed{steps[0], steps[1], steps[2]}
	}
	return p, nil
}

func (k attention) shape(s *Sig) ([][]int64, error) {
	p, err := k.plan(s)
	if p == nil {
		return nil, err
	}
	return [][]int64{p.out}, nil
}

// match leaves to the reference what models seldom have: a soft cap, windows, past keys and values as outputs.
func (k attention) match(s *Sig) bool {
	p, err := k.plan(s)
	if err != nil || p.size == 0 || p.keys == 0 || s.Inst.Float("softcap", 0) != 0 || s.Inst.Int("softmax_precision", 1) > 1 {
		return false
	}
	if s.Inst.Find("left_window_size") != nil || s.Inst.Find("right_window_size") != nil {
		return false
	}
	for i := range s.In {
		o := &s.In[i]
		if !o.Absent && (i > 3 || o.DType != tensor.Float32 && (i != 3 || o.DType != tensor.Bool)) {
			return false
		}
	}
	for i := range s.Out {
		if i > 0 && !s.Out[i].Absent {
			return false
		}
	}
	return s.Out[0].DType == tensor.Float32
}

// scratch has the scores of a tile, and a row of the mask in f32.
func (k attention) scratch(s *Sig) int64 {
	p, _ := k.plan(s)
	return 4 * int64(p.rows+1) * int64(p.pitch)
}

// shared has the keys of all heads times the scale, in panels, and for each panel what tells whether its keys and values are finite.
func (k attention) shared(s *Sig) int64 {
	p, _ := k.plan(s)
	return 4 * int64(p.batch) * int64(p.kv) * (int64(p.pitch)*int64(p.size) + 2*int64(p.panels))
}

func (k attention) split(s *Sig) Grid {
	p, _ := k.plan(s)
	return Grid{Tiles: max(p.batch*p.kv*p.panels, p.tiles()), Phases: 2}
}

func (p *attended) tiles() int { return p.batch * p.heads * p.blocks }

// keysOf are a head's keys in the shared memory.
func (p *attended) keysOf(c *Call, batch, head int) []float32 {
	return floats(c.Shared)[(batch*p.kv+head)*p.pitch*p.size:][:p.pitch*p.size]
}

// run packs keys in the first phase and computes blocks in the second.
func (k attention) run(c *Call, worker, index int) {
	p := c.State.(*attended)
	if tiles := max(p.batch*p.kv*p.panels, p.tiles()); index >= tiles {
		if index -= tiles; index < p.tiles() {
			k.block(c, p, worker, index)
		}
		return
	}
	if index < p.batch*p.kv*p.panels {
		head, panel := index/p.panels, index%p.panels
		k.pack(c, p, head/p.kv, head%p.kv, panel)
	}
}

// sizes are, for each panel of a head, the sums of its keys' and of its values' absolute values.
func (p *attended) sizes(c *Call, batch, head int) []float32 {
	return floats(c.Shared)[p.batch*p.kv*p.pitch*p.size+2*(batch*p.kv+head)*p.panels:][:2*p.panels]
}

// joined reports whether values have all heads in rows: the first head then speaks for all.
func (p *attended) joined() bool { return p.v.head < p.v.row }

// finite reports whether the keys and values of a head are. If not, keys that a causal row does not see still make it
// NaN, as minus infinity and nothing times infinity are. Sums of absolute values are infinite or
// NaN exactly when an element is, up to overflow, which only costs time.
func (p *attended) finite(c *Call, batch, head int) bool {
	of := func(head, which int) bool {
		for _, v := range p.sizes(c, batch, head)[which*p.panels:][:p.panels] {
			if v-v != 0 {
				return false
			}
		}
		return true
	}
	values := head
	if p.joined() {
		values = 0
	}
	return of(head, 0) && of(values, 1)
}

// pack writes a panel of keys times the scale: their elements in rows, with zeros behind the last
// key. The scale is put into the keys, which are fewer than the scores.
func (k attention) pack(c *Call, p *attended, batch, head, panel int) {
	x, to := floats(c.In[1])[p.k.at(batch, head, panel*p.panel):], p.keysOf(c, batch, head)[panel*p.panel*p.size:][:p.panel*p.size]
	n := min(p.panel, p.keys-panel*p.panel)
	intoColumns(k.t, x, p.k.row, n, p.size, to, p.panel)
	k.f.Normalize(to, to, 0, p.scale)
	if !p.causal {
		return
	}
	sizes := p.sizes(c, batch, head)
	sizes[panel], sizes[p.panels+panel] = k.f.SumAbs(to), 0
	if length := p.value; !p.joined() || head == 0 {
		if p.joined() {
			length = p.v.row
		}
		sizes[p.panels+panel] = k.f.SumAbs(floats(c.In[2])[p.v.at(batch, head, panel*p.panel):][:n*length])
	}
}

// block computes some rows of a head. Keys are multiplied panel by panel, scores become
// exponentials row by row, and the values' rows are summed with these weights. A row whose sum is
// 0 sees no key and stays 0.
func (k attention) block(c *Call, p *attended, worker, index int) {
	head, first := index/p.blocks, index%p.blocks*p.rows
	batch, head := head/p.heads, head%p.heads
	kv, n := head/(p.heads/p.kv), min(p.rows, p.length-first)
	scores := floats(c.Scratch[worker])[:(p.rows+1)*p.pitch]
	keys, skips := p.keys, p.causal && p.finite(c, batch, kv)
	if skips {
		keys = min(keys, first+n)
	}
	q, packed := floats(c.In[0])[p.q.at(batch, head, first):], p.keysOf(c, batch, kv)
	x := tile.Product{LDA: uintptr(4 * p.q.row), LDB: uintptr(4 * p.panel), LDC: uintptr(4 * p.pitch), K: p.size, Lo: float32(math.Inf(-1)),
		Hi: float32(math.Inf(1))}
	x.Taps, x.NTaps = tile.PlainTaps()
	for j := 0; j < keys; j += p.panel {
		x.B = unsafe.Pointer(&packed[j*p.size])
		eachRows(0, n, func(r, rows int) {
			x.A, x.C = unsafe.Pointer(&q[r*p.q.row]), unsafe.Pointer(&scores[r*p.pitch+j])
			x.Run(k.t, rows, min(p.panel, p.keys-j))
		})
	}
	var sums [attentionRows]float32
	for r := range n {
		row, seen := scores[r*p.pitch:][:keys], keys
		if skips {
			seen = min(seen, first+r+1)
		} else if p.causal {
			for j := first + r + 1; j < keys; j++ {
				row[j] += float32(math.Inf(-1))
			}
		}
		visible := seen
		if p.causal {
			visible = min(seen, first+r+1)
		}
		// by this the row of the result is divided
		sums[r] = k.softmax(row[:seen], visible, k.maskRow(c, p, batch, head, first+r, r > 0, scores[p.rows*p.pitch:]))
		clear(row[seen:])
	}
	v, y := floats(c.In[2])[p.v.at(batch, kv, 0):], floats(c.Out[0])[p.y.at(batch, head, first):]
	x.LDA, x.LDB, x.LDC = uintptr(4*p.pitch), uintptr(4*p.v.row), uintptr(4*p.y.row)
	for j := 0; j < p.value; j += p.panel {
		for k0 := 0; k0 < keys; k0 += maxK {
			x.K, x.Flags = min(maxK, keys-k0), 0
			if k0 > 0 {
				x.Flags |= tile.Accumulate
			}
			if k0+maxK < keys {
				x.Flags |= tile.Partial
			}
			x.B = unsafe.Pointer(&v[k0*p.v.row+j])
			eachRows(0, n, func(r, rows int) {
				x.A, x.C = unsafe.Pointer(&scores[r*p.pitch+k0]), unsafe.Pointer(&y[r*p.y.row+j])
				x.Run(k.t, rows, min(p.panel, p.value-j))
			})
		}
	}
	for r := range n {
		if line := y[r*p.y.row:][:p.value]; sums[r] != 0 { // else no key is seen
			k.f.Divide(line, line, sums[r])
		}
	}
}

// maskRow is what is added to a row of scores; nil: nothing. own keeps the row of a mask of
// bools; again says that it has the last row's. A mask of bools excludes where it is false.
func (k attention) maskRow(c *Call, p *attended, batch, head, row int, again bool, own []float32) []float32 {
	if p.mask < 0 {
		return nil
	}
	at := p.maskAt.at(batch, head, row)
	if !p.isBool {
		return floats(c.In[p.mask])[at:][:p.keys]
	}
	own = own[:p.keys]
	if again && p.maskAt.row == 0 {
		return own
	}
	for j, on := range elems[bool](c.In[p.mask])[at:][:p.keys] {
		own[j] = 0
		if !on {
			own[j] = float32(math.Inf(-1))
		}
	}
	return own
}

// softmax turns scores into exponentials that its result, their sum, is yet to divide: 0 when the mask lets none of
// the visible keys be seen. visible is how many keys the causal rule lets the row see. A row with
// a mask of -∞ for all of them gives 0, as the operator has it, and not NaN.
func (k attention) softmax(row []float32, visible int, mask []float32) float32 {
	if mask != nil {
		mask = mask[:len(row)]
		k.f.Two(tile.Add, row, mask, row)
	}
	most := k.f.Max(row)
	if mask != nil && (math.IsInf(float64(most), -1) || most != most) && math.IsInf(float64(k.f.Max(mask[:visible])), -1) {
		clear(row)
		return 0
	}
	return k.f.ExpSum(row, row, most)
}

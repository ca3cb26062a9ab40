package kernel

// This file computes LSTM, GRU (whose reset gate acts after its product) and RNN with their usual activations. The
// gates of 16 units stand side by side in a panel of weights. First all steps' products with the inputs are computed,
// then step by step those with the state go on from them. Every other step goes through the panels backwards: the
// weights that the step before read last are then still in the second cache, which has not room for all of them.
//
// The equations are those of ONNX's LSTM, GRU and RNN. For an LSTM with input x, state h and
// cells c:
//
//	i = σ(Wi·x + Ri·h + bi)    o = σ(Wo·x + Ro·h + bo)
//	f = σ(Wf·x + Rf·h + bf)    g = tanh(Wc·x + Rc·h + bc)
//	c' = f·c + i·g             h' = o·tanh(c')
//
// W·x does not depend on the steps before and is one product of time·batch rows. R·h has batch
// rows only and is limited by reading R once for each step: hence the panels, which keep all
// gates of a unit together so that a thread that has its sums can compute the unit's new state
// without waiting for others, and the order that turns around in every other step.

import (
	"errors"
	"math"
	"strings"
	"unsafe"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// In bf16 inputs, states and weights are rounded, two columns of weights are one, of elements that are pairs, and all else stays in f32.

// units is the number of units of a panel.
const units = tile.CellUnits

// inputRows is the number of rows of the inputs' product of one phase, panelWork the multiply-adds of a step
// that make a tile.
const (
	inputRows = 512
	panelWork = 1 << 16
)

// A recurrent is LSTM, GRU or RNN. The products with all inputs are computed at once, as one large product
// before the first step; only those with the state are left for the steps, each of which must wait for the one
// before. gates is how many rows of weights a unit has; acts are the activations that ONNX has as
// defaults, in lower case, f, g and h in turn.
type recurrent struct {
	t      Tier
	f      tile.Rows
	name   string
	gates  int
	acts   []string
	pairs  bool // it computes products in bf16
	blocks bool // those on the processor's tiles
}

// A network is one signature. Counts are in elements. A panel is units units of one direction
// with all their gates: width = gates·units columns. group is the panels of a tile. inner is
// GRU's recurrent bias of the third gate, which is inside of the reset's product. lo and hi are
// infinite, since nothing is clipped.
type network struct {
	time, batch, features, hidden, dirs int
	panels, group, tiles                int // panels of a direction, of a tile
	width                               int // columns of a panel
	columns, states                     int // of the weights of inputs and states
	inputPhases                         int
	bias                                []float32 // of the gates as in panels; of GRU also that of the reset product
	inner                               []float32
	lo, hi                              float32
	reverse                             bool
}

func recurrences(t Tier) []*Entry { return recurrentEntries(t, "f32") }

// recurrentEntries lists the entries of a kind of products: f32, bf16 or bf16.blocks. Form names
// of packed weights begin with the kind, so that f32 and bf16 forms of one constant are kept
// separately. Phases are those of the inputs and then one for each step, in which a tile is a
// group of panels of one direction.
func recurrentEntries(t Tier, kind string) []*Entry {
	var out []*Entry
	for _, k := range []recurrent{{name: "LSTM", gates: 4, acts: []string{"sigmoid", "tanh", "tanh"}},
		{name: "GRU", gates: 3, acts: []string{"sigmoid", "tanh"}},
		{name: "RNN", gates: 1, acts: []string{"tanh"}}} {
		k.t, k.f, k.pairs, k.blocks = t, tile.RowsOf(t), kind != "f32", kind == "bf16.blocks"
		pack := func(operand int) *Pack {
			return &Pack{Operand: operand, Form: kind + ".gates", Size: func(s *Sig) int64 {
				d := s.In[operand].Dims
				return 4 * d[0] * ((s.In[2].Dims[2] + units - 1) / units) * int64(k.columns(d[2])*k.gates*units)
			}, Write: func(s *Sig, from, to []byte, _ int) { k.pack(s, &s.In[operand], from, to) }}
		}
		out = append(out, &Entry{Op: isa.Lookup("", k.name), Name: k.name + "." + kind + ".panels", Tier: t, Shape: k.shape, Match: k.match,
			Cost:    func(s *Sig) float64 { return 1000 + float64(s.In[0].Len())*float64(s.In[1].Len())/50 },
			Scratch: k.scratch, Shared: k.shared,
			Split: func(s *Sig) Grid {
				n := k.plan(s)
				return Grid{Tiles: n.dirs * n.tiles, Phases: n.inputPhases + n.time}
			},
			Packs: []*Pack{pack(1), pack(2)}, Prepare: func(s *Sig) any { return k.prepare(s) }, Run: k.run})
	}
	return out
}

// scratch holds the products of states that go on to the gates, or of GRU's reset alone.
func (k recurrent) scratch(*Sig) int64 {
	if k.blocks {
		return 4 * tile.BlockRows * int64(k.gates) * units
	}
	return 4 * units
}

// columns is the number of columns of weights, or of pairs of them, in whole steps of tiles. In
// bf16 two neighbouring columns are one pair of 32 bits; on tiles the number of pairs is rounded
// up to whole blocks and the rest is zero.
func (k recurrent) columns(n int64) int {
	switch {
	case k.blocks:
		return int(n+2*tile.BlockPairs-1) / (2 * tile.BlockPairs) * tile.BlockPairs
	case k.pairs:
		return int(n / 2)
	}
	return int(n)
}

// shape demands the layout with the time in front and the weights of all gates below each other, as the
// operator has it by default. X is [time, batch, features], W [directions, gates·hidden,
// features] and R [directions, gates·hidden, hidden]. Results are Y [time, directions, batch,
// hidden] and the last states [directions, batch, hidden]; only as many are given as the
// instruction has.
func (k recurrent) shape(s *Sig) ([][]int64, error) {
	if len(s.In) < 3 || s.In[0].Absent || s.In[1].Absent || s.In[2].Absent || len(s.In[0].Dims) != 3 || len(s.In[1].Dims) != 3 ||
		len(s.In[2].Dims) != 3 {
		return nil, errors.New("operands are missing or not of three dimensions")
	}
	x, w, r := s.In[0].Dims, s.In[1].Dims, s.In[2].Dims
	hidden := r[2]
	if rows := int64(k.gates) * hidden; w[1] != rows || r[1] != rows || w[2] != x[2] || w[0] != r[0] || s.Inst.Int("layout", 0) != 0 {
		return nil, errors.New("the sizes do not fit, or the layout is another one")
	}
	state := []int64{w[0], x[1], hidden}
	return [][]int64{{x[0], w[0], x[1], hidden}, state, state}[:min(len(s.Inst.Out), 3)], nil
}

// match accepts float32 with constant weights and biases, an initial state but no lengths or peepholes,
// the directions forward, reverse and bidirectional, the default activations, and sizes other than 0. A
// GRU needs linear_before_reset; clip and input_forget are refused.
func (k recurrent) match(s *Sig) bool {
	if !allPlain(s, tensor.Float32) || s.In[1].Const == nil || s.In[2].Const == nil || !s.Opt(3).Absent && s.In[3].Const == nil {
		return false
	}
	for i := 4; i < len(s.In); i++ { // lengths and peepholes
		if !s.In[i].Absent && i != 5 && (i != 6 || k.name != "LSTM") {
			return false
		}
	}
	if s.Inst.Find("clip") != nil || s.Inst.Int("input_forget", 0) != 0 || k.name == "GRU" && s.Inst.Int("linear_before_reset", 0) == 0 {
		return false
	}
	x, w := s.In[0].Dims, s.In[1].Dims
	dirs := w[0]
	switch s.Inst.Str("direction", "forward") {
	case "forward", "reverse":
		if dirs != 1 {
			return false
		}
	case "bidirectional":
		if dirs != 2 {
			return false
		}
	default:
		return false
	}
	if h := s.Inst.Int("hidden_size", s.In[2].Dims[2]); h != s.In[2].Dims[2] {
		return false
	}
	if b := s.Opt(3); !b.Absent && !sameDims(b.Dims, []int64{dirs, 2 * w[1]}) {
		return false
	}
	state := []int64{dirs, x[1], s.In[2].Dims[2]}
	for _, i := range []int{5, 6} {
		if o := s.Opt(i); !o.Absent && !sameDims(o.Dims, state) {
			return false
		}
	}
	if a, ok := s.Inst.Find("activations").GetV().(*isa.Attr_Strings); ok {
		for i, name := range a.Strings.GetList() {
			if strings.ToLower(string(name)) != k.acts[i%len(k.acts)] {
				return false
			}
		}
	}
	if k.pairs && !k.blocks && (x[2]%2 != 0 || state[2]%2 != 0) {
		return false
	}
	return x[0] > 0 && x[1] > 0 && x[2] > 0 && state[2] > 0
}

// plan cuts the units of the state into panels, and those into tiles of at least panelWork. With products in
// bfloat16 there is one phase more, which rounds the inputs. A tile has at least panelWork
// multiply-adds in a step, which bounds what the pool costs; small networks are one tile.
func (k recurrent) plan(s *Sig) *network {
	x := s.In[0].Dims
	n := &network{time: int(x[0]), batch: int(x[1]), features: int(x[2]), hidden: int(s.In[2].Dims[2]), dirs: int(s.In[1].Dims[0]),
		width: k.gates * units,
		lo:    float32(math.Inf(-1)), hi: float32(math.Inf(1)), reverse: s.Inst.Str("direction", "forward") == "reverse"}
	n.columns, n.states = k.columns(x[2]), k.columns(s.In[2].Dims[2])
	n.panels = (n.hidden + units - 1) / units
	n.group = min(max(1, panelWork/(n.hidden*n.width*n.batch)), n.panels)
	n.tiles = (n.panels + n.group - 1) / n.group
	n.inputPhases = (n.time*n.batch + inputRows - 1) / inputRows
	if k.pairs {
		n.inputPhases++ // in the first one the inputs are rounded
	}
	return n
}

// prepare adds the two biases of each gate; only GRU's third gate needs them apart, as reset multiplies the
// recurrent part alone.
func (k recurrent) prepare(s *Sig) *network {
	n := k.plan(s)
	size := n.dirs * n.panels * n.width
	n.bias, n.inner = make([]float32, size), make([]float32, size)
	if s.Opt(3).Absent {
		return n
	}
	b := floats(s.In[3].Const)
	rows := k.gates * n.hidden
	k.each(n, func(dir, gate, unit, at int) {
		w, r := b[dir*2*rows+gate*n.hidden+unit], b[dir*2*rows+rows+gate*n.hidden+unit]
		if k.name == "GRU" && gate == 2 { // reset multiplies its recurrent part alone
			n.bias[at], n.inner[at] = w, r
		} else {
			n.bias[at] = w + r
		}
	})
	return n
}

// each calls f for all rows of the weights with their place in panels.
func (k recurrent) each(n *network, f func(dir, gate, unit, at int)) {
	for dir := range n.dirs {
		for unit := range n.hidden {
			for gate := range k.gates {
				f(dir, gate, unit, ((dir*n.panels+unit/units)*k.gates+gate)*units+unit%units)
			}
		}
	}
}

// pack writes [direction, gate·unit, column] as [direction, panel, column, gate, unit of the panel].
func (k recurrent) pack(s *Sig, o *Operand, elements, dst []byte) {
	n := k.plan(s)
	cols := int(o.Dims[2])
	from, to, pairs := floats(elements), floats(dst), halves(dst)
	clear(to)
	k.each(n, func(dir, gate, unit, at int) {
		line := from[((dir*k.gates+gate)*n.hidden+unit)*cols:][:cols]
		panel, place := at/n.width, at%n.width
		for c, v := range line {
			if k.pairs {
				pairs[2*((panel*k.columns(o.Dims[2])+c/2)*n.width+place)+c%2] = tile.Rounded(v)
			} else {
				to[(panel*cols+c)*n.width+place] = v
			}
		}
	})
}

// shared holds the gates [direction, panel, time·batch, width], the states h of two steps
// [2, direction, batch, hidden], and those of cells [direction, batch, hidden]; in bf16 also the inputs and the states of two steps, in
// pairs.
func (k recurrent) shared(s *Sig) int64 {
	n := k.plan(s)
	size := int64(n.dirs*n.panels*n.width)*int64(n.time*n.batch) + 3*int64(n.dirs*n.batch*n.hidden)
	if k.pairs {
		size += int64(n.time*n.batch)*int64(n.columns) + 2*int64(n.dirs*n.batch*n.states)
	}
	return 4 * size
}

// A steps is the shared memory of a call.
type steps struct {
	gates, cells []float32
	h, factors   [2][]float32 // factors are what is multiplied with weights: the states, or pairs of them
	inputs       []float32
}

// memory cuts the memory that all threads share.
func (k recurrent) memory(n *network, c *Call) steps {
	all := floats(c.Shared)
	z := n.dirs * n.batch * n.hidden
	m := steps{gates: take(&all, n.dirs*n.panels*n.width*n.time*n.batch), cells: take(&all, z), inputs: floats(c.In[0])}
	for i := range m.h {
		m.h[i] = take(&all, z)
		m.factors[i] = m.h[i]
	}
	if k.pairs {
		m.inputs = take(&all, n.time*n.batch*n.columns)
		for i := range m.factors {
			m.factors[i] = take(&all, n.dirs*n.batch*n.states)
		}
	}
	return m
}

// keep rounds states of a row, of all directions, from a unit on for the products. In f32 the
// factors are the states themselves and there is nothing to do.
func (k recurrent) keep(n *network, m *steps, which, row, unit int, h []float32) {
	if k.pairs {
		roundTo(pairsIn(m.factors[which])[2*row*n.states+unit:], h, nil)
	}
}

// round rounds the inputs whose turn it is, and fills rows up to whole pairs.
func (k recurrent) round(c *Call, n *network, m *steps, index int) {
	tiles, rows := n.dirs*n.tiles, n.time*n.batch
	to := pairsIn(m.inputs)
	for r := index * rows / tiles; r < (index+1)*rows/tiles; r++ {
		line := to[2*r*n.columns:][:2*n.columns]
		roundTo(line, floats(c.In[0])[r*n.features:][:n.features], nil)
		clear(line[n.features:])
	}
	if index == 0 {
		for _, f := range m.factors {
			clear(f)
		}
	}
}

// run is one tile of one phase: first the inputs, then a phase for each step. Every second step goes through
// its tiles backwards: what the last step of a thread has read is still in its cache.
func (k recurrent) run(c *Call, worker, index int) {
	n := c.State.(*network)
	mem := k.memory(n, c)
	tiles := n.dirs * n.tiles
	phase, index := index/tiles, index%tiles
	if k.pairs && phase == 0 {
		k.round(c, n, &mem, index)
		return
	}
	back := phase >= n.inputPhases && (phase-n.inputPhases)%2 == 1
	if back {
		index = tiles - 1 - index
	}
	dir := index / n.tiles
	first := index % n.tiles * n.group
	end := min(first+n.group, n.panels)
	for i := range end - first {
		p := first + i
		if back {
			p = end - 1 - i
		}
		if phase < n.inputPhases {
			k.input(c, n, &mem, dir, p, phase)
		} else {
			k.step(c, n, &mem, dir, p, phase-n.inputPhases, floats(c.Scratch[worker]))
		}
	}
}

// tile computes a tile of a product.
func (k recurrent) tile(p *tile.Product, rows, cols int) {
	if k.pairs {
		p.RunPairs(rows, cols)
	} else {
		p.Run(k.t, rows, cols)
	}
}

// product computes rows times a panel's columns. It computes out += or = a·b (+ bias) for columns
// first to first+cols of a panel, in chains of at most maxK so that the weights of one chain stay
// in the cache. a has rows lines of lda elements. With goOn what is in out is added to. On tiles
// (AMX) block has computed the product and only the bias is added here, by a product with a pair
// of zeros.
func (k recurrent) product(n *network, a, b, out []float32, lda, inner, rows, first, cols int, bias []float32, goOn bool) {
	p := tile.Product{LDA: uintptr(4 * lda), LDB: uintptr(4 * n.width), LDC: uintptr(4 * n.width), Lo: n.lo, Hi: n.hi}
	p.Taps, p.NTaps = tile.PlainTaps()
	if k.blocks {
		k.block(n, a, b, out, inner, rows)
		inner, goOn = 1, true // what is left is to add the bias, with a pair of zeros
		a, b, lda, p.LDA = zeros[:], zeros[:], 0, 0
	}
	panel := tile.Panel(k.t)
	for j := first; j < first+cols; j += panel {
		for k0 := 0; k0 < inner; k0 += maxK {
			p.K = min(maxK, inner-k0)
			p.Flags, p.Bias = 0, nil
			if k0 > 0 || goOn {
				p.Flags = tile.Accumulate
			}
			if k0+p.K == inner && bias != nil {
				p.Bias = unsafe.Pointer(&bias[j])
			}
			p.B = unsafe.Pointer(&b[k0*n.width+j])
			eachRows(0, rows, func(r, count int) {
				p.A, p.C = unsafe.Pointer(&a[r*lda+k0]), unsafe.Pointer(&out[r*n.width+j])
				k.tile(&p, count, min(panel, first+cols-j))
			})
		}
	}
}

// zeros are a line of the widest panel.
var zeros [256]float32

// block computes rows times a panel's columns on tiles.
func (k recurrent) block(n *network, a, b, out []float32, inner, rows int) {
	p := tile.Block{LDA: uintptr(4 * inner), StepA: 4 * tile.BlockPairs, B: unsafe.Pointer(&b[0]), LDB: uintptr(4 * n.width),
		StepB: uintptr(4 * n.width * tile.BlockPairs),
		LDC:   uintptr(4 * n.width), Steps: inner / tile.BlockPairs, Pairs: tile.BlockPairs}
	p.Taps, p.NTaps = tile.PlainTaps()
	for r := 0; r < rows; r += tile.BlockRows {
		p.A, p.C = unsafe.Pointer(&a[r*inner]), unsafe.Pointer(&out[r*n.width])
		p.Run(min(tile.BlockRows, rows-r), n.width)
	}
}

// goOn adds the products of states to gates, but those of GRU's reset, which stay in temp. The
// blocks overwrite their result, so it goes through temp and is added by an ending that reads
// both.
func (k recurrent) goOn(n *network, factors, weights, gates, temp []float32, rows int) {
	k.block(n, factors, weights, temp, n.states, rows)
	cols := n.width
	if k.name == "GRU" {
		cols = 2 * units
	}
	e := tile.Ending{X: unsafe.Pointer(&temp[0]), PitchX: uintptr(4 * n.width), Y: unsafe.Pointer(&gates[0]), PitchY: uintptr(4 * n.width),
		Rows: rows, Lo: n.lo, Hi: n.hi}
	e.Res = e.Y
	e.Run(cols)
}

// input computes a block of rows of the inputs' product, and in the first one the initial states.
// In the phase of the first rows the initial states are set as well: zeros, or operands 5 and 6.
// They must be there before the first step, which is a later phase.
func (k recurrent) input(c *Call, n *network, mem *steps, dir, panel, phase int) {
	if k.pairs {
		phase--
	}
	total := n.time * n.batch
	first := phase * inputRows
	rows := min(inputRows, total-first)
	at := (dir*n.panels + panel) * n.width
	x, w, gates := mem.inputs[first*n.columns:], floats(c.Packed[0])[at*n.columns:], mem.gates[at*total+first*n.width:]
	k.product(n, x, w, gates, n.columns, n.columns, rows, 0, n.width, n.bias[at:], false)
	if phase > 0 {
		return
	}
	for b := range n.batch {
		from := (dir*n.batch+b)*n.hidden + panel*units
		count := min(units, n.hidden-panel*units)
		for i, x := range [][]float32{mem.h[0], mem.cells} {
			if o := c.Sig.Opt(5 + i); o.Absent {
				clear(x[from : from+count])
			} else {
				copy(x[from:from+count], floats(c.In[5+i])[from:from+count])
			}
		}
		k.keep(n, mem, 0, dir*n.batch+b, panel*units, mem.h[0][from:from+count])
	}
}

// step computes the units of a panel at a step. now and 1-now are the two copies of the states: a
// step reads the old one, which other tiles read as well, and writes the new one. Backward
// directions have their time reversed here, so results are at their place in time. GRU has the
// order z, r, h of gates and h' = (1-z)·h~ + z·h; its reset gate multiplies the product
// (linear_before_reset), so the third gate's recurrent part is computed separately. Explicit
// float32 conversions keep the compiler from fusing a multiplication and an addition, which would
// round differently on other processors.
func (k recurrent) step(c *Call, n *network, mem *steps, dir, panel, step int, temp []float32) {
	t := step
	if dir == 1 || n.reverse {
		t = n.time - 1 - step
	}
	now := step % 2
	old, next, factors := mem.h[now], mem.h[1-now], mem.factors[now]
	at := (dir*n.panels + panel) * n.width
	gates := mem.gates[at*n.time*n.batch+t*n.batch*n.width:][:n.batch*n.width]
	weights := floats(c.Packed[1])[at*n.states:]
	state := dir * n.batch * n.hidden
	count := min(units, n.hidden-panel*units)
	switch {
	case k.blocks:
	case k.name == "GRU":
		k.product(n, factors[dir*n.batch*n.states:], weights, gates, n.states, n.states, n.batch, 0, 2*units, nil, true)
	default:
		k.product(n, factors[dir*n.batch*n.states:], weights, gates, n.states, n.states, n.batch, 0, n.width, nil, true)
	}
	for b := range n.batch {
		if rows := min(tile.BlockRows, n.batch-b); k.blocks && b%tile.BlockRows == 0 {
			if k.name == "LSTM" { // its cells add them
				k.block(n, factors[(dir*n.batch+b)*n.states:], weights, temp, n.states, rows)
			} else {
				k.goOn(n, factors[(dir*n.batch+b)*n.states:], weights, gates[b*n.width:], temp, rows)
			}
		}
		g := gates[b*n.width : (b+1)*n.width]
		from := state + b*n.hidden + panel*units
		h := next[from : from+count]
		switch k.name {
		case "LSTM": // i, o, f, c
			more := zeros[:]
			if k.blocks {
				more = temp[b%tile.BlockRows*n.width:]
			}
			p := tile.Cell{Gates: unsafe.Pointer(&g[0]), More: unsafe.Pointer(&more[0]), C: unsafe.Pointer(&mem.cells[from]),
				H: unsafe.Pointer(&h[0]), N: count}
			p.Run(k.t)
		case "GRU": // z, r, h
			own := temp[:units]
			if k.blocks {
				own = temp[b%tile.BlockRows*n.width+2*units:][:units]
				for u := range own {
					own[u] += n.inner[at+2*units+u]
				}
			} else {
				k.reset(n, factors[(dir*n.batch+b)*n.states:], weights, own, n.inner[at:])
			}
			k.f.Sigmoid(g[:2*units], g[:2*units])
			for u := range units {
				g[2*units+u] += float32(g[units+u] * own[u])
			}
			k.f.Tanh(g[2*units:], g[2*units:])
			for u := range h {
				h[u] = float32((1-g[u])*g[2*units+u]) + float32(g[u]*old[from+u])
			}
		default:
			k.f.Tanh(g[:count], h)
		}
		k.keep(n, mem, 1-now, dir*n.batch+b, panel*units, h)
		if len(c.Out) > 0 && c.Out[0] != nil {
			copy(floats(c.Out[0])[((t*n.dirs+dir)*n.batch+b)*n.hidden+panel*units:], h)
		}
		if step == n.time-1 {
			for i, x := range [][]float32{h, mem.cells[from : from+count]} {
				if len(c.Out) > 1+i && c.Out[1+i] != nil {
					copy(floats(c.Out[1+i])[from:], x)
				}
			}
		}
	}
}

// reset computes one row of the recurrent part of GRU's third gate into temp.
func (k recurrent) reset(n *network, h, weights, temp, bias []float32) {
	const at = 2 * units
	p := tile.Product{LDA: uintptr(4 * n.states), LDB: uintptr(4 * n.width), LDC: 4 * units, Lo: n.lo, Hi: n.hi,
		Bias: unsafe.Pointer(&bias[at])}
	p.Taps, p.NTaps = tile.PlainTaps()
	for k0 := 0; k0 < n.states; k0 += maxK {
		p.K = min(maxK, n.states-k0)
		p.Flags = 0
		if k0 > 0 {
			p.Flags |= tile.Accumulate
		}
		if k0+p.K < n.states {
			p.Flags |= tile.Partial
		}
		p.A, p.B, p.C = unsafe.Pointer(&h[k0]), unsafe.Pointer(&weights[k0*n.width+at]), unsafe.Pointer(&temp[0])
		k.tile(&p, 1, units)
	}
}

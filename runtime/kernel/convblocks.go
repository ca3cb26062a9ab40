package kernel

// This file computes convolutions in bf16 with constant weights on the processor's tiles (AMX), where it has them:
// the weights' rows times columns of pixels, of planes of pairs of channels, as conv.go does. The chain of an element
// runs over steps of pairs, filled up with zeros, and there over the kernel's places, whatever the sizes of images
// are. Where a channel is one of few, each column of the kernel makes a channel of its own of it: a step has more
// pairs, and there are fewer. Where each pixel is seen by one place of the kernel alone, planes are not laid out
// before: a task does so with its panel, which is then in the caches.

import (
	"math"
	"unsafe"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

type convBlocks struct{ conv }

func (k convBlocks) entry(op isa.Op) *Entry {
	return &Entry{Op: op, Name: op.String() + ".bf16.blocks", Tier: k.t, Match: k.match, Shape: k.shape, Cost: atOnce,
		Scratch: k.scratch, Shared: k.shared, Split: k.split,
		Packs:   []*Pack{{Operand: 1, Form: "bf16.tiles", Size: k.packSize, Parts: func(s *Sig) int { return k.plan(s).parts() }, Write: k.pack}},
		Prepare: func(s *Sig) any { return k.plan(s) }, Run: k.run, InPlace: func(_ *Sig, operand int) bool { return operand == 3 }}
}

const (
	// nearPanels is from how many panels on a task lays its own one out, where the weights have at most nearWeights
	// bytes: they are read again for each panel, from the second cache. A panel is laid out for nearBlocks blocks at
	// least, which takes ten times as long.
	nearPanels, nearWeights, nearBlocks = 4, 1 << 20, 8
	// nearPitch is the pixels from one pair of channels of such a panel to the next: an odd number of lines, so that
	// they have places of their own in the first cache.
	nearPitch = blockPanel + 16
	// fewSteps is up to how many output channels times steps vectors take less time than tiles, of which a block has 16 rows.
	fewSteps = 8
	// blockChain bounds the steps of a block to some 100 µs.
	blockChain = 1 << 12
	// fewChannels is from how many channels of a group on tiles take less time than vectors, where there are several groups.
	fewChannels = 8
	// nearBytes is about what of the planes a task goes over again and again: it stays in the second cache.
	nearBytes = 512 << 10
	// blockPanel is the pixels of a block: its sums stay in the first cache.
	blockPanel = 128
	// tileSize is the elements of a tile of weights, which is 16 rows of 16 pairs.
	tileSize = 16 * tile.BlockPairs
)

// A blocking is one signature. Its channels are pairs, as many as there are in all steps of a tap.
type blocking struct {
	*image
	real         int  // channels of a group in the model
	spread       int  // columns of the kernel that make channels of their own; 1: none
	pairs, steps int  // of a step, and of a tap
	whole        int  // the distance of the planes of f32 from which spread ones are made
	blocks       int  // of output channels, each of BlockRows
	each, across int  // blocks and panels of a task
	parted       int  // tasks along the output channels
	near         bool // pixels are seen by one place of the kernel alone: a task lays its panel out itself, and nothing is laid out before
	few          bool // near ones of so few output channels that vectors take less time than tiles are set up in
}

// plan reads the signature; nil: it is none for this file. What it gives must not be changed.
func (k convBlocks) plan(s *Sig) *blocking {
	return read(s, k.key(asBlocks), func() *blocking { return k.blocking(s) })
}

// blocking lays out a convolution in blocks of pairs of channels, from the plan of conv; it returns nil
// where blocks do not pay or do not fit: one input channel, few channels in groups, or chains longer than
// blockChain. Columns of the kernel count as channels where there are few.
func (k convBlocks) blocking(s *Sig) *blocking {
	shared, err := k.conv.plan(s)
	if err != nil || shared.k == 0 || s.In[1].Dims[1] < 2 {
		return nil
	}
	if shared.groups > 1 && s.In[1].Dims[1] < fewChannels {
		return nil
	}
	own := *shared
	m := &blocking{image: &own, real: int(s.In[1].Dims[1]), spread: 1}
	channels := m.real
	if m.w.kernel > 1 && m.real*m.w.kernel <= 2*tile.BlockPairs {
		m.spread = m.w.kernel
		channels *= m.spread
		m.whole, m.slice = m.laid.size, m.laid.down*m.laid.phase
		m.channel = (m.slice+line-1)/line*line | line
	}
	m.steps = (channels + 2*tile.BlockPairs - 1) / (2 * tile.BlockPairs)
	m.pairs = ((channels+1)/2 + m.steps - 1) / m.steps
	m.channels = m.steps * m.pairs
	m.taps = nil
	for y := range m.h.kernel {
		for x := 0; x < m.w.kernel && m.n > 0; x += m.spread {
			at := y * m.h.dilation
			place := at%m.h.stride*m.laid.phase + at/m.h.stride*m.laid.pitch
			if m.spread == 1 {
				place = m.laid.at(at, x*m.w.dilation)
			}
			m.taps = append(m.taps, tile.Tap{B: uintptr(4 * place)})
		}
	}
	m.k = m.h.kernel * (m.w.kernel / m.spread) * m.channels
	if m.k > blockChain*tile.BlockPairs {
		return nil
	}
	m.panel = blockPanel
	m.panels = (m.n + m.panel - 1) / m.panel
	const cols = 2 * tile.FewRows // of a block of two tiles
	m.byRow = m.pitch != m.w.out && (m.w.out+cols-1)/cols*m.h.out <= (m.n+cols-1)/cols
	if m.byRow {
		m.panels = m.h.out * ((m.w.out + m.panel - 1) / m.panel)
	}
	m.blocks = (m.outs + tile.BlockRows - 1) / tile.BlockRows
	plain := m.h.plain() && m.w.plain() && m.real%2 == 0
	// whatever the sizes of images are: sums of vectors have other bits
	m.few = plain && m.n > 0 && m.outs <= tile.MaxRows && m.outs*m.steps <= fewSteps
	m.near = m.few || plain && m.panels >= nearPanels && 4*m.k*m.outs <= nearWeights
	m.cutTasks(convWork[k.t])
	return m
}

// cutTasks cuts the blocks of an image and group into tasks: into as many as threads can share well, first along what takes more memory.
func (m *blocking) cutTasks(work int) {
	images, most := max(m.batch*m.groups, 1), max(work/(m.k*m.panel*tile.BlockRows), 1)
	if m.near {
		parts := max(min((shares+images*m.panels-1)/(images*m.panels), m.blocks/nearBlocks), 1)
		m.across, m.each = 1, max((m.blocks+parts-1)/parts, 1)
		m.parted = (m.blocks + m.each - 1) / m.each
		m.tiles = m.batch * m.groups * m.parted * m.panels
		return
	}
	m.across = max(min(m.panels, most, nearBytes/(4*m.channels*m.panel)), 1)
	m.each = max(min(m.blocks, most/m.across), 1)
	type axis struct {
		each *int
		all  int
	}
	parts := func(a axis) int { return (a.all + *a.each - 1) / *a.each }
	first, second := axis{&m.across, m.panels}, axis{&m.each, m.blocks}
	if m.k*m.outs > m.channels*m.channel {
		first, second = second, first
	}
	for range 2 {
		want := max(shares/max(images*parts(second), 1), 1)
		*first.each = max(min(*first.each, (first.all+want-1)/want), 1)
		first, second = second, first
	}
	m.parted = parts(axis{&m.each, m.blocks})
	m.tiles = m.batch * m.groups * m.parted * parts(axis{&m.across, m.panels})
}

// match takes images and results of f32, and of bf16 between instructions that narrow.go lists: what is added then is of the result's type.
func (k convBlocks) match(s *Sig) bool {
	m := k.plan(s)
	if m == nil || !k.suits(s) || !narrowed(s, 0, 3) {
		return false
	}
	return (m.spread == 1 || s.In[0].DType == tensor.Float32) && (!m.residual || s.In[3].DType == s.Out[0].DType)
}

// scratch holds the sums of a block, or what laying planes out needs.
func (k convBlocks) scratch(s *Sig) int64 {
	m := k.plan(s)
	if m.near {
		return 4 * int64(tile.BlockRows*m.panel+m.channels*nearPitch)
	}
	laid := k.pairTemp(m.image, m.real)
	if m.spread > 1 {
		laid = max(m.laid.temp(), m.laid.phase)
	}
	return 4 * int64(max(laid, tile.BlockRows*m.panel))
}

// shared holds the planes of pairs, and before them those of f32 from which spread ones are made.
func (k convBlocks) shared(s *Sig) int64 {
	m := k.plan(s)
	if m.near {
		return 0
	}
	return 4 * int64(m.batch*m.groups) * int64(m.real*m.whole+m.channels*m.channel)
}

func (k convBlocks) split(s *Sig) Grid {
	m := k.plan(s)
	switch {
	case m.near:
		return Grid{Tiles: m.tiles}
	case m.spread > 1:
		return Grid{Tiles: m.tiles, Phases: convPhases + 1}
	}
	return Grid{Tiles: m.tiles, Phases: convPhases}
}

// tiles16 are the tiles of output channels of a group.
func (m *blocking) tiles16() int { return (m.outs + tile.FewRows - 1) / tile.FewRows }

// rowsOf are the output channels of a block.
func (m *blocking) rowsOf(block int) int { return min(tile.BlockRows, m.outs-block*tile.BlockRows) }

// weightsOf is where the weights of a block begin, and how many tiles a step has.
func (m *blocking) weightsOf(group, block int) (at, tiles int) {
	const each = tile.BlockRows / tile.FewRows
	return (group*m.tiles16() + each*block) * len(m.taps) * m.steps * tileSize, (m.rowsOf(block) + tile.FewRows - 1) / tile.FewRows
}

func (k convBlocks) packSize(s *Sig) int64 {
	m := k.plan(s)
	return 4 * int64(m.groups*m.tiles16()*len(m.taps)*m.steps) * tileSize
}

// parts are the blocks of all groups.
func (m *blocking) parts() int { return m.groups * m.blocks }

// pack writes the tiles of a block step by step, with zeros behind the last channel and the last output channel.
func (k convBlocks) pack(s *Sig, elements, dst []byte, part int) {
	m := k.plan(s)
	group, block := part/m.blocks, part%m.blocks
	at, tiles := m.weightsOf(group, block)
	flat := m.h.kernel * m.w.kernel
	to := pairsIn(floats(dst)[at:][:len(m.taps)*m.steps*tiles*tileSize])
	clear(to)
	from := make([]uint16, m.real*flat)
	channels, each := m.real*m.spread, 2*m.pairs
	for r := range m.rowsOf(block) {
		roundTo(from, floats(elements)[(group*m.outs+block*tile.BlockRows+r)*m.real*flat:][:m.real*flat], nil)
		for tap := range m.taps {
			for step := range m.steps {
				line := to[2*(((step*len(m.taps)+tap)*tiles+r/tile.FewRows)*tileSize+r%tile.FewRows*tile.BlockPairs):]
				first := step * each
				for i := range line[:min(each, channels-first)] {
					c := first + i
					if m.spread > 1 {
						line[i] = from[c/m.spread*flat+tap*m.spread+c%m.spread]
					} else {
						line[i] = from[c*flat+tap]
					}
				}
			}
		}
	}
}

// run is a tile of one of up to three phases, which all workers end before the next one begins:
// laying the image out with its padding, spreading pairs of channels, and the product. Near
// images need the last one alone.
func (k convBlocks) run(c *Call, worker, index int) {
	m := c.State.(*blocking)
	phase, index := index/m.tiles, index%m.tiles
	planes := floats(c.Shared)
	whole := take(&planes, m.batch*m.groups*m.real*m.whole)
	own := floats(c.Scratch[worker])
	switch {
	case m.near:
		k.multiply(c, m, nil, own, index)
	case m.spread > 1 && phase == 0:
		size := m.h.in * m.w.in
		for p, end := m.share(index, m.batch*m.groups*m.real); p < end; p++ {
			m.laid.lay(k.t, k.f, floats(c.In[0])[p*size:][:size], whole[p*m.whole:][:m.whole], own, 0)
		}
	case m.spread > 1 && phase == 1:
		for p, end := m.share(index, m.batch*m.groups*m.channels); p < end; p++ {
			group := p / m.channels
			m.spreadPair(whole[group*m.real*m.whole:], planes[p*m.channel:][:m.slice], own, p%m.channels)
		}
	case phase == 0:
		for p, end := m.share(index, m.batch*m.groups*m.channels); p < end; p++ {
			to := planes[p*m.channel:][:m.slice]
			if pair := p % m.channels; 2*pair < m.real {
				k.layPair(c, m.image, p/m.channels, pair, to, own, c.Sig.In[0].DType == tensor.BFloat16)
			} else {
				clear(to)
			}
		}
	default:
		k.multiply(c, m, planes, own, index)
	}
}

// spreadPair lays a pair of channels out that are channels of the model seen at columns of the kernel.
func (m *blocking) spreadPair(whole, to, own []float32, pair int) {
	place := func(channel int) (at, shift int) {
		x := channel % m.spread * m.w.dilation
		return channel/m.spread*m.whole + x%m.w.stride*m.laid.phase, x / m.w.stride
	}
	count := m.real * m.spread
	if 2*pair >= count {
		clear(to)
		return
	}
	first, shift := place(2 * pair)
	second, other := 0, 0
	if 2*pair+1 < count {
		second, other = place(2*pair + 1)
	} else {
		clear(own[:m.laid.phase])
	}
	n := m.laid.phase - max(shift, other) // pixels behind are in no window
	for r := range m.laid.down {
		row := r * m.laid.across * m.laid.phase
		from := own[:n]
		if 2*pair+1 < count {
			from = whole[second+row+other:][:n]
		}
		roundTo(pairsIn(to[r*m.laid.phase:]), whole[first+row+shift:][:n], from)
	}
}

// layPanel lays the pairs of channels of a panel out, and zeros behind them.
func (m *blocking) layPanel(c *Call, to []float32, image, panel int) {
	first, _, cols := m.pixelsOf(panel)
	size, real := byteSize(c.Sig.In[0].DType), m.real/2
	plane := size * m.h.in * m.w.in
	h := tile.Halves{X: unsafe.Pointer(&c.In[0][image*m.real*plane+size*first]), Y: (*uint16)(unsafe.Pointer(&to[0])), N: cols,
		Rows: real, PitchX: uintptr(2 * plane), PitchY: 4 * nearPitch, Narrow: size == 2}
	h.X2 = unsafe.Add(h.X, plane)
	h.Run()
	clear(to[real*nearPitch : m.channels*nearPitch])
}

// multiply computes the blocks of a task.
func (k convBlocks) multiply(c *Call, m *blocking, planes, sums []float32, task int) {
	tasks := m.tiles / (m.batch * m.groups)
	image, task := task/tasks, task%tasks
	group := image % m.groups
	part, across := task%m.parted*m.each, task/m.parted*m.across
	pitch := m.channel
	if m.near {
		pitch, planes = nearPitch, sums[tile.BlockRows*m.panel:]
	} else {
		planes = planes[image*m.channels*m.channel:]
	}
	b := tile.Block{LDA: 4 * tile.BlockPairs, LDB: uintptr(4 * pitch), StepB: uintptr(4 * pitch * m.pairs), LDC: uintptr(4 * m.panel),
		Steps: m.steps, Taps: &m.taps[0], NTaps: len(m.taps), Pairs: m.pairs, Packed: true}
	size := byteSize(c.Sig.Out[0].DType)
	e := tile.Ending{PitchX: uintptr(4 * m.panel), PitchY: uintptr(size * m.pixels), Lo: m.lo, Hi: m.hi, Narrow: size == 2}
	var list []run
	if !m.dense() { // made once: it takes as long to clear as some products
		list = make([]run, 0, blockPanel)
	}
	if m.near {
		m.layPanel(c, planes, image, across)
	}
	for block := part; block < min(part+m.each, m.blocks); block++ {
		at, tiles := m.weightsOf(group, block)
		b.A, b.StepA = unsafe.Pointer(&floats(c.Packed[0])[at]), uintptr(4*tileSize*tiles)
		e.Rows = m.rowsOf(block)
		out := image*m.outs + block*tile.BlockRows
		if m.bias {
			e.Bias = unsafe.Pointer(&floats(c.In[2])[group*m.outs+block*tile.BlockRows])
		}
		for panel := across; panel < min(across+m.across, m.panels); panel++ {
			first, place, cols := m.pixelsOf(panel)
			from := first
			if m.near {
				from = 0
			}
			b.B, b.C = unsafe.Pointer(&planes[from]), unsafe.Pointer(&sums[0])
			if m.few {
				k.multiplyFew(&b, e.Rows, cols)
			} else {
				b.Run(e.Rows, cols)
			}
			end := func(z run) {
				to := size * (out*m.pixels + z.to)
				e.X, e.Y = unsafe.Pointer(&sums[z.from]), unsafe.Pointer(&c.Out[0][to])
				if m.residual {
					e.Res = unsafe.Pointer(&c.In[3][to])
				}
				e.Run(z.n)
			}
			if m.dense() {
				end(run{0, place, cols})
				continue
			}
			for _, z := range m.runs(list[:0], first, cols) {
				end(z)
			}
		}
	}
}

// multiplyFew is the block on vectors, which read the tiles' weights: a step is a tap of theirs.
func (k convBlocks) multiplyFew(b *tile.Block, rows, cols int) {
	widest := tile.Panel(k.t)
	var taps [fewSteps]tile.Tap
	for i := range taps[:b.Steps] {
		taps[i] = tile.Tap{A: uintptr(i) * b.StepA, B: uintptr(i) * b.StepB}
	}
	p := tile.Product{A: b.A, LDA: b.LDA, LDB: b.LDB, LDC: b.LDC, K: b.Pairs, Taps: &taps[0], NTaps: b.Steps,
		Lo: float32(math.Inf(-1)), Hi: float32(math.Inf(1))}
	for at := 0; at < cols; at += widest {
		p.B, p.C = unsafe.Add(b.B, 4*at), unsafe.Add(b.C, 4*at)
		p.RunPairs(rows, min(widest, cols-at))
	}
}

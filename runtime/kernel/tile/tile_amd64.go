package tile

// This file chooses the tiles of a tier on amd64.

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// masks are the masks of AVX2 for 0 to 8 lanes.
var masks = func() (m [9][8]int32) {
	for n := range m {
		for i := range n {
			m[n][i] = -1
		}
	}
	return m
}()

func rowMasks() unsafe.Pointer { return unsafe.Pointer(&masks) }

// Panel is the number of columns of a full panel of packed weights.
func Panel(t Tier) int {
	if t == AVX512 {
		return 64
	}
	return 16
}

// Lanes is the number of columns of a vector.
func Lanes(t Tier) int {
	if t == AVX512 {
		return 16
	}
	return 8
}

// Run computes a tile of 1 to MaxRows rows and 1 to Panel(t) columns.
func (p *Product) Run(t Tier, rows, cols int) {
	switch t {
	case AVX512:
		w := (cols + 15) / 16
		p.Mask = 1<<(cols-16*(w-1)) - 1
		if p.LDB > farPitch {
			p.Flags |= far
		}
		products512[rows-1][w-1](hidden(p))
	case AVX2:
		w := (cols + 7) / 8
		p.Mask = uintptr(unsafe.Pointer(&masks[cols-8*(w-1)]))
		products256[rows-1][w-1](hidden(p))
	default:
		productGo(p, rows, cols)
	}
}

// RunScattered is Run for a panel that is packed, with rows of whole vectors: rows of A are where Rows says, and whole vectors of C are
// read and written. Of Bias only the columns are read.
func (p *Product) RunScattered(t Tier, rows, cols int) {
	switch t {
	case AVX512:
		w := (cols + 15) / 16
		p.Mask = 1<<(cols-16*(w-1)) - 1
		scattereds512[rows-1][w-1](hidden(p))
	case AVX2:
		w := (cols + 7) / 8
		p.Mask = uintptr(unsafe.Pointer(&masks[cols-8*(w-1)]))
		scattereds256[rows-1][w-1](hidden(p))
	default:
		p.scatteredGo(rows, cols)
	}
}

var hasVNNI = cpu.X86.HasAVX512VNNI

// RunIntegers is RunScattered for integers of 32 bits, which are sums of products of the integers of elements,
// without a bias and bounds. The tier is one of IntegerTier.
func (p *Product) RunIntegers(t Tier, rows, cols int) {
	switch t {
	case AVX512:
		scatteredsBytes[rows-1][(cols+15)/16-1](hidden(p))
	case AVX2:
		scatteredsWords[rows-1][(cols+7)/8-1](hidden(p))
	default:
		p.integersGo(rows, cols)
	}
}

// RowsOf gives the functions of rows of a tier.
func RowsOf(t Tier) Rows {
	switch t {
	case AVX512:
		return Rows{&rows512, &windows512, 16, machines[t]}
	case AVX2:
		return Rows{&rows256, &windows256, 8, machines[t]}
	}
	return Rows{}
}

// Before writes Bᵀ·x·B of the 6×6 pixels from X on to the places from Y on.
func (p *Winograd) Before(t Tier) {
	switch t {
	case AVX512:
		winograd512.before(hidden(p))
	case AVX2:
		winograd256.before(hidden(p))
	default:
		p.beforeGo(p.Vectors * Lanes(t))
	}
}

// After writes Aᵀ·x·A of the 6×6 places from X on, with the bias, to the 4×4 pixels from Y on.
func (p *Winograd) After(t Tier) {
	switch t {
	case AVX512:
		winograd512.after(hidden(p))
	case AVX2:
		winograd256.after(hidden(p))
	default:
		p.afterGo(p.Vectors * Lanes(t))
	}
}

// Weights writes G·x·Gᵀ of the 3×3 weights from X on to the places from Y on.
func (p *Winograd) Weights(t Tier) {
	switch t {
	case AVX512:
		winograd512.weights(hidden(p))
	case AVX2:
		winograd256.weights(hidden(p))
	default:
		p.weightsGo(p.Vectors * Lanes(t))
	}
}

// Run computes the rows.
func (p *Requantizing) Run(t Tier) {
	if p.most = mostRounded; t == Portable {
		p.inGo()
		return
	}
	p.Cols /= Lanes(t) / 2
	if t == AVX512 {
		requantize512(hidden(p))
	} else {
		requantize256(hidden(p))
	}
}

// Run computes a step.
func (p *Cell) Run(t Tier) {
	switch p.masks = rowMasks(); t {
	case AVX512:
		cell512(hidden(p))
	case AVX2:
		cell256(hidden(p))
	default:
		p.inGo()
	}
}

// Run computes the columns of a call.
func (p *Depth) Run(t Tier, d *DepthColumns) {
	switch t {
	case AVX512:
		p.masks = unsafe.Pointer(&d.bits)
		table := &depths512
		switch {
		case p.Largest:
			depthsLargest[d.Taps-2](hidden(p))
			return
		case d.woven:
			table = &depthsWoven
		case p.Narrow:
			table = &depthsBF16
		}
		table[d.Taps/2-1][d.Stride-1](hidden(p))
	case AVX2:
		p.masks = unsafe.Pointer(&d.vectors)
		depths256[d.Taps/2-1][d.Stride-1](hidden(p))
	default:
		p.depthGo(d)
	}
}

// Run copies rows of 1 to Panel(t) columns.
func (p *Columns) Run(t Tier, cols int) {
	switch t {
	case AVX512:
		w := (cols + 15) / 16
		p.mask = 1<<(cols-16*(w-1)) - 1
		panels512[w-1](hidden(p))
	case AVX2:
		w := (cols + 7) / 8
		p.mask = uintptr(unsafe.Pointer(&masks[cols-8*(w-1)]))
		panels256[w-1](hidden(p))
	default:
		columnsGo(p, cols)
	}
}

// setMasks sets the masks of rows and columns.
func (p *Turn) setMasks(t Tier) {
	lanes := Lanes(t)
	last := (p.Cols-1)%lanes + 1
	for i, n := range [...]int{lanes, last, p.Rows} {
		p.masks[i] = 1<<n - 1
		if t == AVX2 {
			p.masks[i] = uintptr(unsafe.Pointer(&masks[n]))
		}
	}
}

// Run transposes.
func (p *Turn) Run(t Tier) {
	switch t {
	case AVX512:
		p.setMasks(t)
		turn512(hidden(p))
	case AVX2:
		p.setMasks(t)
		turn256(hidden(p))
	default:
		p.turnGo()
	}
}

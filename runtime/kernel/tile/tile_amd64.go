package tile

// This file chooses the tiles of a tier on amd64.

import "unsafe"

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

// RowsOf gives the functions of rows of a tier.
func RowsOf(t Tier) Rows {
	switch t {
	case AVX512:
		return Rows{&rows512, &windows512, 16}
	case AVX2:
		return Rows{&rows256, &windows256, 8}
	}
	return Rows{}
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

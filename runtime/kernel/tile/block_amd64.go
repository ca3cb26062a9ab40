package tile

import (
	"sync"

	"golang.org/x/sys/cpu"
)

// HasBlocks reports whether a tier's processor multiplies tiles of bf16, and the operating system lets this process use them.
func HasBlocks(t Tier) bool {
	return HasBF16(t) && cpu.X86.HasAMXTile && cpu.X86.HasAMXBF16 && tilesAllowed()
}

var tilesAllowed = sync.OnceValue(allowTiles)

// The tiles' configuration: the palette, the bytes of each tile's rows from colsAt on, and its rows from rowsAt on.
const (
	tileRows    = 16
	colsAt      = 16
	rowsAt      = 48
	tilePalette = 1
)

// Run computes rows, 1 to BlockRows, and cols. HasBlocks must say that there are tiles.
func (p *Block) Run(rows, cols int) {
	r0, r1 := min(rows, tileRows), max(rows-tileRows, 0)
	p.config[0], p.first = tilePalette, 0
	if r1 == 0 {
		if p.count = uintptr(cols / WideCols); p.count > 0 {
			for i := range 4 {
				p.shape(i, r0, tileRows)
			}
			p.shape(4, r0, p.Pairs)
			for i := 5; i < 8; i++ {
				p.shape(i, p.Pairs, tileRows)
			}
			if p.Packed {
				block14Packed(hidden(p))
			} else {
				block14(hidden(p))
			}
			p.first, cols = p.count*4*WideCols, cols%WideCols
		}
	}
	if p.count = uintptr(cols / (2 * tileRows)); p.count > 0 {
		p.narrow(r0, r1, tileRows, tileRows)
		p.first, cols = p.first+p.count*4*2*tileRows, cols%(2*tileRows)
	}
	if p.count = 1; cols > 0 {
		p.narrow(r0, r1, min(cols, tileRows), max(cols-tileRows, 0))
	}
}

// narrow computes one or two tiles of rows, and count times as many of columns.
func (p *Block) narrow(r0, r1, c0, c1 int) {
	form := 0
	if c1 > 0 {
		form = 1
	}
	if r1 > 0 {
		form += 2
	}
	rows, cols := [2]int{r0, r1}, [2]int{c0, c1}
	tile := 0
	for r := range 1 + form/2 {
		for c := range 1 + form%2 {
			p.shape(tile, rows[r], cols[c])
			tile++
		}
	}
	for r := range 1 + form/2 {
		p.shape(tile, rows[r], p.Pairs)
		tile++
	}
	for c := range 1 + form%2 {
		p.shape(tile, p.Pairs, cols[c])
		tile++
	}
	for ; tile < 8; tile++ {
		p.shape(tile, 0, 0)
	}
	if p.Packed {
		form += 4
	}
	switch form { // no function values: the record would be in the heap
	case 0:
		block11(hidden(p))
	case 1:
		block12(hidden(p))
	case 2:
		block21(hidden(p))
	case 3:
		block22(hidden(p))
	case 4:
		block11Packed(hidden(p))
	case 5:
		block12Packed(hidden(p))
	case 6:
		block21Packed(hidden(p))
	case 7:
		block22Packed(hidden(p))
	}
}

// shape says that a tile has so many rows and columns of four bytes.
func (p *Block) shape(tile, rows, cols int) {
	p.config[colsAt+2*tile], p.config[rowsAt+tile] = byte(4*cols), byte(rows)
}

// Run ends cols columns on a processor for which HasBF16 says so.
func (p *Ending) Run(cols int) {
	each := 16 // of a vector of the result
	if p.Narrow {
		each = 32
	}
	before := (cols - 1) / each
	p.whole, p.mask = uintptr(4*each*before), 1<<(cols-each*before)-1
	switch {
	case p.Narrow:
		endingHalves(hidden(p))
	case p.Columns:
		endingColumns(hidden(p))
	default:
		ending(hidden(p))
	}
}

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

// Run computes rows, 1 to BlockRows, and cols, 1 to BlockCols, or WideCols of at most FewRows. HasBlocks must say that there are tiles.
func (p *Block) Run(rows, cols int) {
	r0, r1 := min(rows, tileRows), max(rows-tileRows, 0)
	c0, c1 := min(cols, tileRows), max(cols-tileRows, 0)
	p.config[0] = tilePalette
	if cols == WideCols {
		for i := range 4 {
			p.shape(i, r0, tileRows)
		}
		p.shape(4, r0, p.Pairs)
		for i := 5; i < 8; i++ {
			p.shape(i, p.Pairs, tileRows)
		}
		if p.Near {
			blockWideNear(hidden(p))
		} else {
			blockWide(hidden(p))
		}
		return
	}
	p.shape(0, r0, c0)
	p.shape(1, r0, c1)
	p.shape(2, r1, c0)
	p.shape(3, r1, c1)
	p.shape(4, r0, p.Pairs)
	p.shape(5, r1, p.Pairs)
	p.shape(6, p.Pairs, c0)
	p.shape(7, p.Pairs, c1)
	switch {
	case r1 > 0 && c1 > 0:
		block22(hidden(p))
	case r1 > 0:
		block21(hidden(p))
	case c1 > 0:
		block12(hidden(p))
	default:
		block11(hidden(p))
	}
}

// Run ends cols columns, 1 to WideCols, on a processor for which HasBF16 says so.
func (p *Ending) Run(cols int) {
	w := (cols + 15) / 16
	p.mask = 1<<(cols-16*(w-1)) - 1
	endings[w-1](hidden(p))
}

// shape says that a tile has so many rows and columns of four bytes; none of both where one is 0.
func (p *Block) shape(tile, rows, cols int) {
	if rows == 0 || cols == 0 {
		rows, cols = 0, 0
	}
	p.config[colsAt+2*tile], p.config[rowsAt+tile] = byte(4*cols), byte(rows)
}

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
	tileBytes   = 64
	colsAt      = 16
	rowsAt      = 48
	tilePalette = 1
)

// Run computes rows, 1 to BlockRows, and cols, 16 or 32, or WideCols of at most FewRows. HasBlocks must say that there are tiles.
func (p *Block) Run(rows, cols int) {
	first, second := min(rows, tileRows), max(rows-tileRows, 0)
	heights := [...]int{first, first, second, second, first, second, tileRows, tileRows}
	if cols == WideCols {
		heights = [...]int{first, first, first, first, first, tileRows, tileRows, tileRows}
	}
	p.config[0] = tilePalette
	for i, r := range heights {
		p.config[colsAt+2*i], p.config[rowsAt+i] = tileBytes, byte(r)
		if r == 0 {
			p.config[colsAt+2*i] = 0
		}
	}
	switch {
	case cols == WideCols:
		blockWide(hidden(p))
	case second > 0 && cols > tileRows:
		block22(hidden(p))
	case second > 0:
		block21(hidden(p))
	case cols > tileRows:
		block12(hidden(p))
	default:
		block11(hidden(p))
	}
}

//go:build !amd64

package tile

// HasBlocks is false where there are no such tiles.
func HasBlocks(Tier) bool { return false }

// Run is there for amd64 only.
func (p *Block) Run(rows, cols int) { panic("there are no tiles of bf16") }

// Run is there for amd64 only.
func (p *Ending) Run(cols int) { panic("there are no tiles of bf16") }

//go:build !amd64

package tile

// HasBF16 reports whether a tier's processor multiplies numbers of bf16.
func HasBF16(Tier) bool { return false }

// RunPairs is there for amd64 only.
func (p *Product) RunPairs(rows, cols int) { panic("there are no products of bf16") }

// RunScatteredPairs is there for amd64 only.
func (p *Product) RunScatteredPairs(rows, cols int) { panic("there are no products of bf16") }

// RunHalves is there for amd64 only.
func (p *Turn) RunHalves() { panic("there are no products of bf16") }

// Run is there for amd64 only.
func (p *Halves) Run() { panic("there are no products of bf16") }

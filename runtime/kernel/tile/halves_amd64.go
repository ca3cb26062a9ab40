package tile

import "golang.org/x/sys/cpu"

// HasBF16 reports whether a tier's processor multiplies numbers of bf16.
func HasBF16(t Tier) bool { return t == AVX512 && cpu.X86.HasAVX512BF16 }

// RunPairs is Run with pairs of bf16 for elements of A and B: each step of the chain adds the product of the second
// ones, then that of the first ones. HasBF16 must say that there are such products.
func (p *Product) RunPairs(rows, cols int) {
	w := (cols + 15) / 16
	p.Mask = 1<<(cols-16*(w-1)) - 1
	if p.LDB > farPitch {
		p.Flags |= far
	}
	productsBF16[rows-1][w-1](hidden(p))
}

// RunScatteredPairs is RunScattered with pairs of bf16, as RunPairs.
func (p *Product) RunScatteredPairs(rows, cols int) {
	w := (cols + 15) / 16
	p.Mask = 1<<(cols-16*(w-1)) - 1
	scatteredsBF16[rows-1][w-1](hidden(p))
}

// Run rounds on a processor for which HasBF16 says so.
func (p *Halves) Run() {
	p.mask = 1<<(p.N%16) - 1
	switch {
	case p.Narrow:
		halvesWoven(hidden(p))
	case p.X2 == nil:
		halvesRow(hidden(p))
	default:
		halvesPairs(hidden(p))
	}
}

// RunHalves rounds what it transposes to bf16, as Halves does, on a processor for which HasBF16 says so. Nothing is added or bounded.
func (p *Turn) RunHalves() {
	p.setMasks(AVX512)
	turnBF16(hidden(p))
}

package tile

// This file chooses the conversions of a tier on amd64.

// hasF16C says that the processor converts f16 in vectors of AVX2; those of AVX-512 always do.
var hasF16C = features()>>29&1 != 0

// features are the features that the first leaf of CPUID has in ECX.
func features() uint32

// widener is the assembly of a tier; nil: there is none.
func (h Half) widener(t Tier, back bool) func(*Widening) {
	switch {
	case t == AVX512 && h == F16 && back:
		return widenToF16512
	case t == AVX512 && h == F16:
		return widenF16512
	case t == AVX512 && back:
		return widenToBF16512
	case t == AVX512:
		return widenBF16512
	case t == AVX2 && h == F16 && !hasF16C:
	case t == AVX2 && h == F16 && back:
		return widenToF16256
	case t == AVX2 && h == F16:
		return widenF16256
	case t == AVX2 && back:
		return widenToBF16256
	case t == AVX2:
		return widenBF16256
	}
	return nil
}

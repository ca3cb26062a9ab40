package kernel

// This file tells what the processor has.

import (
	"fmt"
	"os"
	"strings"

	"shapecheck/runtime/kernel/tile"
)

// A Tier is a set of instructions that entries may use. A higher one includes the lower ones
// of its architecture.
type Tier = tile.Tier

// The tiers.
const (
	Portable = tile.Portable
	AVX2     = tile.AVX2   // with FMA
	AVX512   = tile.AVX512 // F, BW, DQ, VL
)

// TierEnv names the environment variable that lowers the tier: portable, avx2, avx512.
const TierEnv = "SHAPECHECK_TIER"

// Best is the highest tier of this processor.
func Best() Tier { return tile.Best() }

// ChooseTier gives the tier of that name, or, when the name is empty, the one that TierEnv
// names, else the best. A tier that the processor lacks is an error.
func ChooseTier(name string) (Tier, error) {
	if name == "" {
		name = os.Getenv(TierEnv)
	}
	if name == "" {
		return Best(), nil
	}
	for t := Portable; t <= AVX512; t++ {
		if strings.EqualFold(name, t.String()) {
			if t > Best() {
				return 0, fmt.Errorf("this processor has no %s; its best tier is %s", t, Best())
			}
			return t, nil
		}
	}
	return 0, fmt.Errorf("%q is no tier: there are portable, avx2 and avx512", name)
}

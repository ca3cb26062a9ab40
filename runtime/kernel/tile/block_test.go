package tile

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

// A block of whole numbers, whose sums are exact, is what sums in Go are, and nothing beside it is written.
func TestBlocks(t *testing.T) {
	if !HasBlocks(Best()) {
		t.Skip("the processor has no tiles of bf16")
	}
	r := rand.New(rand.NewPCG(1, 1))
	half := func(n int) ([]uint16, []float32) {
		x, y := make([]uint16, n), make([]float32, n)
		for i := range x {
			y[i] = float32(r.IntN(17) - 8)
			x[i] = Rounded(y[i])
		}
		return x, y
	}
	const pitch, width = WideCols + 5, WideCols
	for rows := 1; rows <= BlockRows; rows++ {
		for _, cols := range []int{16, 32, WideCols} {
			if cols == WideCols && rows > FewRows {
				continue
			}
			steps := 1 + r.IntN(4)
			k := 2 * BlockPairs * steps
			a, af := half(rows * k)
			b, bf := half(k * width) // lines of pairs
			c := make([]float32, rows*pitch)
			for i := range c {
				c[i] = 1e9
			}
			p := Block{A: unsafe.Pointer(&a[0]), LDA: uintptr(2 * k), B: unsafe.Pointer(&b[0]), LDB: 4 * width, C: unsafe.Pointer(&c[0]), LDC: 4 * pitch, Steps: steps}
			p.Run(rows, cols)
			for i := range rows {
				for j := range pitch {
					want := float32(1e9)
					if j < cols {
						want = 0
						for l := range k {
							want += af[i*k+l] * bf[l/2*2*width+2*j+l%2]
						}
					}
					if got := c[i*pitch+j]; got != want {
						t.Fatalf("%d rows, %d columns, %d steps: [%d, %d] is %v, not %v", rows, cols, steps, i, j, got, want)
					}
				}
			}
		}
	}
}

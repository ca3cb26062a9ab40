package tile

import (
	"math"
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
	const pitch, width = 2*WideCols + 5, 2 * WideCols
	for rows := 1; rows <= BlockRows; rows++ {
		for _, cols := range []int{16, 32, WideCols, 1 + r.IntN(width)} {
			steps, taps, pairs := 1+r.IntN(4), make([]Tap, 1+r.IntN(3)), BlockPairs
			if r.IntN(3) == 0 {
				pairs = 1 + r.IntN(BlockPairs)
			}
			k := 2 * pairs * steps * len(taps)
			a, af := half(rows * k)
			packed, lda, stepA := r.IntN(2) == 0, 2*k, 4*pairs
			if packed { // tiles, of two for a step where there are so many rows
				lda, stepA = 4*BlockPairs, 4*BlockPairs*FewRows*((rows+FewRows-1)/FewRows)
				tiles := make([]uint16, stepA/2*steps*len(taps))
				for i := range rows {
					for l := range k {
						tiles[l/(2*pairs)*stepA/2+i*lda/2+l%(2*pairs)] = a[i*k+l]
					}
				}
				a = tiles
			}
			b, bf := half(k * width)   // lines of pairs
			order := r.Perm(len(taps)) // of the taps in B
			for i, at := range order {
				taps[i].B = uintptr(at * steps * pairs * 4 * width)
			}
			c := make([]float32, rows*pitch)
			for i := range c {
				c[i] = 1e9
			}
			p := Block{A: unsafe.Pointer(&a[0]), LDA: uintptr(lda), B: unsafe.Pointer(&b[0]), LDB: 4 * width, C: unsafe.Pointer(&c[0]),
				LDC: 4 * pitch, Steps: steps,
				StepA: uintptr(stepA), StepB: uintptr(4 * width * pairs), Taps: &taps[0], NTaps: len(taps), Pairs: pairs, Packed: packed}
			p.Run(rows, cols)
			for i := range rows {
				for j := range pitch {
					want := float32(1e9)
					if j < cols {
						want = 0
						for l := range k {
							pair := l / 2
							line := order[pair/pairs%len(taps)]*steps*pairs + pair/pairs/len(taps)*pairs + pair%pairs
							line = 2*line + l%2
							want += af[i*k+l] * bf[line/2*2*width+2*j+line%2]
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

// What ends sums adds in the order that it says, keeps bounds and writes nothing beside its columns, in place of the
// residual as well, in f32 and rounded to bf16.
func TestEndings(t *testing.T) {
	if !HasBF16(Best()) {
		t.Skip("the processor has no products of bf16")
	}
	r := rand.New(rand.NewPCG(2, 2))
	const pitchX, pitchY = WideCols + 3, WideCols + 7
	for n := range 3 * WideCols {
		cols, narrow, columns := 1+n/3, n%3 == 1, n%3 == 2
		rows := 1 + r.IntN(BlockRows)
		x, y, bias, low := make([]float32, rows*pitchX), make([]float32, rows*pitchY), make([]float32, max(rows, cols)),
			make([]uint16, rows*pitchY)
		for _, list := range [][]float32{x, y, bias} {
			for i := range list {
				list[i] = r.Float32()*2 - 1
			}
		}
		for i, v := range y {
			if low[i] = Rounded(v); narrow {
				y[i] = BF16.float(low[i])
			}
		}
		before := append([]float32(nil), y...)
		p := Ending{X: unsafe.Pointer(&x[0]), PitchX: 4 * pitchX, Y: unsafe.Pointer(&y[0]), PitchY: 4 * pitchY, Rows: rows,
			Lo: -0.5, Hi: 0.75, Narrow: narrow, Columns: columns}
		if narrow {
			p.Y, p.PitchY = unsafe.Pointer(&low[0]), 2*pitchY
		}
		hasBias, hasRes := columns || r.IntN(2) == 0, r.IntN(2) == 0
		if hasBias {
			p.Bias = unsafe.Pointer(&bias[0])
		}
		if hasRes {
			p.Res = p.Y
		}
		x[0] = float32(math.NaN())
		p.Run(cols)
		for i := range rows {
			for j := range pitchY {
				want := before[i*pitchY+j]
				if j < cols {
					s := x[i*pitchX+j]
					switch {
					case columns:
						s += bias[j]
					case hasBias:
						s += bias[i]
					}
					if hasRes {
						s += want
					}
					if want = s; s == s {
						want = min(max(s, p.Lo), p.Hi)
					}
				}
				got := y[i*pitchY+j]
				if narrow {
					got, want = BF16.float(low[i*pitchY+j]), BF16.float(Rounded(want))
				}
				if got != want && (got == got || want == want) {
					t.Fatalf("%d columns, narrow %t, a bias of columns %t: [%d, %d] is %v, not %v", cols, narrow, columns, i, j, got, want)
				}
			}
		}
	}
}

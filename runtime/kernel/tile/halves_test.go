package tile

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// Rounding is compared with Rounded, for numbers of all kinds and all lengths.
func TestHalvesAreRounded(t *testing.T) {
	if !HasBF16(Best()) {
		t.Skip("the processor has no products of bf16")
	}
	r := rand.New(rand.NewPCG(1, 1))
	number := func() float32 {
		switch r.IntN(8) {
		case 0:
			return float32(math.Inf(r.IntN(2)*2 - 1))
		case 1:
			return math.Float32frombits(r.Uint32() & 0x807fffff) // too small
		case 2:
			return math.Float32frombits(r.Uint32()&0xffff0000 | 0x8000) // half way
		}
		return math.Float32frombits(r.Uint32())
	}
	for n := 1; n < 70; n++ {
		x, x2 := make([]float32, n), make([]float32, n)
		for i := range x {
			x[i], x2[i] = number(), number()
		}
		y := make([]uint16, 2*n+1)
		y[n], y[2*n] = 7, 7
		(&Halves{X: ptr(x), Y: &y[0], N: n}).Run()
		for i := range x {
			if y[i] != Rounded(x[i]) {
				t.Fatalf("%x becomes %x, not %x", math.Float32bits(x[i]), y[i], Rounded(x[i]))
			}
		}
		if y[n] != 7 {
			t.Fatal("what is behind is written")
		}
		(&Halves{X: ptr(x), X2: ptr(x2), Y: &y[0], N: n}).Run()
		for i := range x {
			if y[2*i] != Rounded(x[i]) || y[2*i+1] != Rounded(x2[i]) {
				t.Fatalf("%x and %x become %x and %x", math.Float32bits(x[i]), math.Float32bits(x2[i]), y[2*i], y[2*i+1])
			}
		}
		if y[2*n] != 7 {
			t.Fatal("what is behind is written")
		}
	}
}

// Tiles of pairs are compared with sums in float64.
func TestProductsOfPairs(t *testing.T) {
	if !HasBF16(Best()) {
		t.Skip("the processor has no products of bf16")
	}
	r := rand.New(rand.NewPCG(2, 2))
	for range 300 {
		rows, cols, k := 1+r.IntN(MaxRows), 1+r.IntN(64), 1+r.IntN(20)
		w := (cols + 15) / 16 * 16
		a, b, c := make([]uint16, 2*rows*k), make([]uint16, 2*k*w), make([]float32, rows*cols)
		for _, list := range [][]uint16{a, b} {
			for i := range list {
				list[i] = Rounded(r.Float32() - 0.5)
			}
		}
		f := func(h uint16) float64 { return float64(math.Float32frombits(uint32(h) << 16)) }
		p := Product{A: unsafe.Pointer(&a[0]), LDA: uintptr(4 * k), B: unsafe.Pointer(&b[0]), LDB: uintptr(4 * w), K: k,
			C: unsafe.Pointer(&c[0]), LDC: uintptr(4 * cols),
			Lo: float32(math.Inf(-1)), Hi: float32(math.Inf(1)), Flags: uint64(r.IntN(2) * Fetch)}
		p.Taps, p.NTaps = PlainTaps()
		p.RunPairs(rows, cols)
		for i := range rows {
			for j := range cols {
				want := 0.0
				for q := range k {
					want += f(a[2*(i*k+q)])*f(b[2*(q*w+j)]) + f(a[2*(i*k+q)+1])*f(b[2*(q*w+j)+1])
				}
				if got := float64(c[i*cols+j]); math.Abs(got-want) > 1e-5 {
					t.Fatalf("%d rows, %d columns, %d pairs: element (%d, %d) is %v, not %v", rows, cols, k, i, j, got, want)
				}
			}
		}
	}
}

// Rows are rounded one by one, and nothing is written between them.
func TestRowsOfHalves(t *testing.T) {
	if !HasBF16(Best()) {
		t.Skip("the processor has no products of bf16")
	}
	r := rand.New(rand.NewPCG(2, 2))
	const pitchX, pitchY = 50, 120
	for n := 1; n < 50; n++ {
		rows := 1 + r.IntN(5)
		x, y := make([]float32, (rows+3)*pitchX), make([]uint16, rows*pitchY)
		for i := range x {
			x[i] = r.Float32()
		}
		for i := range y {
			y[i] = 7
		}
		h := Halves{X: ptr(x), Y: &y[0], N: n, Rows: rows, PitchX: 4 * pitchX, PitchY: 2 * pitchY}
		each := 1
		switch r.IntN(3) {
		case 0:
			h.X2, each = ptr(x[3*pitchX:]), 2
		case 1: // of bf16 already
			low := make([]uint16, len(x))
			for i, v := range x {
				low[i] = Rounded(v)
			}
			h.X, h.X2, h.PitchX, h.Narrow, each = unsafe.Pointer(&low[0]), unsafe.Pointer(&low[3*pitchX]), 2*pitchX, true, 2
		}
		h.Run()
		for i, v := range y {
			want, row, j := uint16(7), i/pitchY, i%pitchY
			if j < each*n {
				want = Rounded(x[(row+j%each*3)*pitchX+j/each])
			}
			if v != want {
				t.Fatalf("%d rows of %d: [%d, %d] is %x, not %x", rows, n, row, j, v, want)
			}
		}
	}
}

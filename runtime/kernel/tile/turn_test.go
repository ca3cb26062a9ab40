package tile

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"shapecheck/runtime/memory/fence"
)

// Transposes move each element to its place, add and bound there, and read and write nothing else.
func TestTransposes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, tier := range tiers() {
		for i := range 2000 {
			m := fence.New(t, fence.Side(i%2 == 1))
			rows, cols := 1+r.IntN(Lanes(tier)), 1+r.IntN(70)
			px, py := cols+r.IntN(9), rows+r.IntN(9)
			x := random(m, r, (rows-1)*px+cols)
			y, res := random(m, r, (cols-1)*py+rows), random(m, r, (cols-1)*py+rows)
			if r.IntN(4) == 0 {
				x[r.IntN(len(x))] = []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Copysign(0, -1)), 1e-42}[r.IntN(4)]
			}
			p := NewTurn()
			p.X, p.PitchX, p.Rows, p.Cols, p.Y, p.PitchY = ptr(x), uintptr(4*px), rows, cols, ptr(y), uintptr(4*py)
			if i%3 > 0 {
				p.Res, p.Lo, p.Hi = ptr(res), -1, 2
			}
			if i%3 == 2 { // the result takes the place of what is added
				copy(y, res)
				p.Res = p.Y
			}
			want := slices.Clone(y)
			for c := range cols {
				for row := range rows {
					v := x[row*px+c]
					if i%3 > 0 {
						if v += res[c*py+row]; v < -1 {
							v = -1
						} else if v > 2 {
							v = 2
						}
					}
					want[c*py+row] = v
				}
			}
			p.Run(tier)
			for k, v := range want {
				if math.Float32bits(y[k]) != math.Float32bits(v) && (y[k] == y[k] || v == v) {
					t.Fatalf("%s: %d×%d, case %d: element %d is %v, not %v", tier, rows, cols, i, k, y[k], v)
				}
			}
			if !m.Whole() {
				t.Fatalf("%s: written outside", tier)
			}
			m.Free()
		}
	}
}

// Transposes in bf16 are roundings of those in f32.
func TestTransposesInHalves(t *testing.T) {
	if !HasBF16(Best()) {
		t.Skip("the processor has no numbers of bf16")
	}
	r := rand.New(rand.NewPCG(6, 6))
	for i := range 1000 {
		m := fence.New(t, fence.Side(i%2 == 1))
		rows, cols := 1+r.IntN(16), 1+r.IntN(70)
		px, py := cols+r.IntN(9), rows+r.IntN(9)
		x := random(m, r, (rows-1)*px+cols)
		b := m.Bytes(2 * ((cols-1)*py + rows))
		y := unsafe.Slice((*uint16)(unsafe.Pointer(&b[0])), len(b)/2)
		want := slices.Clone(y)
		for c := range cols {
			for row := range rows {
				want[c*py+row] = Rounded(x[row*px+c])
			}
		}
		p := NewTurn()
		p.X, p.PitchX, p.Rows, p.Cols, p.Y, p.PitchY = ptr(x), uintptr(4*px), rows, cols, unsafe.Pointer(&y[0]), uintptr(2*py)
		if p.RunHalves(); !slices.Equal(y, want) {
			t.Fatalf("%d×%d: %v, not %v", rows, cols, y, want)
		}
		if !m.Whole() {
			t.Fatal("written outside")
		}
		m.Free()
	}
}

// Scattered rows times a packed panel are the rows one by one.
func TestScatteredRows(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, tier := range tiers() {
		for i := range 2000 {
			m := fence.New(t, fence.Side(i%2 == 1))
			rows, cols, k, ntaps := 1+r.IntN(MaxRows), 1+r.IntN(Panel(tier)), 1+r.IntN(20), 1+r.IntN(3)
			w := (cols + Lanes(tier) - 1) / Lanes(tier) * Lanes(tier)
			gap := k + r.IntN(4) // between taps of A
			a := random(m, r, 200+(ntaps-1)*gap+k)
			b, c, bias := random(m, r, ntaps*k*w), random(m, r, rows*w), random(m, r, cols)
			var taps []Tap
			for t := range ntaps {
				taps = append(taps, Tap{uintptr(4 * gap * t), uintptr(4 * k * w * t)})
			}
			p := Product{B: ptr(b), K: k, Taps: &taps[0], NTaps: ntaps, LDC: uintptr(4 * w), Lo: -2, Hi: 3, Flags: uint64(r.IntN(4)), Next: ptr(b),
				NextStep: uintptr(r.IntN(2)) * Fetched}
			if r.IntN(2) == 0 {
				p.Bias = ptr(bias)
			}
			places := make([]int, rows)
			want := make([]float32, 0, len(c))
			for row := range rows {
				places[row] = r.IntN(201)
				one := Product{A: ptr(a[places[row]:]), B: p.B, LDB: uintptr(4 * w), K: k, Taps: p.Taps, NTaps: ntaps, LDC: p.LDC, Lo: p.Lo, Hi: p.Hi,
					Flags: p.Flags, Bias: p.Bias}
				line := slices.Clone(c[row*w : (row+1)*w])
				one.C = ptr(line)
				one.Run(tier, 1, cols)
				want = append(want, line...)
				p.Rows[max(row-1, 0)] = uintptr(4*places[row]) - uintptr(4*places[0])
			}
			p.A, p.C = ptr(a[places[0]:]), ptr(c)
			p.RunScattered(tier, rows, cols)
			for k, v := range want {
				if k%w < cols && math.Float32bits(c[k]) != math.Float32bits(v) {
					t.Fatalf("%s: %d×%d, case %d: element %d is %v, not %v", tier, rows, cols, i, k, c[k], v)
				}
			}
			if !m.Whole() {
				t.Fatalf("%s: written outside", tier)
			}
			m.Free()
		}
	}
}

// Two rows are woven, and every second element of the result is one of them again.
func TestWovenRows(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	for _, tier := range tiers() {
		rows := RowsOf(tier)
		for i := range 300 {
			m := fence.New(t, fence.Side(i%2 == 1))
			n := r.IntN(100)
			if i == 7 {
				n = MaxRow + 50
			}
			x, z, y, back := random(m, r, n), random(m, r, n), random(m, r, 2*n), random(m, r, n)
			rows.Weave(x, z, y)
			for k := range x {
				if y[2*k] != x[k] || y[2*k+1] != z[k] {
					t.Fatalf("%s: element %d of %d is %v and %v, not %v and %v", tier, k, n, y[2*k], y[2*k+1], x[k], z[k])
				}
			}
			rows.Second(y, back)
			if !slices.Equal(back, x) || !m.Whole() {
				t.Fatalf("%s: every second one of %d is another, or something else is written", tier, 2*n)
			}
			m.Free()
		}
	}
}

// Products of integers are exact.
func TestProductsOfIntegers(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	for _, tier := range tiers() {
		tier = IntegerTier(tier)
		g := IntegerGroup(tier)
		for i := range 1000 {
			m := fence.New(t, fence.Side(i%2 == 1))
			rows, cols, k, ntaps := 1+r.IntN(MaxRows), 1+r.IntN(Panel(tier)), 1+r.IntN(20), 1+r.IntN(3)
			w := (cols + Lanes(tier) - 1) / Lanes(tier) * Lanes(tier)
			a, b, c := m.Bytes(4*(50+ntaps*k)), m.Bytes(4*ntaps*k*w), m.Bytes(4*rows*w)
			whole := func(x []byte, at int, signed bool) int32 { // the integer of that number
				switch {
				case g == 2:
					return int32(*(*int16)(unsafe.Pointer(&x[2*at])))
				case signed:
					return int32(int8(x[at]))
				}
				return int32(x[at])
			}
			for _, x := range [][]byte{a, b, c} {
				for i := range x {
					x[i] = byte(r.IntN(256))
				}
			}
			for at := 1; g == 2 && at < len(a); at += 2 { // numbers of 9 bits are enough
				a[at] = byte(int8(r.IntN(2) - 1))
			}
			for at := 1; g == 2 && at < len(b); at += 2 {
				b[at] = byte(int8(r.IntN(2) - 1))
			}
			var taps []Tap
			for t := range ntaps {
				taps = append(taps, Tap{uintptr(4 * k * t), uintptr(4 * k * w * t)})
			}
			p := Product{B: unsafe.Pointer(&b[0]), K: k, Taps: &taps[0], NTaps: ntaps, C: unsafe.Pointer(&c[0]), LDC: uintptr(4 * w),
				Flags: uint64(r.IntN(2)), Next: unsafe.Pointer(&a[0])}
			places := make([]int, rows)
			want := make([]int32, rows*w)
			for row := range rows {
				places[row] = r.IntN(51)
				p.Rows[max(row-1, 0)] = uintptr(4*places[row]) - uintptr(4*places[0])
				for col := range w {
					sum := int32(0)
					if p.Flags&Accumulate != 0 {
						sum = *(*int32)(unsafe.Pointer(&c[4*(row*w+col)]))
					}
					for kk := range ntaps * k {
						for q := range g {
							sum += whole(a, g*(places[row]+kk)+q, false) * whole(b, g*(kk*w+col)+q, true)
						}
					}
					want[row*w+col] = sum
				}
			}
			p.A = unsafe.Pointer(&a[4*places[0]])
			p.RunIntegers(tier, rows, cols)
			for at, v := range want {
				if got := *(*int32)(unsafe.Pointer(&c[4*at])); got != v {
					t.Fatalf("%s: %d×%d×%d in %d taps: element %d is %d, not %d", tier, rows, k, cols, ntaps, at, got, v)
				}
			}
			if !m.Whole() {
				t.Fatalf("%s: written outside", tier)
			}
			m.Free()
		}
	}
}

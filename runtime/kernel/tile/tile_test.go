package tile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"shapecheck/runtime/memory/fence"
)

func tiers() (list []Tier) {
	for t := Portable; t <= Best(); t++ {
		list = append(list, t)
	}
	return list
}

// random gives n floats that lie against a fence.
func random(m *fence.Memory, r *rand.Rand, n int) []float32 {
	x := m.Floats(n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

func ptr(x []float32) unsafe.Pointer {
	if len(x) == 0 {
		return nil
	}
	return unsafe.Pointer(&x[0])
}

// A tile is held against a plain chain: the vector tiers to the bit with fused operations, the
// portable tier with rounded ones.
func TestProductTilesAreChains(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, tier := range tiers() {
		for n := range 3000 {
			m := fence.New(t, fence.Side(n%2 == 1))
			rows, cols, k := 1+r.IntN(MaxRows), 1+r.IntN(Panel(tier)), 1+r.IntN(40)
			ntaps := 1 + r.IntN(3)
			lda, ldb, ldc, ldr := k+r.IntN(5), cols+r.IntN(70), cols+r.IntN(5), cols+r.IntN(9)
			a := random(m, r, (rows-1)*lda+k+7*(ntaps-1))
			gap := r.IntN(2 * ldb) // taps of B overlap or lie apart
			b := random(m, r, (ntaps-1)*gap+(k-1)*ldb+cols)
			c := random(m, r, (rows-1)*ldc+cols)
			bias := random(m, r, cols)
			rowBias := random(m, r, rows)
			res := random(m, r, (rows-1)*ldr+cols)
			taps := make([]Tap, ntaps)
			for i := range taps {
				taps[i] = Tap{uintptr(28 * i), uintptr(4 * gap * i)}
			}
			p := Product{A: ptr(a), LDA: uintptr(4 * lda), B: ptr(b), LDB: uintptr(4 * ldb), K: k, Taps: &taps[0], NTaps: ntaps, C: ptr(c),
				LDC: uintptr(4 * ldc),
				Lo:  float32(math.Inf(-1)), Hi: float32(math.Inf(1)), Flags: uint64(r.IntN(4) | r.IntN(2)*Fetch)}
			if r.IntN(2) == 0 {
				p.Bias = ptr(bias)
			}
			if r.IntN(2) == 0 {
				p.RowBias = ptr(rowBias)
			}
			if r.IntN(2) == 0 {
				p.Res, p.LDR = ptr(res), uintptr(4*ldr)
			}
			if r.IntN(2) == 0 {
				p.Lo, p.Hi = 0, 6
			}
			if r.IntN(10) == 0 {
				a[r.IntN(len(a))] = []float32{float32(math.NaN()), float32(math.Inf(1)), 1e-42, float32(math.Copysign(0, -1))}[r.IntN(4)]
			}
			want := make([]float32, len(c))
			copy(want, c)
			for i := range rows {
				for j := range cols {
					s := float32(0)
					if p.Flags&Accumulate != 0 {
						s = c[i*ldc+j]
					}
					for tap := range ntaps {
						for kk := range k {
							x, y := a[i*lda+7*tap+kk], b[tap*gap+kk*ldb+j]
							if tier == Portable {
								s += float32(x * y)
							} else {
								s = fused(x, y, s)
							}
						}
					}
					if p.Flags&Partial == 0 {
						s = p.finish(s, i, j)
					}
					want[i*ldc+j] = s
				}
			}
			p.Run(tier, rows, cols)
			for i := range want {
				// What lies between the rows is as it was.
				if math.Float32bits(c[i]) != math.Float32bits(want[i]) && (c[i] == c[i] || want[i] == want[i]) {
					t.Fatalf("%s, case %d, %d×%d×%d in %d taps: element %d is %v, not %v", tier, n, rows, k, cols, ntaps, i, c[i], want[i])
				}
			}
			if !m.Whole() {
				t.Fatalf("%s, case %d: written outside", tier, n)
			}
			m.Free()
		}
	}
}

// fused is a float32 fused multiply-add: the product is exact in float64, and the sum is
// rounded to odd before it is rounded to float32, so that rounding twice is rounding once.
func fused(x, y, z float32) float32 {
	p, q := float64(x)*float64(y), float64(z)
	s := p + q
	if math.IsNaN(s) || math.IsInf(s, 0) {
		return float32(s)
	}
	bb := s - p
	err := (p - (s - bb)) + (q - bb)
	if bits := math.Float64bits(s); err != 0 && bits&1 == 0 {
		if (err > 0) == (s > 0) {
			bits++
		} else {
			bits--
		}
		s = math.Float64frombits(bits)
	}
	return float32(s)
}

func ulps(got float32, want float64) float64 {
	w := float32(want)
	switch {
	case want != want || got != got:
		if (want != want) == (got != got) {
			return 0
		}
		return math.Inf(1)
	case math.IsInf(float64(w), 0) || got == w:
		if got == w {
			return 0
		}
		return math.Inf(1)
	}
	a := float32(math.Abs(float64(w)))
	return math.Abs(float64(got)-want) / float64(math.Nextafter32(a, float32(math.Inf(1)))-a)
}

func TestFunctionsOfRowsAreNearlyExact(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	special := []float32{0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 1e-42, -1e-42,
		math.MaxFloat32, -math.MaxFloat32,
		88.7228, 88.73, 89.5, -87.4, -103, -103.9, -104, -110, 0.625, 0.9375, -0.9375, 4, -4.5}
	for _, tier := range tiers() {
		rows := RowsOf(tier)
		for _, f := range []struct {
			name  string
			run   func(x, y []float32)
			want  func(float64) float64
			bound float64
		}{{"exp", rows.Exp, math.Exp, 1}, {"tanh", rows.Tanh, math.Tanh, 2}, {"erf", rows.Erf, math.Erf, 2},
			{"sigmoid", rows.Sigmoid, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }, 3}} {
			worst, at := 0.0, float32(0)
			for n := range 400 {
				m := fence.New(t, fence.Side(n/70%2 == 1))
				length := n % 70
				if n > 390 {
					length = 2*MaxRow + n
				}
				x := random(m, r, length)
				scale := math.Exp(r.Float64()*14 - 9)
				for i := range x {
					x[i] = float32(float64(x[i]) * scale)
				}
				if length > 0 {
					x[r.IntN(length)] = special[n%len(special)]
				}
				y := m.Floats(length)
				f.run(x, y)
				for i := range x {
					want := f.want(float64(x[i]))
					if u := ulps(y[i], want); u > worst {
						worst, at = u, x[i]
					}
					if f.name == "exp" && x[i] < -103.98 && y[i] != 0 {
						t.Errorf("%s exp(%v) is %v", tier, x[i], y[i])
					}
				}
				if !m.Whole() {
					t.Fatalf("%s %s of %d: written outside", tier, f.name, length)
				}
				m.Free()
			}
			if worst > f.bound {
				t.Errorf("%s %s(%v) is %.2f ulp off, more than %v", tier, f.name, at, worst, f.bound)
			}
		}
	}
}

func TestFoldsOfRowsAreNearlyExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, tier := range tiers() {
		rows := RowsOf(tier)
		for n := range 300 {
			m := fence.New(t, fence.Side(n%2 == 1))
			length := n
			if n > 290 {
				length = n * 40
			}
			x := random(m, r, length)
			y := m.Floats(length)
			mean := float32(0.25)
			var sum, squares, exps, size float64
			for _, v := range x {
				sum += float64(v)
				size += math.Abs(float64(v))
				squares += float64(v-mean) * float64(v-mean)
				exps += math.Exp(float64(v - mean))
			}
			near := func(what string, got float32, want, size float64) {
				if math.Abs(float64(got)-want) > 3e-6*size {
					t.Errorf("%s %s of %d is %v, not %v", tier, what, length, got, want)
				}
			}
			near("sum", rows.Sum(x), sum, size)
			near("sum of squares", rows.SumSquares(x, mean), squares, squares)
			near("sum of exp", rows.ExpSum(x, y, mean), exps, exps)
			for i := range x {
				if u := ulps(y[i], math.Exp(float64(x[i]-mean))); u > 1 {
					t.Fatalf("%s: exp in a fold is %.2f ulp off", tier, u)
				}
			}
			rows.Divide(x, y, 3)
			for i := range x {
				if y[i] != x[i]/3 {
					t.Fatalf("%s: %v / 3 is %v", tier, x[i], y[i])
				}
			}
			rows.Normalize(x, y, mean, 2.5)
			for i := range x {
				if y[i] != float32(x[i]-mean)*2.5 {
					t.Fatalf("%s: (%v - 0.25)*2.5 is %v", tier, x[i], y[i])
				}
			}
			if !m.Whole() {
				t.Fatalf("%s: written outside", tier)
			}
			m.Free()
		}
	}
}

// The transforms of all tiers are those in Go but for roundings, and read and write nothing else. Together with the products of places they
// are a convolution.
func TestTransformsOfTiles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, tier := range tiers() {
		for i := range 300 {
			m := fence.New(t, fence.Side(i%2 == 1))
			vectors, cols := 1+r.IntN(3), 6+r.IntN(3)
			channels := vectors * Lanes(tier)
			pitch := channels + r.IntN(5)
			x := random(m, r, (5*cols+5)*pitch+channels)
			w := random(m, r, 8*pitch+channels)
			bias := random(m, r, channels)
			temp := m.Floats(TempBytes / 4)
			u := random(m, r, (Places-1)*pitch+channels)
			g := Winograd{X: ptr(w), RowX: uintptr(12 * pitch), ColX: uintptr(4 * pitch), Y: ptr(u), RowY: uintptr(24 * pitch),
				ColY: uintptr(4 * pitch), Vectors: vectors, Temp: ptr(temp)}
			between := append([]float32{}, u...)
			g.Weights(tier)
			inGo := append([]float32{}, u...)
			g.Y = ptr(inGo)
			g.weightsGo(channels)
			for i, x := range u {
				if i%pitch >= channels {
					inGo[i] = between[i]
				}
				if x != inGo[i] {
					t.Fatalf("%s: place %d of channel %d of the weights is %v, not %v", tier, i/pitch, i%pitch, x, inGo[i])
				}
			}
			places := random(m, r, (Places-1)*pitch+channels)
			p := Winograd{X: ptr(x), RowX: uintptr(4 * cols * pitch), ColX: uintptr(4 * pitch), Y: ptr(places), RowY: uintptr(24 * pitch),
				ColY: uintptr(4 * pitch), Vectors: vectors, Temp: ptr(temp)}
			p.Before(tier)
			for i := range places {
				places[i] *= u[i]
			}
			y := random(m, r, (3*cols+3)*pitch+channels)
			q := Winograd{X: ptr(places), RowX: p.RowY, ColX: p.ColY, Y: ptr(y), RowY: p.RowX, ColY: p.ColX, Vectors: vectors, Temp: ptr(temp),
				Bias: ptr(bias)}
			q.After(tier)
			for c := range channels {
				for i := range 4 {
					for j := range 4 {
						want := float64(bias[c])
						for k := range 9 {
							want += float64(w[k*pitch+c]) * float64(x[((i+k/3)*cols+j+k%3)*pitch+c])
						}
						if got := y[(i*cols+j)*pitch+c]; !(math.Abs(float64(got)-want) < 1e-4) {
							t.Fatalf("%s: pixel (%d, %d), channel %d of %d, is %v, not %v", tier, i, j, c, channels, got, want)
						}
					}
				}
			}
			if !m.Whole() {
				t.Fatalf("%s: written outside", tier)
			}
			m.Free()
		}
	}
}

// A step of an LSTM's cell is that of the functions of rows, and reads and writes nothing else.
func TestCells(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, tier := range tiers() {
		for n := 1; n <= CellUnits; n++ {
			m := fence.New(t, fence.Side(n%2 == 1))
			gates, more, c, h := random(m, r, 4*CellUnits), random(m, r, 4*CellUnits), random(m, r, n), random(m, r, n)
			f, g, state := RowsOf(tier), make([]float32, 4*CellUnits), append([]float32{}, c...)
			for i := range g {
				g[i] = gates[i] + more[i]
			}
			f.Sigmoid(g[:3*CellUnits], g[:3*CellUnits])
			f.Tanh(g[3*CellUnits:], g[3*CellUnits:])
			out := make([]float32, n)
			for u := range state {
				state[u] = float32(g[2*CellUnits+u]*state[u]) + float32(g[u]*g[3*CellUnits+u])
			}
			f.Tanh(state, out)
			for u := range out {
				out[u] *= g[CellUnits+u]
			}
			p := Cell{Gates: ptr(gates), More: ptr(more), C: ptr(c), H: ptr(h), N: n}
			p.Run(tier)
			if !slices.Equal(c, state) || !slices.Equal(h, out) {
				t.Errorf("%s: %d units: %v and %v, not %v and %v", tier, n, c, h, state, out)
			}
			m.Free()
		}
	}
}

// Maxima of windows of bf16 are those of the definition, with minus infinity outside of the image, and read and write nothing else.
func TestLargestOfHalves(t *testing.T) {
	if !HasBF16(Best()) {
		t.Skip("the processor has no products of bf16")
	}
	r := rand.New(rand.NewPCG(5, 5))
	special := []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 0, float32(math.Copysign(0, -1)), 1e-40, -1e-40}
	for i := range 1000 {
		m := fence.New(t, fence.Side(i%2 == 1))
		taps, before, top := 2+r.IntN(2), r.IntN(4), r.IntN(4)
		h, width, out, channels, count := 1+r.IntN(17), 1+r.IntN(60), 1+r.IntN(40), 1+r.IntN(3), 1+r.IntN(10)
		first := r.IntN(out)
		n := min(1+r.IntN(WovenColumns(2)), out-first)
		half := func(n int) []uint16 {
			y := unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(m.Bytes(2*n)))), n)
			for i := range y {
				y[i] = Rounded(r.Float32()*8 - 4)
				if r.IntN(40) == 0 {
					y[i] = uint16(math.Float32bits(special[r.IntN(len(special))]) >> 16)
				}
			}
			return y
		}
		x, y := half(channels*h*width), half(channels*count*out)
		old := append([]uint16{}, y...)
		p := Depth{X: unsafe.Pointer(&x[0]), Col: uintptr(2 * (2*first - before)), RowX: uintptr(2 * width), PlaneX: uintptr(2 * h * width),
			Height: h, First: -top,
			Y: unsafe.Pointer(&y[first]), RowY: uintptr(2 * out), PlaneY: uintptr(2 * count * out), Rows: count, Channels: channels, Narrow: true,
			Largest: true}
		p.Run(Best(), NewWovenColumns(n, taps, 2, 2*first-before, width))
		for i, got := range y {
			c, row, col := i/(count*out), i/out%count, i%out
			want := BF16.float(old[i])
			if col >= first && col < first+n {
				want = float32(math.Inf(-1))
				for ky := range taps {
					for kx := range taps {
						iy, ix := 2*row-top+ky, 2*col-before+kx
						if iy >= 0 && iy < h && ix >= 0 && ix < width {
							want = max(want, BF16.float(x[(c*h+iy)*width+ix])) // NaN where one is
						}
					}
				}
			} else if got != old[i] {
				t.Fatalf("%d taps: [%d, %d, %d] is written", taps, c, row, col)
			}
			if v := BF16.float(got); v != want && (v == v || want == want) {
				t.Fatalf("%d taps, %d×%d: [%d, %d, %d] is %v, not %v", taps, h, width, c, row, col, v, want)
			}
		}
		m.Free()
	}
}

// Convolutions of single channels are those of the definition, and read and write nothing else.
func TestSingleChannels(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, tier := range tiers() {
		for i := range 1000 {
			m := fence.New(t, fence.Side(i%2 == 1))
			taps, stride, before, top := 3+2*r.IntN(2), 1+r.IntN(2), r.IntN(4), r.IntN(4)
			h, width, out, channels := 1+r.IntN(17), 1+r.IntN(60), 1+r.IntN(40), 1+r.IntN(3)
			first := r.IntN(out)
			narrow := HasBF16(tier) && r.IntN(2) == 0
			woven := narrow && (stride > 1 || r.IntN(2) == 0)
			most := Lanes(tier)
			if woven {
				most = WovenColumns(stride)
			}
			n := min(1+r.IntN(most), out-first)
			x := random(m, r, channels*h*width)
			w := random(m, r, channels*taps*taps)
			bias := random(m, r, channels)
			count := 1 + r.IntN(10)
			y := random(m, r, channels*count*out)
			old := append([]float32{}, y...)
			p := Depth{X: ptr(x), Col: uintptr(4 * (first*stride - before)), RowX: uintptr(4 * width), PlaneX: uintptr(4 * h * width), Height: h,
				First: -top,
				Y:     ptr(y[first:]), RowY: uintptr(4 * out), PlaneY: uintptr(4 * count * out), Rows: count, Channels: channels, W: ptr(w),
				Bias: ptr(bias), BiasStep: 4, Lo: -3, Hi: 3}
			if narrow {
				low := func(x []float32) []uint16 {
					y := unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(m.Bytes(2*len(x))))), len(x))
					for i, v := range x {
						y[i] = Rounded(v)
						x[i] = BF16.float(y[i])
					}
					return y
				}
				image, result := low(x), low(y)
				old = append(old[:0], y...)
				q := p
				q.X, q.Col, q.RowX, q.PlaneX = unsafe.Pointer(&image[0]), p.Col/2, p.RowX/2, p.PlaneX/2
				q.Y, q.RowY, q.PlaneY, q.Narrow = unsafe.Pointer(&result[first]), p.RowY/2, p.PlaneY/2, true
				if before > first*stride {
					q.Col = -(-p.Col / 2)
				}
				columns := NewDepthColumns(tier, n, taps, stride, first*stride-before, width)
				if woven {
					columns = NewWovenColumns(n, taps, stride, first*stride-before, width)
				}
				q.Run(tier, columns)
				for i, v := range result {
					y[i] = BF16.float(v)
				}
			} else {
				p.Run(tier, NewDepthColumns(tier, n, taps, stride, first*stride-before, width))
			}
			for i, got := range y {
				c, row, col := i/(count*out), i/out%count, i%out
				want := old[i]
				if col >= first && col < first+n {
					want = bias[c]
					for ky := range taps {
						for kx := range taps {
							iy, ix := row*stride-top+ky, col*stride-before+kx
							if iy < 0 || iy >= h || ix < 0 || ix >= width {
								continue
							}
							if a, b := w[(c*taps+ky)*taps+kx], x[(c*h+iy)*width+ix]; tier == Portable {
								want += float32(a * b)
							} else {
								want = fused(a, b, want)
							}
						}
					}
					want = min(max(want, -3), 3)
				}
				if narrow {
					want = BF16.float(Rounded(want))
				}
				if math.Float32bits(got) != math.Float32bits(want) {
					t.Fatalf("%s: %d taps, stride %d, %d columns from %d on of %d, of an image of %d by %d: channel %d, row %d, column %d is %v, not %v",
						tier, taps, stride, n, first, out, h, width, c, row, col, got, want)
				}
			}
			if !m.Whole() {
				t.Fatalf("%s: written outside", tier)
			}
			m.Free()
		}
	}
}

func TestAssemblyKnowsTheRecords(t *testing.T) {
	var p Product
	var r Row
	var w Window
	var g Winograd
	var d Depth
	var h Halves
	var u Turn
	var b Block
	var e Ending
	for name, c := range map[string][2]uintptr{
		"K": {unsafe.Offsetof(p.K), 32}, "Taps": {unsafe.Offsetof(p.Taps), 40}, "C": {unsafe.Offsetof(p.C), 56},
		"Bias": {unsafe.Offsetof(p.Bias), 72}, "LDR": {unsafe.Offsetof(p.LDR), 96},
		"Lo": {unsafe.Offsetof(p.Lo), 104}, "Mask": {unsafe.Offsetof(p.Mask), 112}, "Flags": {unsafe.Offsetof(p.Flags), 120},
		"N": {unsafe.Offsetof(r.N), 16}, "masks": {unsafe.Offsetof(r.masks), 40}, "A": {unsafe.Offsetof(r.A), 48},
		"out": {unsafe.Offsetof(r.out), 56},
		"Z":   {unsafe.Offsetof(r.Z), 24}, "Z2": {unsafe.Offsetof(r.Z2), 32}, "Offs": {unsafe.Offsetof(w.Offs), 24},
		"W": {unsafe.Offsetof(w.W), 32}, "Taps of windows": {unsafe.Offsetof(w.Taps), 40},
		"Y of tiles": {unsafe.Offsetof(g.Y), 24}, "Vectors": {unsafe.Offsetof(g.Vectors), 48}, "Temp": {unsafe.Offsetof(g.Temp), 56},
		"Bias of tiles": {unsafe.Offsetof(g.Bias), 64},
		"Height":        {unsafe.Offsetof(d.Height), 32}, "First": {unsafe.Offsetof(d.First), 40}, "Y of channels": {unsafe.Offsetof(d.Y), 48},
		"Channels of channels": {unsafe.Offsetof(d.Channels), 80},
		"W of channels":        {unsafe.Offsetof(d.W), 88}, "masks of channels": {unsafe.Offsetof(d.masks), 112},
		"Hi of channels": {unsafe.Offsetof(d.Hi), 124}, "at of channels": {unsafe.Offsetof(d.at), 128},
		"X2 of halves": {unsafe.Offsetof(h.X2), 8}, "N of halves": {unsafe.Offsetof(h.N), 24}, "Rows of halves": {unsafe.Offsetof(h.Rows), 32},
		"mask of halves": {unsafe.Offsetof(h.mask), 56},
		"A of blocks":    {unsafe.Offsetof(b.A), 64}, "C of blocks": {unsafe.Offsetof(b.C), 112},
		"NTaps of blocks": {unsafe.Offsetof(b.NTaps), 144}, "count of blocks": {unsafe.Offsetof(b.count), 160},
		"Bias of sums": {unsafe.Offsetof(e.Bias), 40}, "Hi of sums": {unsafe.Offsetof(e.Hi), 60}, "mask of sums": {unsafe.Offsetof(e.mask), 72},
		"Rows of products": {unsafe.Offsetof(p.Rows), 128}, "Next": {unsafe.Offsetof(p.Next), 168},
		"NextStep": {unsafe.Offsetof(p.NextStep), 176}, "Cols": {unsafe.Offsetof(u.Cols), 24},
		"Res of transposes": {unsafe.Offsetof(u.Res), 48}, "Hi of transposes": {unsafe.Offsetof(u.Hi), 60},
		"masks of transposes": {unsafe.Offsetof(u.masks), 64}, "masks of windows": {unsafe.Offsetof(w.masks), 48},
		"Bias of windows": {unsafe.Offsetof(w.Bias), 56}, "Hi of windows": {unsafe.Offsetof(w.Hi), 64},
	} {
		if unsafe.Sizeof(uintptr(0)) == 8 && c[0] != c[1] {
			t.Errorf("%s is at %d, the assembly has it at %d", name, c[0], c[1])
		}
	}
}

func BenchmarkProduct(b *testing.B) {
	for _, tier := range tiers() {
		b.Run(fmt.Sprint(tier), func(b *testing.B) {
			const m, k = 192, 768
			w := Panel(tier)
			x, panel, y := make([]float32, m*k), make([]float32, k*w), make([]float32, m*w)
			taps, n := PlainTaps()
			for b.Loop() {
				for i := 0; i < m; i += MaxRows {
					p := Product{A: ptr(x[i*k:]), LDA: 4 * k, B: ptr(panel), LDB: uintptr(4 * w), K: k, Taps: taps, NTaps: n, C: ptr(y[i*w:]),
						LDC: uintptr(4 * w), Hi: float32(math.Inf(1)), Lo: float32(math.Inf(-1))}
					p.Run(tier, MaxRows, w)
				}
			}
			b.ReportMetric(2*m*k*float64(w)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
		})
	}
}

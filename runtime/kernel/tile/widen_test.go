package tile

import (
	"math"
	"testing"
	"unsafe"

	"shapecheck/runtime/memory/fence"
	"shapecheck/runtime/tensor"
)

func halvesOf(b []byte) []uint16 {
	return unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/2)
}

// All halves become what they are, and those of f32 the nearest ones, also beside the middle of two.
func TestHalvesAreWidenedAndRounded(t *testing.T) {
	for h, d := range map[Half]tensor.DType{F16: tensor.Float16, BF16: tensor.BFloat16} {
		all, err := tensor.New(d, 1<<16)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]uint16, 1<<16)
		var numbers []float32
		for i := range x {
			x[i] = uint16(i)
			all.Bytes()[2*i], all.Bytes()[2*i+1] = byte(i), byte(i>>8)
			b := math.Float32bits(float32(all.Float(i)))
			next := uint32(0)
			if i+1 < len(x) {
				next = math.Float32bits(h.float(uint16(i + 1)))
			}
			middle := uint32((uint64(b) + uint64(next)) / 2)
			if i%7 == 0 || h == F16 {
				for _, c := range []uint32{b, middle - 1, middle, middle + 1} {
					numbers = append(numbers, math.Float32frombits(c))
				}
			}
		}
		numbers = append(numbers, 65504, 65519.99, 65520, 65536, 1e30, -1e30, 1e-30, -1e-30, 0x1p-25, 0x1.000002p-25, 3e38, math.MaxFloat32)
		rounded, err := tensor.New(d, int64(len(numbers)))
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range numbers {
			rounded.SetFloat(i, float64(v))
		}
		for _, tier := range tiers() {
			for _, n := range []int{len(x), 3, 0, 37} {
				m := fence.New(t, fence.After)
				y := m.Floats(n)
				h.Widen(tier, x[len(x)-n:], y)
				for i, v := range y {
					if want := all.Float(len(x) - n + i); float64(v) != want && (v == v || want == want) || v == 0 &&
						math.Signbit(float64(v)) != math.Signbit(want) {
						t.Fatalf("%s: %x of %s is %v, not %v", tier, x[len(x)-n+i], d, v, want)
					}
				}
				if !m.Whole() {
					t.Fatal("written outside")
				}
				m.Free()
			}
			m := fence.New(t, fence.After)
			out := m.Bytes(2 * len(numbers))
			h.Narrow(tier, numbers, halvesOf(out))
			for i, v := range halvesOf(out) {
				want := halvesOf(rounded.Bytes())[i]
				if v != want && (numbers[i] == numbers[i] || h.float(v) == h.float(v)) {
					t.Fatalf("%s: %v becomes %x of %s, not %x", tier, numbers[i], v, d, want)
				}
				if numbers[i] != numbers[i] && v != h.rounded(numbers[i]) {
					t.Fatalf("%s: the NaN %x becomes %x, in Go %x", tier, math.Float32bits(numbers[i]), v, h.rounded(numbers[i]))
				}
			}
			if !m.Whole() {
				t.Fatal("written outside")
			}
			m.Free()
		}
	}
}

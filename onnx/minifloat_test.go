package onnx

import (
	"math"
	"testing"
)

// largest are the largest finite numbers that the specifications state.
var largest = map[DType]float64{Float8E4M3FN: 448, Float8E4M3FNUZ: 240, Float8E5M2: 57344, Float8E5M2FNUZ: 57344, Float4E2M1: 6,
	Float6E2M3: 7.5, Float6E3M2: 28,
	Float8E8M0: math.Ldexp(1, 127)}

func TestCodesOfSmallFloatsRoundTrip(t *testing.T) {
	for d, most := range largest {
		top := 0.0
		for code := range 1 << d.Bits() {
			f := FromMini(d, uint8(code))
			if f > top && !math.IsInf(f, 0) {
				top = f
			}
			if back := ToMini(d, f, false); back != uint8(code) && !(math.IsNaN(f) && math.IsNaN(FromMini(d, back))) {
				t.Errorf("%s: code %#x is %v, whose code is %#x", d, code, f, back)
			}
		}
		if top != most {
			t.Errorf("%s: the largest number is %v, not %v", d, top, most)
		}
	}
}

// What lies beyond the largest number, from the table in the specification of Cast.
func TestSmallFloatsBeyondTheRange(t *testing.T) {
	for _, c := range []struct {
		d        DType
		f        float64
		saturate bool
		want     float64
	}{
		{Float8E4M3FN, 464, false, 448}, {Float8E4M3FN, 465, false, math.NaN()}, {Float8E4M3FN, -1e9, true, -448},
		{Float8E5M2, 1e9, false, math.Inf(1)}, {Float8E5M2, math.Inf(-1), true, -57344}, {Float8E5M2FNUZ, math.Inf(1), false, math.NaN()},
		{Float8E4M3FNUZ, math.Copysign(0, -1), true, 0}, {Float4E2M1, 100, true, 6}, {Float4E2M1, 2.5, true, 2}, {Float4E2M1, 3.5, true, 4},
		{Float8E8M0, 3, true, 4}, {Float8E8M0, math.Inf(1), false, math.NaN()}, {Float8E8M0, math.Inf(1), true, math.Ldexp(1, 127)},
	} {
		got := FromMini(c.d, ToMini(c.d, c.f, c.saturate))
		if got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%v as %s (saturate %v) is %v, not %v", c.f, c.d, c.saturate, got, c.want)
		}
	}
}

func TestElementsOfFewBits(t *testing.T) {
	x := &Tensor{DType: Int4, Dims: []int64{3}, HasRaw: true, Raw: []byte{0x8f, 0x07}}
	if got, err := x.Ints(); err != nil || len(got) != 3 || got[0] != -1 || got[1] != -8 || got[2] != 7 {
		t.Errorf("Int4: %v, %v", got, err)
	}
	x = &Tensor{DType: Uint2, Dims: []int64{5}, Int32s: []int32{0xe4, 1}}
	if got, err := x.Ints(); err != nil || len(got) != 5 || got[0] != 0 || got[1] != 1 || got[2] != 2 || got[3] != 3 || got[4] != 1 {
		t.Errorf("Uint2: %v, %v", got, err)
	}
	x = &Tensor{DType: Float6E2M3, Dims: []int64{2}, HasRaw: true, Raw: []byte{0xc8, 0x07}}
	if got, err := x.Float64s(); err != nil || len(got) != 2 || got[0] != 1 || got[1] != 7.5 {
		t.Errorf("Float6E2M3: %v, %v", got, err)
	}
	if _, err := (&Tensor{DType: Int4, Dims: []int64{1 << 40}, HasRaw: true, Raw: []byte{1}}).Ints(); err == nil {
		t.Error("a tensor of too few bytes was read")
	}
}

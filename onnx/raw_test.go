package onnx

import (
	"slices"
	"testing"
)

// TestRawDataHasTheElements reads elements from typed fields, packs them, and reads them
// from the raw data.
func TestRawDataHasTheElements(t *testing.T) {
	for _, x := range []*Tensor{
		{DType: Float, Dims: []int64{3}, Floats: []float32{1.5, -2, 0}},
		{DType: Double, Dims: []int64{2}, Doubles: []float64{1e300, -0.5}},
		{DType: Float16, Dims: []int64{2}, Int32s: []int32{0x3c00, 0xc000}},
		{DType: BFloat16, Dims: []int64{2}, Int32s: []int32{0x3f80, 0xc000}},
		{DType: Float8E4M3FN, Dims: []int64{3}, Int32s: []int32{0x38, 0xb8, 0}},
		{DType: Float4E2M1, Dims: []int64{5}, Int32s: []int32{0x21, 0x43, 0x05}},
		{DType: Float6E2M3, Dims: []int64{5}, Int32s: []int32{0x3f, 1, 0x20, 7, 0x15}},
	} {
		want, err := x.Float64s()
		if x.DType == Float6E2M3 {
			want, err = []float64{-7.5, 0.125, 0, 0.875, 3.25}, nil
		}
		if err != nil {
			t.Fatal(x.DType, err)
		}
		raw, err := x.RawData()
		if err != nil {
			t.Fatal(x.DType, err)
		}
		got, err := (&Tensor{DType: x.DType, Dims: x.Dims, Raw: raw, HasRaw: true}).Float64s()
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v (%v)", x.DType, got, want, err)
		}
	}
	for _, x := range []*Tensor{
		{DType: Int64, Dims: []int64{2}, Int64s: []int64{-1, 1 << 40}},
		{DType: Uint32, Dims: []int64{2}, Uint64s: []uint64{1 << 31, 3}},
		{DType: Int8, Dims: []int64{2}, Int32s: []int32{-7, 7}},
		{DType: Bool, Dims: []int64{2}, Int32s: []int32{1, 0}},
		{DType: Int4, Dims: []int64{5}, Int32s: []int32{0x21, 0x8f, 0x07}},
		{DType: Uint2, Dims: []int64{5}, Int32s: []int32{0xe4, 0x03}},
	} {
		want, err := x.Ints()
		if err != nil {
			t.Fatal(x.DType, err)
		}
		raw, err := x.RawData()
		if err != nil {
			t.Fatal(x.DType, err)
		}
		got, err := (&Tensor{DType: x.DType, Dims: x.Dims, Raw: raw, HasRaw: true}).Ints()
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v (%v)", x.DType, got, want, err)
		}
	}
	for _, x := range []*Tensor{
		{DType: Float, Dims: []int64{3}, Floats: []float32{1}},
		{DType: Int4, Dims: []int64{500}, Int32s: []int32{1}},
		{DType: Int4, Dims: []int64{5}, Int32s: []int32{0x54321}}, // onnx.numpy_helper: too small for the declared shape
		{DType: Float, Dims: []int64{-3}},
		{DType: Float, Dims: []int64{1 << 40, 1 << 40}},
		{DType: String, Dims: []int64{1}, Strings: [][]byte{[]byte("a")}},
		{DType: Float, Dims: []int64{2}, Raw: make([]byte, 7), HasRaw: true},
	} {
		if _, err := x.RawData(); err == nil {
			t.Errorf("%s %v: no error", x.DType, x.Dims)
		}
	}
}

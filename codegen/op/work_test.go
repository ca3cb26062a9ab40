package op

import (
	"testing"

	"shapecheck/codegen/isa"
	"shapecheck/onnx/schema"
)

// The numbers are counted by hand: two for each product that is added.
func TestWorkOfInstructions(t *testing.T) {
	dims := func(list ...[]int64) [][]int64 { return list }
	gemm, relu, shape := isa.Lookup("", "Gemm"), isa.Lookup("", "Relu"), isa.Lookup(schema.Chainer, "ChainerLinear")
	if gemm == 0 || relu == 0 {
		t.Fatal("no opcodes")
	}
	for _, c := range []struct {
		name    string
		i       *isa.Instruction
		in, out [][]int64
		want    int64
		known   bool
	}{
		{"conv 3x3", &isa.Instruction{Op: uint32(isa.Conv)}, dims([]int64{2, 8, 10, 10}, []int64{16, 8, 3, 3}), dims([]int64{2, 16, 8, 8}),
			2 * (2 * 16 * 8 * 8) * (8 * 9), true},
		{"depthwise", &isa.Instruction{Op: uint32(isa.Conv), Attr: []*isa.Attr{isa.IntAttrOf("groups", 8)}},
			dims([]int64{1, 8, 10, 10}, []int64{8, 1, 3, 3}), dims([]int64{1, 8, 8, 8}),
			2 * (8 * 8 * 8) * 9, true},
		{"matmul", &isa.Instruction{Op: uint32(isa.MatMul)}, dims([]int64{5, 2, 3}, []int64{3, 4}), dims([]int64{5, 2, 4}), 2 * 5 * 2 * 4 * 3,
			true},
		{"matmul of a transposed one", &isa.Instruction{Op: uint32(isa.MatMul), Attr: []*isa.Attr{isa.IntAttrOf("ta", 1)}},
			dims([]int64{3, 2}, []int64{3, 4}), dims([]int64{2, 4}), 2 * 2 * 4 * 3, true},
		{"Gemm", &isa.Instruction{Op: uint32(gemm), Attr: []*isa.Attr{isa.IntAttrOf("transA", 1)}},
			dims([]int64{3, 2}, []int64{3, 4}, nil), dims([]int64{2, 4}), 2 * 2 * 4 * 3, true},
		{"Relu", &isa.Instruction{Op: uint32(relu)}, dims([]int64{3, 2}), dims([]int64{3, 2}), 6, true},
		{"view", &isa.Instruction{Op: uint32(isa.View)}, dims([]int64{3, 2}), dims([]int64{6}), 0, false},
		{"free", &isa.Instruction{Op: uint32(isa.Free)}, dims([]int64{3, 2}), nil, 0, false},
		{"a required operand that is no tensor", &isa.Instruction{Op: uint32(isa.MatMul)}, dims(nil, []int64{3, 4}), dims([]int64{2, 4}), 0,
			false},
		{"an operator without a formula", &isa.Instruction{Op: uint32(shape)}, dims([]int64{3, 2}, []int64{4, 2}), dims([]int64{3, 4}), 0, false},
	} {
		if got, known := Flops(c.i, c.in, c.out); got != c.want || known != c.known {
			t.Errorf("%s: %d, %v; by hand %d, %v", c.name, got, known, c.want, c.known)
		}
	}
}

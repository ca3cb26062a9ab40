package inference

// This file tests operators that ONNX's node tests of opset 17 do not have, by the
// examples and formulas of the operators' documentation.

import (
	"fmt"
	"math"
	"testing"

	"shapecheck/onnx"
)

func TestOperatorsOfOpsets18To21(t *testing.T) {
	image := input("x", onnx.Float, "N", "C", "H", "W")
	consts := map[string][]int64{"last": {-1}, "one": {1}, "p": {1, 2}, "hw": {10, 12}, "block": {2, 3}, "size4": {2, 3, 8, 9},
		"size5": {2, 3, 4, 8, 9}}
	for _, c := range []struct {
		want   string
		inputs []*onnx.ValueInfo
		node   *onnx.Node
	}{
		{"f32[N,C,H,1]", nil, node("ReduceMean x last -> y")},
		{"f32[N,C,H]", nil, node("ReduceMax x last -> y", onnx.IntAttr("keepdims", 0))},
		{"f32[N,C,H,W]", nil, node("ReduceL2 x -> y", onnx.IntAttr("noop_with_empty_axes", 1))},
		{"f32[N,C,H,W+3]", nil, node("Pad x p _ last -> y")},
		{"f32[N,C,10,12]", nil, node("CenterCropPad x hw -> y", onnx.IntsAttr("axes", 2, 3))},
		{"f32[N,C,10,12]", nil, node("Resize x _ _ hw -> y", onnx.IntsAttr("axes", 2, 3))},
		{"f32[N,C//6,10,12]", []*onnx.ValueInfo{input("u", onnx.Float, "N", "C", "L")}, node("Col2Im u hw block -> y")},
		{"f32[5,8,H-2,W-2]", []*onnx.ValueInfo{input("w", onnx.Float, "8", "C", "3", "3"), input("v", onnx.Float, "5", "C", "H", "W"),
			input("o", onnx.Float, "5", "18", "H-2", "W-2")}, node("DeformConv v w o -> y")},
		{"f32[2,8,9,2]", []*onnx.ValueInfo{input("t", onnx.Float, "2", "2", "3")}, node("AffineGrid t size4 -> y")},
		{"f32[2,4,8,9,3]", []*onnx.ValueInfo{input("t", onnx.Float, "2", "3", "4")}, node("AffineGrid t size5 -> y")},
		{"f32[N,C,H,W]", nil, node("Gelu x -> y")},
		{"i32[N,C]", []*onnx.ValueInfo{input("a", onnx.Int32, "N", "1"), input("b", onnx.Int32, "C")}, node("BitwiseAnd a b -> y")},
		{"str[N,unk0]", []*onnx.ValueInfo{input("s", onnx.String, "N")}, node("StringSplit s -> y n")},
		{"bool[N]", []*onnx.ValueInfo{input("s", onnx.String, "N")}, node("RegexFullMatch s -> y")},
		{"u8[unk0,unk1,1]", []*onnx.ValueInfo{input("s", onnx.Uint8, "L")},
			node("ImageDecoder s -> y", onnx.StringAttr("pixel_format", "Grayscale"))},
		{"f16[N]", []*onnx.ValueInfo{input("q", onnx.Int8, "N"), input("s", onnx.Float16)}, node("DequantizeLinear q s -> y")},
		{"i16[N,C,H,W]", []*onnx.ValueInfo{input("s", onnx.Float)}, node("QuantizeLinear x s -> y",
			onnx.IntAttr("output_dtype", int64(onnx.Int16)))},
		{"f32[N,L//2+1,2]", []*onnx.ValueInfo{input("s", onnx.Float, "N", "L", "1")}, node("DFT s -> y", onnx.IntAttr("onesided", 1))},
		{"f32[N,C,H,W]", []*onnx.ValueInfo{input("s", onnx.Float, "C")}, node("GroupNormalization x s s -> y", onnx.IntAttr("num_groups", 2))},
		{"f32[N,C,D,E]", []*onnx.ValueInfo{input("g", onnx.Float, "N", "D", "E", "2")}, node("GridSample x g -> y")},
		{"f32[N,C,H,ceil(W/2)]", nil, node("Split x -> y z", onnx.IntAttr("axis", 3), onnx.IntAttr("num_outputs", 2))},
	} {
		t.Run(c.node.Op, func(t *testing.T) {
			m := model(append([]*onnx.ValueInfo{image}, c.inputs...), consts, c.node)
			m.Opsets[0].Version = 21
			res := infer(t, m)
			if got := fmt.Sprint(res.Errors, res.Graphs[m.Graph]["y"]); got != "[] "+c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestWindowsAndStepsAtTheEdge(t *testing.T) {
	consts := map[string][]int64{"last": {-1}, "far": {-1 << 62}, "axis": {1}, "back": {-1}, "first": {0}, "most": {math.MaxInt64},
		"one": {1}, "size": {1 << 40}, "rest": {0, -1}}
	small := []*onnx.ValueInfo{input("x", onnx.Float, "N", "C", "1")}
	for _, c := range []struct {
		name, want string
		inputs     []*onnx.ValueInfo
		node       *onnx.Node
	}{
		{"nothing, backwards", "[] c64[5,0,10]", []*onnx.ValueInfo{input("x", onnx.Complex64, "5", "0", "10")},
			node("Slice x last far axis back -> y")},
		{"something, backwards", "[] c64[5,H,10]", []*onnx.ValueInfo{input("x", onnx.Complex64, "5", "H", "10")},
			node("Slice x last far axis back -> y")},
		{"a last window that is not full", "[] f32[N,C,1]", small, node("MaxPool x -> y", onnx.IntsAttr("kernel_shape", 3),
			onnx.IntsAttr("strides", 3), onnx.IntAttr("ceil_mode", 1))},
		{"a window that goes beyond the end: one in runtimes, none by the specification", "[] f32[N,C,unk0]", small,
			node("MaxPool x -> y", onnx.IntsAttr("kernel_shape", 2), onnx.IntsAttr("strides", 2))},
		{"a transposed convolution of the same size", "[] f32[N,4,2*H]",
			[]*onnx.ValueInfo{input("x", onnx.Float, "N", "C", "H"), input("w", onnx.Float, "C", "4", "3")},
			node("ConvTranspose x w -> y", onnx.IntsAttr("strides", 2), onnx.StringAttr("auto_pad", "SAME_UPPER"))},
		{"a kernel within the stride", "[] f32[N,4,unk0]", []*onnx.ValueInfo{input("x", onnx.Float, "N", "C", "H"),
			input("w", onnx.Float, "C", "4", "1")},
			node("ConvTranspose x w -> y", onnx.IntsAttr("strides", 2), onnx.StringAttr("auto_pad", "SAME_UPPER"))},
		{"backwards, to the greatest integer", "[] f32[unk0]", []*onnx.ValueInfo{input("x", onnx.Float, "H")},
			node("Slice x last most first back -> y")},
		{"what is empty beside what is not", "[] f32[2,unk0]", []*onnx.ValueInfo{input("x", onnx.Float, "0", "3"),
			input("w", onnx.Float, "2", "4")}, node("Concat x w -> y", onnx.IntAttr("axis", 0))},
		{"nothing beside rows", "[] f32[W,W]", []*onnx.ValueInfo{input("x", onnx.Float, "W", "W"), input("w", onnx.Float, "0", "5")},
			node("Concat w x -> y", onnx.IntAttr("axis", 0))},
		{"two kinds of nothing", "[] f32[0,5]", []*onnx.ValueInfo{input("x", onnx.Float, "0", "W"), input("w", onnx.Float, "0", "5")},
			node("Concat w x -> y", onnx.IntAttr("axis", 0))},
		{"indices of a scalar", "[] i64[unk0,unk1]", []*onnx.ValueInfo{input("x", onnx.Float)}, node("NonZero x -> y")},
		{"the rest beside a size that may be 0", "[] f32[H-1,1]", []*onnx.ValueInfo{input("x", onnx.Float, "H")}, node("Reshape z rest -> y")},
		{"no window, and no fault", "[] f32[N,C,0]", small, node("MaxPool x -> y", onnx.IntsAttr("kernel_shape", 2))},
		{"no window", `[node "n_MaxPool" (MaxPool): the kernel's extent 3 is larger than the padded size 1 of spatial dimension 0] ?`, small,
			node("MaxPool x -> y", onnx.IntsAttr("kernel_shape", 3))},
		{"not even a part of a window",
			`[node "n_MaxPool" (MaxPool): the kernel's extent 3 is larger than the padded size 1 of spatial dimension 0] ?`, small,
			node("MaxPool x -> y", onnx.IntsAttr("kernel_shape", 3), onnx.IntAttr("ceil_mode", 1))},
	} {
		m := model(c.inputs, consts, c.node)
		if c.node.Op == "Reshape" {
			m.Graph.Nodes = append([]*onnx.Node{node("Slice x one size first one -> z")}, m.Graph.Nodes...)
		}
		res := infer(t, m)
		if got := fmt.Sprint(res.Errors, res.Graphs[m.Graph]["y"]); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// TestColumnsOfTfIdfVectorizerAreNumbered asks for numbers of columns that a tensor can have.
func TestColumnsOfTfIdfVectorizerAreNumbered(t *testing.T) {
	for _, c := range []struct {
		want    string
		columns []int64
	}{
		{"[] f32[N,4]", []int64{3, 0, 1}},
		{`[node "n_TfIdfVectorizer" (TfIdfVectorizer): ngram_indexes has the element -1] ?`, []int64{-1, -2}},
		{`[node "n_TfIdfVectorizer" (TfIdfVectorizer): ngram_indexes has the element 9223372036854775807] ?`, []int64{0, 1<<63 - 1}},
	} {
		n := node("TfIdfVectorizer x -> y", onnx.StringAttr("mode", "TF"), onnx.IntAttr("min_gram_length", 1), onnx.IntAttr("max_gram_length", 1),
			onnx.IntAttr("max_skip_count", 0), onnx.IntsAttr("ngram_counts", 0), onnx.IntsAttr("pool_int64s", 7, 8, 9),
			onnx.IntsAttr("ngram_indexes", c.columns...))
		m := model([]*onnx.ValueInfo{input("x", onnx.Int64, "N", "5")}, nil, n)
		res := infer(t, m)
		if got := fmt.Sprint(res.Errors, res.Graphs[m.Graph]["y"]); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

package inference

// This file tests the elements of small tensors: the patterns in which exporters
// compute sizes.

import (
	"fmt"
	"strings"
	"testing"

	"shapecheck/onnx"
)

func TestPatternsOfExporters(t *testing.T) {
	f32 := func(name string, f float32) *onnx.Node {
		return node("Constant -> "+name, onnx.FloatAttr("value_float", f))
	}
	fill, err := onnx.NewFull(onnx.Float, []int64{1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	consts := map[string][]int64{"zero": {0}, "one": {1}, "two": {2}, "three": {3}, "four": {4}, "c16": {16}, "last": {-1}, "start": {-1},
		"end":     {-9223372036854775807},
		"nothing": {0, 0, 0, 0}, "pairs": {-1, 2}, "flat": {-1}, "four16": {-1, 16, 3}, "far": {1 << 62}}
	size := func(from string, to string) []*onnx.Node {
		return []*onnx.Node{node("Shape x -> s" + to), node("Gather s" + to + " " + from + " -> " + to)}
	}
	h, w := size("two", "h"), size("three", "w")
	join := func(lists ...[]*onnx.Node) []*onnx.Node {
		var out []*onnx.Node
		for _, l := range lists {
			out = append(out, l...)
		}
		return out
	}
	for _, c := range []struct {
		name, want string
		opset      int64
		nodes      []*onnx.Node
	}{
		// torch.onnx.export writes the pads of F.pad, which go from the last dimension to the
		// first, as pairs, reverses them and puts all beginnings before all ends.
		{"F.pad(x, (1, W % 2, 0, 2))", "f32[N,C,H+2,W+W%2+1]", 13, join(w,
			[]*onnx.Node{node("Mod w two -> odd"), node("Concat one odd zero two nothing -> p", onnx.IntAttr("axis", 0)),
				node("Reshape p pairs -> q"), node("Slice q start end zero last -> r"), node("Transpose r -> u", onnx.IntsAttr("perm", 1, 0)),
				node("Reshape u flat -> v"), node("Pad x v -> y")})},
		{"windows", "f32[N*(H//4)*(W//4),16,3]", 13, join(h, w, size("zero", "n"),
			[]*onnx.Node{node("Div h four -> hh"), node("Div w four -> ww"),
				node("Concat n three hh four ww four -> s", onnx.IntAttr("axis", 0)), node("Reshape x3 s -> r"),
				node("Transpose r -> u", onnx.IntsAttr("perm", 0, 2, 4, 3, 5, 1)), node("Reshape u four16 -> y")})},
		{"a size that may be 0 copies the input's", "f32[unk0,unk1]", 13,
			join(h, w, []*onnx.Node{node("Div h four -> hh"), node("Div w four -> ww"),
				node("ConstantOfShape h -> z"), node("Unsqueeze z one -> zz"), node("Concat hh ww -> s", onnx.IntAttr("axis", 0)),
				node("Reshape zz s -> y")})},
		{"arange before Range", "i64[H]", 9, join(h, []*onnx.Node{node("ConstantOfShape h -> o", onnx.TensorAttr("value", fill)),
			node("NonZero o -> nz"),
			node("Transpose nz -> u", onnx.IntsAttr("perm", 1, 0)), node("Squeeze u -> y", onnx.IntsAttr("axes", 1))})},
		{"zeros have no such count", "i64[1,unk0]", 13, join(h, []*onnx.Node{node("ConstantOfShape h -> o"), node("NonZero o -> y")})},
		{"arange of floats", "f32[ceil(H/2)]", 13, join(h, []*onnx.Node{node("Squeeze h zero -> k"), node("Cast k -> f", onnx.IntAttr("to", 1)),
			f32("c", 0.5), f32("a", 0), f32("b", 1),
			node("Mul f c -> l"), node("Range a l b -> y")})},
		{"the last sizes of a shape", "f32[C,H]", 13, []*onnx.Node{node("Shape x -> s"), node("Slice s one three zero -> m"),
			node("ConstantOfShape m -> y")}},
		{"none of the sizes", "f32[]", 13, []*onnx.Node{node("Shape x -> s"), node("Slice s one one zero -> m"), node("ConstantOfShape m -> y")}},
		{"a sum over no axis is one over all", "f32[]", 13, []*onnx.Node{node("Shape x -> s"), node("Slice s one one zero -> m"),
			node("ReduceSum x m -> y", onnx.IntAttr("keepdims", 0))}},
		{"a sum over no axis that does nothing", "f32[N,C,H,W]", 13, []*onnx.Node{node("Shape x -> s"), node("Slice s one one zero -> m"),
			node("ReduceSum x m -> y", onnx.IntAttr("noop_with_empty_axes", 1))}},
		{"none of the sizes and another", "f32[H]", 13, join(h, []*onnx.Node{node("Shape x -> s"), node("Slice s one one zero -> m"),
			node("Concat m h -> r", onnx.IntAttr("axis", 0)), node("ConstantOfShape r -> y")})},
		{"no new dimension", "f32[N,C,H,W]", 13, []*onnx.Node{node("Shape x -> s"), node("Slice s one one zero -> m"),
			node("Unsqueeze x m -> y")}},
		{"a start that may be 0", "f32[unk0,C,H,W]", 13, join(size("zero", "n"),
			[]*onnx.Node{node("Sub one n -> i"), node("Slice x i far zero -> y")})},
		{"a bound", "f32[min(H,16)]", 13, join(h, []*onnx.Node{node("Squeeze h zero -> k"), node("Squeeze c16 zero -> c"),
			node("Clip k _ c -> l"), node("Unsqueeze l zero -> m"), node("ConstantOfShape m -> y")})},
		{"scales, some of them known", "f32[N,C,unk0,2*W]", 13, join(h,
			[]*onnx.Node{node("Cast h -> f", onnx.IntAttr("to", 1)), f32("c", 0.7), node("Div f f -> o"), node("Mul f c -> g"),
				node("Add o o -> d"), node("Concat o o g d -> s", onnx.IntAttr("axis", 0)), node("Resize x _ s -> y")})},
		{"a scale of 0.7, twice", "f32[N,C,unk0,unk1]", 13, []*onnx.Node{f32("c", 0.7),
			node("Constant -> s", onnx.FloatsAttr("value_floats", 1, 1, 0.7, 0.7)), node("Resize x _ s -> a"),
			node("Resize x _ s -> b"), node("Add a b -> y")}},
	} {
		m := model([]*onnx.ValueInfo{input("x", onnx.Float, "N", "C", "H", "W"), input("x3", onnx.Float, "N", "3", "H", "W")}, consts, c.nodes...)
		m.Opsets[0].Version = c.opset
		res := infer(t, m)
		if got := fmt.Sprint(res.Errors, res.Graphs[m.Graph]["y"]); got != "[] "+c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestElementsOfMatrices(t *testing.T) {
	consts := map[string][]int64{"z": {0, 1, 2, 3, 4, 5}, "d": {2, 3}, "zero": {0}, "one": {1}, "two": {2}, "at": {2, 0}, "all": {-1},
		"three": {3}, "six": {6}, "end": {-100}, "b": {1, 2}}
	matrix := node("Reshape z d -> m")
	for _, c := range []struct {
		want  string
		nodes []*onnx.Node
	}{
		{"0 3 1 4 2 5", []*onnx.Node{node("Transpose m -> v")}},
		{"1 2 4 5", []*onnx.Node{node("Slice m one three one -> v")}},
		{"5 4 3 2 1 0", []*onnx.Node{node("Slice z all end zero all -> v")}},
		{"2 0 5 3", []*onnx.Node{node("Gather m at -> v", onnx.IntAttr("axis", 1))}},
		{"1 2 4 5", []*onnx.Node{node("Split m b -> u v", onnx.IntAttr("axis", 1))}},
		{"3 4 5 0 1 2", []*onnx.Node{node("Split m -> a b2", onnx.IntAttr("num_outputs", 2)), node("Concat b2 a -> v", onnx.IntAttr("axis", 0))}},
		{"0 1 2 0 1 2", []*onnx.Node{node("Slice m zero one zero -> r"), node("Expand r d -> v")}},
		{"0 1 2 3 3 3", []*onnx.Node{node("Min m three -> v")}},
	} {
		m := model([]*onnx.ValueInfo{input("x", onnx.Float)}, consts,
			append(append([]*onnx.Node{matrix}, c.nodes...), node("Reshape v all -> w"), node("ConstantOfShape w -> y"))...)
		res := infer(t, m)
		want := "f32[" + strings.ReplaceAll(c.want, " ", ",") + "]"
		if got := fmt.Sprint(res.Errors, res.Graphs[m.Graph]["y"]); got != "[] "+want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

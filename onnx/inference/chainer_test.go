package inference

// This file tests the faults of ONNX+: what chainer-compiler's operators cannot run with.

import (
	"fmt"
	"testing"

	"shapecheck/onnx"
)

func TestFaultsOfONNXPlus(t *testing.T) {
	ins := []*onnx.ValueInfo{input("x", onnx.Float, "2", "4"), input("w", onnx.Float, "5", "3"), input("v", onnx.Float, "5", "4"),
		input("b", onnx.Float, "4"),
		input("c", onnx.Float, "5"), input("k", onnx.Int64, "3"), input("i", onnx.Int64, "2"), input("one", onnx.Int64)}
	specs := func(list ...int64) *onnx.Attr { return onnx.IntsAttr("slice_specs", list...) }
	for _, c := range []struct {
		node *onnx.Node
		want string
	}{
		{node("ChainerLinear x v c -> y"), "[] f32[2,5]"},
		{node("ChainerLinear x w -> y"), `[node "n_ChainerLinear" (ChainerLinear): the features of f32[2,4] and f32[5,3] do not fit: 4 and 3] ?`},
		{node("ChainerLinear x v b -> y"), `[node "n_ChainerLinear" (ChainerLinear): the bias f32[4] does not fit f32[5,4]: 5 and 4] ?`},
		{node("ChainerLinear x v -> y", onnx.IntAttr("n_batch_axes", 2)),
			`[node "n_ChainerLinear" (ChainerLinear): n_batch_axes is 2 for an input of 2 dimensions] ?`},
		{node("ChainerLinear x v -> y", onnx.IntAttr("n_batch_axes", 0)),
			`[node "n_ChainerLinear" (ChainerLinear): attribute n_batch_axes is 0; it must be at least 1] ?`},
		{node("ChainerLinear x c -> y"), `[node "n_ChainerLinear" (ChainerLinear), value "c": expected 2 dimensions, got f32[5]] ?`},
		{node("ChainerSelectItem x i -> y"), "[] f32[2]"},
		{node("ChainerSelectItem x k -> y"),
			`[node "n_ChainerSelectItem" (ChainerSelectItem): the rows of f32[2,4] and i64[3] do not fit: 2 and 3] ?`},
		{node("ChainerGetItem x -> y", specs(0)), "[] f32[2,4]"},
		{node("ChainerGetItem x one -> y", specs(0, 1)), "[] f32[2]"},
		{node("ChainerGetItem x -> y", specs(0, 0, 0)), `[node "n_ChainerGetItem" (ChainerGetItem): 3 slice_specs for 2 dimensions] ?`},
		{node("ChainerGetItem x -> y", specs(5)), `[node "n_ChainerGetItem" (ChainerGetItem): slice_specs has 5; expected 0 to 4] ?`},
		{node("ChainerGetItem x -> y", specs(1)), `[node "n_ChainerGetItem" (ChainerGetItem): slice_specs [1] need 2 inputs; the node has 1] ?`},
		{node("ChainerPadBatchSize x -> y", onnx.IntAttr("size", 7)), "[] f32[7,4]"},
		{node("ChainerBatchNormalizationExpandedStatsShape x -> y"), "[] i64[2]"},
	} {
		c.node.Domain = Chainer
		m := model(ins, nil, c.node)
		m.Opsets = append(m.Opsets, onnx.Opset{Domain: Chainer, Version: 9})
		res := infer(t, m)
		if got := fmt.Sprint(res.Errors, res.Graphs[m.Graph]["y"]); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// TestGenericOperatorsTakeListsAndTensors holds the operators that Python's len and + become: of
// lists, of tensors, and of one of each, which is numpy's sum of an array that the list is made.
func TestGenericOperatorsTakeListsAndTensors(t *testing.T) {
	ins := []*onnx.ValueInfo{input("x", onnx.Float, "2", "4"), input("scalar", onnx.Float)}
	list := func(items, to string) *onnx.Node { return node("SequenceConstruct " + items + " -> " + to) }
	generic := func(text string) *onnx.Node {
		n := node(text)
		n.Domain = Chainer
		return n
	}
	sized := []*onnx.Node{node("Unsqueeze n zero -> u"), node("ConstantOfShape u -> y")} // n zeros
	for _, c := range []struct {
		want  string
		nodes []*onnx.Node
	}{
		{"[] f32[3]", append([]*onnx.Node{list("x x x", "s"), generic("ChainerGenericLen s -> n")}, sized...)},
		{"[] f32[2]", append([]*onnx.Node{generic("ChainerGenericLen x -> n")}, sized...)},
		{"[] seq(f32[2,4])", []*onnx.Node{list("x", "s"), list("x x", "r"), generic("ChainerGenericAdd s r -> y")}},
		{"[] f32[2,4]", []*onnx.Node{generic("ChainerGenericAdd x scalar -> y")}},
		{"[] ?", []*onnx.Node{list("x x", "s"), generic("ChainerGenericAdd s x -> y")}},
		{"[] ?", []*onnx.Node{list("x x", "s"), generic("ChainerGenericAdd x s -> y")}},
	} {
		m := model(ins, map[string][]int64{"zero": {0}}, c.nodes...)
		m.Opsets = append(m.Opsets, onnx.Opset{Domain: Chainer, Version: 9})
		res := infer(t, m)
		if got := fmt.Sprint(res.Errors, res.Graphs[m.Graph]["y"]); got != c.want {
			t.Errorf("%s: got %s, want %s", c.nodes[len(c.nodes)-1].Op, got, c.want)
		}
	}
}

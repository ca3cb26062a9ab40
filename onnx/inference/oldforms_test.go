package inference

// This file tests nodes of old versions, whose forms differ, and faults in attributes.

import (
	"fmt"
	"strings"
	"testing"

	"shapecheck/onnx"
)

func TestOldForms(t *testing.T) {
	x := input("x", onnx.Float, "2", "3", "4", "5")
	ints := onnx.IntsAttr
	for _, c := range []struct {
		opset  int64
		want   string
		inputs []*onnx.ValueInfo
		node   *onnx.Node
	}{
		{1, "f32[2,3,5,8]", nil, node("Pad x -> y", ints("paddings", 0, 0, 1, 0, 0, 0, 0, 3))},
		{2, "f32[2,3,5,8]", nil, node("Pad x -> y", ints("pads", 0, 0, 1, 0, 0, 0, 0, 3))},
		{1, "f32[2,3,8,15]", nil, node("Upsample x -> y", onnx.FloatAttr("height_scale", 2), onnx.FloatAttr("width_scale", 3))},
		{7, "f32[2,3,8,15]", nil, node("Upsample x -> y", onnx.FloatsAttr("scales", 1, 1, 2, 3))},
		{1, "?[2,3,4,5]", nil, node("Cast x -> y", onnx.StringAttr("to", "FLOAT16"))},
		{6, "f16[2,3,4,5]", nil, node("Cast x -> y", onnx.IntAttr("to", int64(onnx.Float16)))},
		{1, "f32[unk0,unk1,unk2,unk3]", []*onnx.ValueInfo{input("n", onnx.Float), input("a", onnx.Float)}, node("Tile x n a -> y")},
		{1, "f32[6,20]", nil, node("Reshape x -> y", ints("shape", 6, -1))},
		{1, "f32[2,3,4,5]", []*onnx.ValueInfo{input("b", onnx.Float, "3")},
			node("Add x b -> y", onnx.IntAttr("broadcast", 1), onnx.IntAttr("axis", 1))},
		{9, "f32[2,1,4,5]", nil, node("ReduceMean x -> y", ints("axes", 1))},
		{9, "f32[2,2,4,5]", nil, node("Slice x -> y", ints("axes", 1), ints("starts", 1), ints("ends", 9))},
		{9, "f32[2,3,2,5]", nil, node("TopK x -> y i", onnx.IntAttr("k", 2), onnx.IntAttr("axis", 2))},
		{11, "f32[2,3,1,4,5]", nil, node("Unsqueeze x -> y", ints("axes", 2))},
		{11, "f32[2,1,4,5]", nil, node("Split x -> y z", onnx.IntAttr("axis", 1), ints("split", 1, 2))},
		{7, "f32[2,3,4,5]", []*onnx.ValueInfo{input("s", onnx.Float, "3", "4", "5")},
			node("BatchNormalization x s s s s -> y", onnx.IntAttr("spatial", 0))},
		{10, "f32[2,3,4,5]", nil, node("Clip x -> y", onnx.FloatAttr("min", 0))},
		{17, "f32[2,3,4,2]", []*onnx.ValueInfo{input("x", onnx.Float, "2", "5", "4", "1")},
			node("DFT x -> y", onnx.IntAttr("axis", 1), onnx.IntAttr("onesided", 1))},
	} {
		inputs := c.inputs
		if len(inputs) == 0 || inputs[0].Name != "x" {
			inputs = append([]*onnx.ValueInfo{x}, inputs...)
		}
		m := model(inputs, nil, c.node)
		m.Opsets[0].Version = c.opset
		res := infer(t, m)
		if got := fmt.Sprint(res.Errors, res.Graphs[m.Graph]["y"]); got != "[] "+c.want {
			t.Errorf("%s of opset %d: got %s, want %s", c.node.Op, c.opset, got, c.want)
		}
	}
}

func TestFaultsInAttributes(t *testing.T) {
	x := input("x", onnx.Float, "2", "3", "4")
	for _, c := range []struct {
		opset int64
		want  string
		node  *onnx.Node
	}{
		{13, `node "n_Softmax" (Softmax): attribute axis is of type FLOAT; expected INT`, node("Softmax x -> y", onnx.FloatAttr("axis", 1))},
		{13, `node "n_Softmax" (Softmax): the operator has no attribute dim`, node("Softmax x -> y", onnx.IntAttr("dim", 1))},
		{18, "the operator has no attribute axes from version 18 on", node("ReduceMax x -> y", onnx.IntsAttr("axes", 1))},
		{13, "the operator has no attribute start before version 15", node("Shape x -> y", onnx.IntAttr("start", 1))},
		{13, "the attribute axis is missing", node("Concat x -> y")},
		{13, `attribute mode is "cubical"; expected one of nearest, linear, cubic`,
			node("Resize x _ s -> y", onnx.StringAttr("mode", "cubical"))},
		{13, "the operator takes at least 2 inputs; the node has 1", node("MatMul x -> y")},
		{13, "the operator has at most 1 results; the node has 2", node("Relu x -> y z")},
		{7, "expected 1 dimensions, got f32[3,4]", node("BatchNormalization x s2 s2 s2 s2 -> y")},
		{9, "the operator has [1 5] results; the node has 2", node("BatchNormalization x x x x x -> y m")},
		{19, "the operator exists from opset 20 on; the model uses opset 19", node("Gelu x -> y")},
	} {
		m := model([]*onnx.ValueInfo{x, input("s", onnx.Float, "3"), input("s2", onnx.Float, "3", "4")}, nil, c.node)
		m.Opsets[0].Version = c.opset
		res := infer(t, m)
		if len(res.Errors) != 1 || !strings.Contains(res.Errors[0].Error(), c.want) {
			t.Errorf("%s of opset %d: %v, want %s", c.node.Op, c.opset, res.Errors, c.want)
		}
	}
}

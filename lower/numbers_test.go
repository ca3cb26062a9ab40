package lower_test

// This file runs exported programs on numbers that are worked out by hand from PyTorch's definitions.

import (
	"slices"
	"testing"

	"shapecheck/internal/onnx"
	"shapecheck/internal/onnx/eval"
)

func floats(dims []int64, list ...float64) *eval.Tensor {
	return &eval.Tensor{DType: onnx.Float, Dims: dims, F: list}
}

func TestNumbersOfPrograms(t *testing.T) {
	for _, c := range []struct {
		name, body string
		args       []string
		in         map[string]eval.Value
		dims       []int64
		want       []float64
	}{
		{"a contracted size of 1 is broadcast on the right", "torch.tensordot(x, y, dims=([1], [0]))", []string{"x:f32[2,3]", "y:f32[1,2]"},
			map[string]eval.Value{"x": floats([]int64{2, 3}, 1, 2, 3, 4, 5, 6), "y": floats([]int64{1, 2}, 10, 100)}, []int64{2, 2}, []float64{60, 600, 150, 1500}},
		{"a contracted size of 1 is broadcast on the left", "torch.tensordot(y, x, dims=([0], [1]))", []string{"x:f32[2,3]", "y:f32[1,2]"},
			map[string]eval.Value{"x": floats([]int64{2, 3}, 1, 2, 3, 4, 5, 6), "y": floats([]int64{1, 2}, 10, 100)}, []int64{2, 2}, []float64{60, 150, 600, 1500}},
		{"the first size is contracted with one of 1", "torch.tensordot(x, y, dims=([0], [0]))", []string{"x:f32[3,2]", "y:f32[1,2]"},
			map[string]eval.Value{"x": floats([]int64{3, 2}, 1, 4, 2, 5, 3, 6), "y": floats([]int64{1, 2}, 10, 100)}, []int64{2, 2}, []float64{60, 600, 150, 1500}},
		{"a padding that is known later, and one that cuts", "torch.nn.functional.pad(x, (x.shape[0], -1))", []string{"x:f32[n,3]"},
			map[string]eval.Value{"x": floats([]int64{2, 3}, 1, 2, 3, 4, 5, 6)}, []int64{2, 4}, []float64{0, 0, 1, 2, 0, 0, 4, 5}},
		{"one that cuts, and a padding that is known later", "torch.nn.functional.pad(x, (-1, x.shape[0]))", []string{"x:f32[n,3]"},
			map[string]eval.Value{"x": floats([]int64{2, 3}, 1, 2, 3, 4, 5, 6)}, []int64{2, 4}, []float64{2, 3, 0, 0, 5, 6, 0, 0}},
	} {
		params := "x"
		if len(c.args) > 1 {
			params = "x, y"
		}
		m, err := export(t, "import torch\n\n\ndef forward("+params+"):\n    return "+c.body+"\n", c.args...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		out, err := eval.Model(m, c.in, eval.Config{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		y, ok := out[0].(*eval.Tensor)
		if !ok || !slices.Equal(y.Dims, c.dims) || !slices.Equal(y.F, c.want) {
			t.Errorf("%s: %v", c.name, out)
		}
	}
}

// TestAWriteInABranchLeavesATensor writes into a tensor in one branch: what it is afterwards is a tensor, not an optional one.
func TestAWriteInABranchLeavesATensor(t *testing.T) {
	m, err := export(t, "import torch\n\n\ndef forward(x):\n    y = x * 1\n    if x.sum() > 0:\n        y.add_(1)\n    return y\n", "x:f32[n]")
	if err != nil {
		t.Fatal(err)
	}
	if kind := m.Graph.Outputs[0].Type.Kind; kind != onnx.TensorType {
		t.Errorf("the result is of kind %v", kind)
	}
	for want, x := range map[float64]float64{4: 3, -3: -3} {
		out, err := eval.Model(m, map[string]eval.Value{"x": floats([]int64{1}, x)}, eval.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if y, ok := out[0].(*eval.Tensor); !ok || y.F[0] != want {
			t.Errorf("of %v: %v", x, out)
		}
	}
}

// TestIndexesAreAsSmallAsTheyCanBe counts nodes: bounds that are known are constants, and places from a
// mask do not count from the end.
func TestIndexesAreAsSmallAsTheyCanBe(t *testing.T) {
	for _, c := range []struct{ index, op string }{
		{"x[1:3, ::2]", "Concat"},
		{"x[m]", "Where"},
	} {
		m, err := export(t, "import torch\n\n\ndef forward(x, m):\n    return "+c.index+"\n", "x:f32[n,4]", "m:bool[n,4]")
		if err != nil {
			t.Fatal(err)
		}
		nodes := slices.Clone(m.Graph.Nodes)
		for _, f := range m.Functions {
			nodes = append(nodes, f.Nodes...)
		}
		if slices.ContainsFunc(nodes, func(n *onnx.Node) bool { return n.Op == c.op }) {
			t.Errorf("%s is exported with a node %s", c.index, c.op)
		}
	}
}

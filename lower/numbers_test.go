package lower_test

// This file runs exported programs on numbers that are worked out by hand from PyTorch's definitions.

import (
	"slices"
	"strings"
	"testing"

	"shapecheck/onnx"
	"shapecheck/onnx/eval"
)

func floats(dims []int64, list ...float64) *eval.Tensor {
	return &eval.Tensor{DType: onnx.Float, Dims: dims, F: list}
}

func integer(n int64) *eval.Tensor { return &eval.Tensor{DType: onnx.Int64, I: []int64{n}} }

func integers(list ...int64) *eval.Tensor {
	return &eval.Tensor{DType: onnx.Int64, Dims: []int64{int64(len(list))}, I: list}
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
			map[string]eval.Value{"x": floats([]int64{2, 3}, 1, 2, 3, 4, 5, 6), "y": floats([]int64{1, 2}, 10, 100)}, []int64{2, 2},
			[]float64{60, 600, 150, 1500}},
		{"a contracted size of 1 is broadcast on the left", "torch.tensordot(y, x, dims=([0], [1]))", []string{"x:f32[2,3]", "y:f32[1,2]"},
			map[string]eval.Value{"x": floats([]int64{2, 3}, 1, 2, 3, 4, 5, 6), "y": floats([]int64{1, 2}, 10, 100)}, []int64{2, 2},
			[]float64{60, 150, 600, 1500}},
		{"the first size is contracted with one of 1", "torch.tensordot(x, y, dims=([0], [0]))", []string{"x:f32[3,2]", "y:f32[1,2]"},
			map[string]eval.Value{"x": floats([]int64{3, 2}, 1, 4, 2, 5, 3, 6), "y": floats([]int64{1, 2}, 10, 100)}, []int64{2, 2},
			[]float64{60, 600, 150, 1500}},
		{"a padding that is known later, and one that cuts", "torch.nn.functional.pad(x, (x.shape[0], -1))", []string{"x:f32[n,3]"},
			map[string]eval.Value{"x": floats([]int64{2, 3}, 1, 2, 3, 4, 5, 6)}, []int64{2, 4}, []float64{0, 0, 1, 2, 0, 0, 4, 5}},
		{"one that cuts, and a padding that is known later", "torch.nn.functional.pad(x, (-1, x.shape[0]))", []string{"x:f32[n,3]"},
			map[string]eval.Value{"x": floats([]int64{2, 3}, 1, 2, 3, 4, 5, 6)}, []int64{2, 4}, []float64{2, 3, 0, 0, 5, 6, 0, 0}},
		{"a dimension that a product names twice stays once", "torch.masked.prod(x, dim=(0, -2), keepdim=True)", []string{"x:f32[2,3]"},
			map[string]eval.Value{"x": floats([]int64{2, 3}, 1, 2, 3, 4, 5, 6)}, []int64{1, 3}, []float64{4, 10, 18}},
		{"the one dimension, twice", "torch.masked.prod(x, dim=(0, -1))", []string{"x:f32[3]"},
			map[string]eval.Value{"x": floats([]int64{3}, 1, 2, 3)}, nil, []float64{6}},
		{"a grid of two columns and one row, from corner to corner", "torch.nn.functional.affine_grid(x, (1, 1, 1, 2), align_corners=True)",
			[]string{"x:f32[1,2,3]"}, map[string]eval.Value{"x": floats([]int64{1, 2, 3}, 1, 2, 3, 4, 5, 6)}, []int64{1, 1, 2, 2},
			[]float64{2, 2, 4, 10}},
		{"each row by itself", "torch.vmap(lambda r: r.sum() * r)(x)", []string{"x:f32[2,3]"},
			map[string]eval.Value{"x": floats([]int64{2, 3}, 1, 2, 3, 4, 5, 6)}, []int64{2, 3}, []float64{6, 12, 18, 60, 75, 90}},
		{"a mask of two maps, one in the other",
			"x * torch.vmap(torch.vmap(lambda q, k: q >= k, in_dims=(None, 0)), in_dims=(0, None))(torch.arange(2), torch.arange(3))",
			[]string{"x:f32[2,3]"},
			map[string]eval.Value{"x": floats([]int64{2, 3}, 1, 2, 3, 4, 5, 6)}, []int64{2, 3}, []float64{1, 0, 0, 4, 5, 0}},
		{"columns beside what all of them share, put last",
			"torch.vmap(lambda a, b: {'sum': a.flip(0) - b[1]}, in_dims=(1, None), out_dims=1)(x, y)['sum']", []string{"x:f32[2,3]", "y:f32[2]"},
			map[string]eval.Value{"x": floats([]int64{2, 3}, 1, 2, 3, 4, 5, 6), "y": floats([]int64{2}, 7, 1)}, []int64{2, 3},
			[]float64{3, 4, 5, 0, 1, 2}},
		{"an integer that is given when the model runs", "x[:y] * y + (7 if y > 1 else y // 2)", []string{"x:f32[n]", "y:int"},
			map[string]eval.Value{"x": floats([]int64{3}, 1, 2, 3), "y": integer(2)}, []int64{2}, []float64{9, 11}},
		{"a negative one", "x[:y] * y + (7 if y > 1 else y // 2)", []string{"x:f32[n]", "y:int"},
			map[string]eval.Value{"x": floats([]int64{3}, 1, 2, 3), "y": integer(-1)}, []int64{2}, []float64{-2, -3}},
		{"a number that an element equals, and one that none does", "x * (4 in x) + (9 in x)", []string{"x:f32[2,2]"},
			map[string]eval.Value{"x": floats([]int64{2, 2}, 3, 4, 5, 0)}, []int64{2, 2}, []float64{3, 4, 5, 0}},
		{"a branch on an element", "(x + 1 if 2 in x else x)[:1]", []string{"x:f32[n]"},
			map[string]eval.Value{"x": floats([]int64{2}, 0, 5)}, []int64{1}, []float64{0}},
		{"the number of a matrix of one element has no dimensions", "x.sum() * y.item()", []string{"x:f32[2]", "y:f32[1,1]"},
			map[string]eval.Value{"x": floats([]int64{2}, 1, 2), "y": floats([]int64{1, 1}, 4)}, nil, []float64{12}},
		{"so many elements", "torch.full((y,), 2.0) + x[1]", []string{"x:f32[2]", "y:int"},
			map[string]eval.Value{"x": floats([]int64{2}, 1, 2), "y": integer(3)}, []int64{3}, []float64{4, 4, 4}},
		{"a tensor that holds an integer is a size", "torch.ones(y.sum(), 2) * x[0]", []string{"x:f32[2]", "y:i64[2]"},
			map[string]eval.Value{"x": floats([]int64{2}, 5, 1), "y": integers(1, 2)}, []int64{3, 2}, []float64{5, 5, 5, 5, 5, 5}},
		{"so many numbers in a row, beside the elements", "(torch.arange(y.max())[None, :] < y[:, None]) * x[:, None]",
			[]string{"x:f32[2]", "y:i64[2]"},
			map[string]eval.Value{"x": floats([]int64{2}, 5, 7), "y": integers(1, 3)}, []int64{2, 3}, []float64{5, 0, 0, 7, 7, 7}},
		{"a picture of such a size", "torch.nn.functional.interpolate(x, size=y.max())", []string{"x:f32[1,1,2]", "y:i64[2]"},
			map[string]eval.Value{"x": floats([]int64{1, 1, 2}, 5, 7), "y": integers(1, 4)}, []int64{1, 1, 4}, []float64{5, 5, 7, 7}},
		{"means over regions of another tensor's size", "torch.nn.functional.adaptive_avg_pool1d(x, y.shape[0])",
			[]string{"x:f32[1,n]", "y:i64[m]"},
			map[string]eval.Value{"x": floats([]int64{1, 5}, 1, 2, 3, 4, 8), "y": integers(0, 0, 0)}, []int64{1, 3}, []float64{1.5, 3, 6}},
		{"the largest of each, and a size that data decide", "torch.nn.functional.adaptive_max_pool1d(x, y.max().item())",
			[]string{"x:f32[1,n]", "y:i64[m]"},
			map[string]eval.Value{"x": floats([]int64{1, 5}, 1, 2, 3, -4, -8), "y": integers(0, 4)}, []int64{1, 4}, []float64{2, 3, 3, -4}},
		{"one that is a tensor's size, too, is read from that", "x * y", []string{"x:f32[n]", "y:int=n"},
			map[string]eval.Value{"x": floats([]int64{3}, 1, 2, 3)}, []int64{3}, []float64{3, 6, 9}},
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

// TestAWriteInABranchLeavesATensor writes into a tensor in one branch: what it is afterwards is a tensor, and is not carried as
// one that may be None.
func TestAWriteInABranchLeavesATensor(t *testing.T) {
	for _, c := range []struct {
		name, write, result   string
		positive, nonpositive []float64 // of 3, 2 and of -3, 2
	}{
		{"the whole", "y.add_(1)", "y", []float64{4, 3}, []float64{-3, 2}},
		{"through a view", "y[0].add_(1)", "y", []float64{4, 2}, []float64{-3, 2}},
		{"that a view sees", "y.add_(1)", "z", []float64{4}, []float64{-3}},
	} {
		body := "y = x * 1\n    z = y[0]\n    if x.sum() > 0:\n        " + c.write + "\n    return " + c.result
		m, err := export(t, "import torch\n\n\ndef forward(x):\n    "+body+"\n", "x:f32[n]")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if kind := m.Graph.Outputs[0].Type.Kind; kind != onnx.TensorType {
			t.Errorf("%s: the result is of kind %v", c.name, kind)
		}
		for _, n := range m.Graph.Nodes {
			if n.Op == "OptionalGetElement" {
				t.Errorf("%s: a tensor that is always there is taken out of an optional one", c.name)
			}
		}
		for x, want := range map[float64][]float64{3: c.positive, -3: c.nonpositive} {
			out, err := eval.Model(m, map[string]eval.Value{"x": floats([]int64{2}, x, 2)}, eval.Config{})
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			} else if y, ok := out[0].(*eval.Tensor); !ok || !slices.Equal(y.F, want) {
				t.Errorf("%s: of %v: %v, want %v", c.name, x, out[0], want)
			}
		}
	}
}

// TestTheStateDictReachesWhatSharesItsMemory reads a parameter through another name: it has the elements that were loaded, whatever
// the constructor wrote.
func TestTheStateDictReachesWhatSharesItsMemory(t *testing.T) {
	for _, init := range [][]string{
		{"t = torch.zeros(3)", "self.w = nn.Parameter(t)", "self.t = t"},
		{"t = torch.zeros(3)", "self.w = nn.Parameter(t)", "self.t = t", "t.fill_(2)"},
		{"self.w = nn.Parameter(torch.empty(3))", "self.t = self.w.detach()", "nn.init.ones_(self.w)"},
		{"self.w = nn.Parameter(torch.empty(3))", "self.t = self.w.data[:]", "self.t.mul_(2)"},
	} {
		m, err := export(t, "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        "+
			strings.Join(init, "\n        ")+"\n\n    def forward(self, x):\n        return x + self.t\n", "x:f32[3]")
		if err != nil {
			t.Errorf("%q: %v", init, err)
			continue
		}
		in := map[string]eval.Value{"x": floats([]int64{3}, 1, 2, 3), "w": floats([]int64{3}, 10, 20, 30)}
		out, err := eval.Model(m, in, eval.Config{})
		if err != nil {
			t.Errorf("%q: %v", init, err)
		} else if y, ok := out[0].(*eval.Tensor); !ok || !slices.Equal(y.F, []float64{11, 22, 33}) {
			t.Errorf("%q: %v", init, out[0])
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

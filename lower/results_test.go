package lower_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"shapecheck/internal/source"
	"shapecheck/lower"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
)

const structures = `from dataclasses import dataclass
from typing import NamedTuple

import torch


class Pair(NamedTuple):
    left: torch.Tensor
    right: torch.Tensor


@dataclass
class Batch:
    image: torch.Tensor
    mask: torch.Tensor


@dataclass
class Result:
    logits: torch.Tensor
    hidden: list


def forward(batch, cache):
    y = batch.image * 2
    z = y + cache[0]["k"]
    return {"result": Result(y, [y, z]), "pair": Pair(z, batch.mask), "cache_0_k": z * 2}
`

func TestResultsAndInputsAreNamedByTheirPlace(t *testing.T) {
	m, err := export(t, structures, "batch=Batch(f32[n], bool[n])", `cache=[{"k": f32[n]}]`)
	if err != nil {
		t.Fatal(err)
	}
	var ins, outs []string
	for _, v := range m.Graph.Inputs {
		ins = append(ins, v.Name)
	}
	for _, v := range m.Graph.Outputs {
		outs = append(outs, v.Name)
	}
	if want := []string{"batch_image", "batch_mask", "cache_0_k"}; !slices.Equal(ins, want) {
		t.Errorf("inputs %q, want %q", ins, want)
	}
	if want := []string{"result_logits", "result_hidden_0", "result_hidden_1", "pair_left", "pair_right",
		"cache_0_k_out"}; !slices.Equal(outs, want) {
		t.Errorf("results %q, want %q", outs, want)
	}
	copies := map[string]string{}
	for _, n := range m.Graph.Nodes {
		if n.Op == "Identity" {
			copies[n.Outputs[0]] = n.Inputs[0]
		}
	}
	if len(copies) != 3 || copies["result_hidden_0"] != "result_logits" || copies["pair_left"] != "result_hidden_1" ||
		copies["pair_right"] != "batch_mask" {
		t.Errorf("copied are %v: want those results that are results or inputs already", copies)
	}
}

// What a loop gives to its body says what it is.
func TestParametersOfLoopsAreNamedByTheirRole(t *testing.T) {
	m, err := export(t, "import torch\n\n\ndef forward(x):\n    y = x * 1\n    for i in range(x.shape[0]):\n        y = y * 2 + i\n    return y\n", "x:f32[n]")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range m.Graph.Nodes {
		if n.Op != "Loop" {
			continue
		}
		var names []string
		for _, in := range n.Attr("body").Graph.Inputs {
			names = append(names, in.Name)
		}
		if want := []string{"/iteration", "/condition", "/carried"}; !slices.Equal(names, want) {
			t.Errorf("the body's inputs are %v, want %v", names, want)
		}
		return
	}
	t.Error("the model has no loop")
}

// Complex inputs and results would be read as something else by those who run the model.
func TestComplexInputsAndResultsAreRefused(t *testing.T) {
	for _, c := range []struct{ body, arg, refused string }{
		{"torch.fft.fft(x)", "x:f32[3]", "a result is complex"},
		{"x.real", "x:c64[3]", "the input x is complex"},
		{"torch.fft.fft(x).abs()", "x:f32[3]", ""},
		{"torch.fft.fft(x).tan().real", "x:f32[3]", "torch.tan cannot be written as ONNX: it has no form for complex numbers"},
	} {
		_, err := export(t, "import torch\n\n\ndef forward(x):\n    return "+c.body+"\n", c.arg)
		if (err != nil) != (c.refused != "") || err != nil && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s: error %v, want one with %q", c.body, err, c.refused)
		}
	}
}

const objects = `import torch


class Layer:
    def __init__(self):
        self.keys = None
        self._window = torch.tensor(4)
        self.ready = False


class Cache:
    def __init__(self, n):
        self.layers = [Layer() for _ in range(n)]
        self.owner = self
        self.used = {0: True}


class Holder:
    def __init__(self, x):
        self._x = x
        self.cache = None


class Empty:
    pass


def forward(x, kind):
    cache = Cache(3)
    cache.layers[0].keys = x * 2
    cache.layers[2].keys = x * 3
    if kind == "cache":
        return x + 1, {"past": cache}
    if kind == "holder":
        h = Holder(x * 5)
        h.cache, cache.owner = cache, h
        return h
    if kind == "private":
        return Holder(x * 5)
    return {"x": x * 2, "state": [Empty()]}
`

// Of an object the attributes are results in which tensors are. What leads back to it is none of them.
func TestResultsInObjectsAreNamedByTheirAttributes(t *testing.T) {
	for kind, want := range map[string][]string{
		"cache":   {"output_0", "output_1_past_layers_0_keys", "output_1_past_layers_1__window", "output_1_past_layers_2_keys"},
		"holder":  {"cache_layers_0_keys", "cache_layers_1__window", "cache_layers_2_keys"},
		"private": {"_x"},
	} {
		m, err := export(t, objects, "x:f32[n]", "kind='"+kind+"'")
		if err != nil {
			t.Error(kind, err)
			continue
		}
		var outs []string
		for _, v := range m.Graph.Outputs {
			outs = append(outs, v.Name)
		}
		if !slices.Equal(outs, want) {
			t.Errorf("%s: results %q, want %q", kind, outs, want)
		}
	}
	_, err := export(t, objects, "x:f32[n]", "kind='empty'")
	var at *lower.Error
	if !errors.As(err, &at) || !strings.Contains(at.Reason, "the result state_0 is <Empty>, which has no form in ONNX") {
		t.Fatalf("error %v", err)
	}
	if at.At == (source.Span{}) {
		t.Error("the error has no place")
	}
}

// A number that tolist gives is that element's, and no other's; a buffer that is not in the state_dict is computed.
func TestNumbersAndBuffersAreWhatTheyAreComputedAs(t *testing.T) {
	const text = `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = nn.Buffer(torch.arange(2) * 3, persistent=False)

    def forward(self, x):
        a = x.tolist()
        return self.kept * a[0][1] - a[1][0]


forward = Net()
`
	m, err := export(t, text, "x:i64[2,2]")
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Graph.Inputs) != 1 {
		t.Fatalf("%d inputs", len(m.Graph.Inputs))
	}
	x := &eval.Tensor{DType: onnx.Int64, Dims: []int64{2, 2}, I: []int64{100, 20, 3, 400}}
	out, err := eval.Model(m, map[string]eval.Value{"x": x}, eval.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if y, ok := out[0].(*eval.Tensor); !ok || !slices.Equal(y.I, []int64{-3, 57}) {
		t.Errorf("result %v, want [-3 57]", out[0])
	}
}

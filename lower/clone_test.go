package lower_test

import (
	"bytes"
	"testing"

	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/lower"
	"shapecheck/onnx"
)

// Lowering changes nothing of what it is given: writes through views, branches and
// loops are where passes change the graph most.
func TestLoweringLeavesTheGraphAsItWas(t *testing.T) {
	res, err := infer.Run(infer.Config{File: "net.py", Args: []string{"x:f32[B,4]"}, Text: `
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.register_buffer("scale", torch.ones(4) * 2)

    def forward(self, x):
        y = self.fc(x)
        v = y[:, 1:]
        v.mul_(2)
        if y.sum() > 0:
            y[:, 0] = 1
        for i in range(x.shape[0]):
            y[i].add_(self.scale)
        return y, v
`})
	if err != nil {
		t.Fatal(err)
	}
	text := func() string {
		if err := graph.Verify(res.Graph); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		graph.Print(&b, res.Graph, res.Files)
		return b.String()
	}
	model := func() []byte {
		in := lower.Input{Graph: res.Graph, Pool: res.Pool, Files: res.Files}
		for _, p := range append(append([]infer.NamedTensor{}, res.Parameters...), res.Buffers...) {
			in.Params = append(in.Params, lower.Named{Name: p.Name, Value: res.AtCall(p.Tensor)})
		}
		m, err := lower.Lower(in)
		if err != nil {
			t.Fatal(err)
		}
		b, err := onnx.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	before := text()
	first := model()
	if after := text(); after != before {
		t.Errorf("the graph was\n%s\nand is\n%s", before, after)
	}
	if !bytes.Equal(first, model()) {
		t.Error("lowering the same graph again gives another model")
	}
}

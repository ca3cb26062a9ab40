package lower_test

import (
	"slices"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/lower"
	"shapecheck/onnx"
	"shapecheck/onnx/check"
	"shapecheck/onnx/inference"
)

// export lowers the entry of a program.
func export(t *testing.T, text string, args ...string) (*onnx.Model, error) {
	t.Helper()
	res, err := infer.Run(infer.Config{File: "net.py", Text: text, Args: args, Exporting: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range res.Diagnostics {
		t.Fatal(d.Msg)
	}
	in := lower.Input{Graph: res.Graph, Pool: res.Pool, Files: res.Files, Name: "net"}
	for _, p := range res.State {
		in.Params = append(in.Params, lower.Named{Name: p.Name, Value: res.AtCall(p.Tensor)})
	}
	m, err := lower.Lower(in)
	if err == nil {
		agrees(t, m)
	}
	return m, err
}

// agrees checks a lowered model and infers its types again: they must be those of
// the program.
func agrees(t *testing.T, m *onnx.Model) {
	t.Helper()
	wellFormed(t, m)
	rep, err := inference.Compare(m)
	if err != nil {
		t.Fatal(err)
	}
	if !rep.OK() || len(rep.Unproved) > 0 {
		t.Errorf("the model's types are not the program's:\n%s", rep)
	}
}

// wellFormed holds a written model, as it is in its file, against ONNX's checker's rules.
func wellFormed(t *testing.T, m *onnx.Model) {
	t.Helper()
	b, err := onnx.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if m, err = onnx.Unmarshal(b); err != nil {
		t.Fatal(err)
	}
	for _, e := range check.Model(m) {
		t.Errorf("the model is not well-formed: %v", e)
	}
}

const net = `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.more = nn.Conv2d(8, 8, 3, padding=1)

    def forward(self, x):
        y = torch.relu(self.more(self.conv(x)))
        return {"y": y + x.shape[2] // 2}
`

func TestCallsBecomeFunctions(t *testing.T) {
	m, err := export(t, net, "x:f32[b,3,H,W]")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range m.Functions {
		names = append(names, f.Domain+"::"+f.Name)
	}
	if want := []string{"aten::conv2d", "aten::relu", "aten::add"}; !slices.Equal(names, want) {
		t.Errorf("functions %v, want %v: equal calls share one", names, want)
	}
	conv := m.Functions[0]
	if want := []string{"stride", "dilation", "groups"}; !slices.Equal(conv.Attrs, want) {
		t.Errorf("attributes of conv2d are %v, want %v", conv.Attrs, want)
	}
	var inputs []string
	for _, in := range m.Graph.Inputs {
		inputs = append(inputs, in.Name)
	}
	if want := []string{"x", "conv.weight", "conv.bias", "more.weight", "more.bias"}; !slices.Equal(inputs, want) {
		t.Errorf("inputs %v, want %v", inputs, want)
	}
	first := m.Graph.Nodes[0]
	if first.Name != "/conv/conv2d" || first.Doc != "net.py:12" {
		t.Errorf("the first node is %s from %s", first.Name, first.Doc)
	}
	out := m.Graph.Outputs[0]
	if out.Name != "y" || out.Type.Shape.Dims[0].Param != "b" || out.Type.Shape.Dims[1].Value != 8 || out.Type.Shape.Dims[2].Param != "H" {
		t.Errorf("the output is %+v", out)
	}
}

func TestWhatHasNoFormIsListed(t *testing.T) {
	_, err := export(t, `import torch


def forward(x):
    y = torch.fft.hfft(x)
    z = torch.linalg.eigvals(x)
    return y, z
`, "x:f32[3,3]")
	if err == nil || !strings.Contains(err.Error(), "hfft") || !strings.Contains(err.Error(), "eigvals") {
		t.Errorf("error %v, want both functions named", err)
	}
}

// The dimension that is named twice is gone the second time, and the next one has its number.
func TestADimensionOfAProductThatIsNamedTwiceIsRefused(t *testing.T) {
	_, err := export(t, "import torch\n\n\ndef forward(x):\n    return torch.masked.prod(x, dim=(0, -2))\n", "x:f32[2,3]")
	if err == nil || !strings.Contains(err.Error(), "a dimension is named twice") {
		t.Errorf("error %v, want one that says so", err)
	}
}

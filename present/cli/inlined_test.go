package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/onnx"
)

// Values that stood in functions have types too, and results keep theirs.
func TestInlinedValuesAreTyped(t *testing.T) {
	dir := t.TempDir()
	src, out := filepath.Join(dir, "net.py"), filepath.Join(dir, "net.onnx")
	text := `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        y = nn.functional.gelu(self.fc(x))
        if y.sum() > 0:
            y = nn.functional.gelu(y * 2)
        return y
`
	if err := os.WriteFile(src, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	if code := Run([]string{"export", src, "--entry", "Net()", "--arg", "x:f32[b,4]", "--functions=inline", "--check", "-o", out},
		strings.NewReader(""), &buf, &buf); code != 0 {
		t.Fatal(buf.String())
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	m, err := onnx.Unmarshal(b)
	if err != nil {
		t.Fatal(err)
	}
	values := 0
	var walk func(g *onnx.Graph)
	walk = func(g *onnx.Graph) {
		typed := map[string]bool{}
		for _, list := range [][]*onnx.ValueInfo{g.Inputs, g.Outputs, g.Values} {
			for _, v := range list {
				typed[v.Name] = v.Type != nil
			}
		}
		for _, n := range g.Nodes {
			for _, o := range n.Outputs {
				if values++; !typed[o] {
					t.Errorf("%s of %s has no type", o, n.Op)
				}
			}
			n.Subgraphs(func(_ string, sub *onnx.Graph) { walk(sub) })
		}
	}
	walk(m.Graph)
	if values < 15 {
		t.Errorf("only %d values: functions are not inlined", values)
	}
}

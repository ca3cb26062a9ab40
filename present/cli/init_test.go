package cli

// This file tests export --init.

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/check"
	"shapecheck/onnx"
)

const initNet = `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, bad=False):
        super().__init__()
        self.lin = nn.Linear(300, 100)
        self.register_buffer("steps", torch.arange(100) * 2)
        if bad:
            self.register_buffer("steps", torch.empty(100))

    def forward(self, x):
        return self.lin(x) + self.steps
`

func TestInitDrawsParameters(t *testing.T) {
	dir := t.TempDir()
	net := filepath.Join(dir, "net.py")
	if err := os.WriteFile(net, []byte(initNet), 0o666); err != nil {
		t.Fatal(err)
	}
	export := func(entry string, args ...string) (int, string, []byte) {
		t.Helper()
		path := filepath.Join(dir, "m.onnx")
		_ = os.Remove(path)
		var out, errs bytes.Buffer
		code := Run(append([]string{"export", net, "--entry", entry, "--arg", "x:f32[N,300]", "-o", path}, args...), strings.NewReader(""),
			&out, &errs)
		b, _ := os.ReadFile(path)
		return code, errs.String(), b
	}
	code, text, first := export("Net()", "--init=5", "--check")
	if code != check.ExitClean {
		t.Fatalf("code %d\n%s", code, text)
	}
	m, err := onnx.Unmarshal(first)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Graph.Inputs) != 1 || len(m.Graph.Initializers) != 3 {
		t.Errorf("%d inputs and %d initializers: only x is an input", len(m.Graph.Inputs), len(m.Graph.Initializers))
	}
	if list, err := m.Graph.Initializers[2].Ints(); err != nil || list[99] != 198 {
		t.Errorf("steps end with %v (%v)", list, err)
	}
	if _, _, again := export("Net()", "--init=5"); !bytes.Equal(first, again) {
		t.Error("the same seed gives other bytes")
	}
	if _, _, other := export("Net()", "--init=6"); bytes.Equal(first, other) {
		t.Error("another seed gives the same bytes")
	}
	for _, c := range []struct {
		entry, want string
		code        int
		args        []string
	}{
		{"Net(bad=True)", "steps cannot be initialised: it has elements that nothing sets", check.ExitFindings, []string{"--init=1"}},
		{"Net()", "--init=x: expected a number", check.ExitUsage, []string{"--init=x"}},
		{"Net()", "--init and --weights exclude each other", check.ExitUsage, []string{"--init=1", "--weights", "w.npz"}},
	} {
		code, text, b := export(c.entry, c.args...)
		if code != c.code || !strings.Contains(text, c.want) || b != nil {
			t.Errorf("%v: code %d, %d bytes\n%s", c.args, code, len(b), text)
		}
	}
}

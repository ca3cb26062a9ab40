package cli

import (
	"os"
	"strings"
	"testing"
)

// Folding a normalisation into a convolution changes roundings, so that without tolerance the
// bisection finds it; with the usual one, and among exact passes, there is nothing to find.
func TestBisectionOfModels(t *testing.T) {
	t.Chdir(t.TempDir())
	const net = `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.norm = nn.BatchNorm2d(8)

    def forward(self, x):
        x = x + 0
        return self.norm(self.conv(x)).relu()
`
	if err := os.WriteFile("net.py", []byte(net), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"net.py", "--arg", "x:f32[B,3,H,W]", "--init=0", "--eval"}
	input := []string{"--input", "x:f32[1,3,9,9]", "--bisect"}
	runCLI(t, 0, append([]string{"export", "-o", "net.onnx", "--fold-norms=false"}, args...)...) // the pass has a norm to fold
	for _, from := range [][]string{args, {"net.onnx"}} {
		all := append(append([]string{"run"}, from...), input...)
		text, _ := runCLI(t, 0, all...)
		if text != "no pass changes the outputs in the reference engine\nno instruction of the fast engine differs from the reference engine\n" {
			t.Errorf("%q: %s", all, text)
		}
		exact := append(all, "--ref-rtol", "0", "--ref-atol", "0", "--engine", "ref")
		text, _ = runCLI(t, 1, exact...)
		if !strings.Contains(text, "after the pass merge (number ") ||
			!strings.Contains(text, `: rule merge:conv-norm on BatchNormalization "/norm/`) || !strings.Contains(text, "at net.py:13: output") {
			t.Errorf("%q: %s", exact, text)
		}
		if text, _ = runCLI(t, 0, append(exact, "--opt", "exact")...); text != "no pass changes the outputs in the reference engine\n" {
			t.Errorf("%q: %s", exact, text)
		}
		if text, _ = runCLI(t, 0, append(exact, "--disable",
			"merge:conv-norm")...); text != "no pass changes the outputs in the reference engine\n" {
			t.Errorf("%q: %s", exact, text)
		}
	}
	runCLI(t, 0, "compile", "net.onnx", "-o", "net.prog", "--verify=full")
	runCLI(t, 0, "compile", "net.onnx", "-o", "net.prog", "--verify")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "net.prog", "--bisect"}, "give the model instead"},
		{[]string{"compile", "net.onnx", "-o", "net.prog", "--verify=all"}, "expected passes or full"},
		{[]string{"compile", "net.onnx", "-o", "net.prog", "--disable", "merge:conv-nor"}, `no rule "merge:conv-nor"`},
		{[]string{"compile", "net.onnx", "-o", "net.prog", "--disable", "merg"}, `no pass "merg"`},
	} {
		if _, errs := runCLI(t, 2, c.args...); !strings.Contains(errs, c.want) {
			t.Errorf("%q: %s", c.args, errs)
		}
	}
}

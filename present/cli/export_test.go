package cli

import (
	"os"
	"strings"
	"testing"

	"shapecheck/check"
)

// As torch.onnx.export does, an export calls eval(): a model is made in training mode.
func TestExportIsInEvaluationModeUnlessAskedOtherwise(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x * 2 if self.training else torch.cat([x, x])\n"
	if err := os.WriteFile("net.py", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{nil, "outputs output f32[2*N]"},
		{[]string{"--eval"}, "outputs output f32[2*N]"},
		{[]string{"--train"}, "outputs output f32[N]"},
	} {
		_, said := runCLI(t, check.ExitClean, append([]string{"export", "net.py", "--arg", "x:f32[N]", "-o", "net.onnx"}, c.flags...)...)
		if !strings.HasPrefix(said, "net.onnx: opset 18, 1 nodes, 0 weights of 0 elements; inputs x f32[N]; "+c.want) {
			t.Errorf("%v: %q, want %s", c.flags, said, c.want)
		}
	}
	_, said := runCLI(t, check.ExitUsage, "export", "net.py", "--arg", "x:f32[N]", "-o", "net.onnx", "--eval", "--train")
	if !strings.Contains(said, "give one of them") {
		t.Errorf("--eval and --train together: %q", said)
	}
}

// Objects of classes of the program give their tensors, as arguments and as results.
func TestTensorsOfObjectsAreInputsAndOutputs(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "class Halves:\n    def __init__(self, x):\n        self.left, self.right = x.chunk(2, 1)\n        self.size = 3\n\n\n" +
		"def forward(batch):\n    return batch.a + batch.b, Halves(batch.a)\n"
	if err := os.WriteFile("net.py", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	_, said := runCLI(t, check.ExitClean, "export", "net.py", "--arg", "batch=__import__('types').SimpleNamespace(a=f32[B,4], b=f32[B,4])",
		"-o", "net.onnx")
	want := "inputs batch_a f32[B,4], batch_b f32[B,4]; outputs output_0 f32[B,4], output_1_left f32[B,2], output_1_right f32[B,2]"
	if !strings.Contains(said, want) {
		t.Errorf("%q, want %s", said, want)
	}
}

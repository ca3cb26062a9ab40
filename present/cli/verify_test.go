package cli

import (
	"os"
	"strings"
	"testing"

	"shapecheck/check"
	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

// What is written is run at sizes that the contract allows, and what drawn inputs cannot show is said.
func TestExportsAreVerifiedByRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ name, text, arg, want string }{
		{"sizes that the contract allows", "def forward(x):\n    return x.view(x.shape[0] // 8, 8, -1).softmax(1)\n", "x:f32[N,3]",
			"verified by 3 runs, at N=8; N=16; N=24: results have the types"},
		{"all symbols change", "def forward(x):\n    return x.T @ x\n", "x:f32[N,M]", "verified by 3 runs, at N=2 M=3; N=3 M=5; N=5 M=1: "},
		{"the ends of a range", "def forward(x):\n    assert x.shape[0] > 5000\n    return x * 2\n", "x:f32[N]",
			"verified by 2 runs, at N=5001; N=5002: "},
		{"no symbols", "def forward(x):\n    return x * 2\n", "x:f32[3]", "verified by 1 run, at the only sizes: "},
		{"elements that do not fit", "import torch\n\ndef forward(x):\n    return torch.zeros(2)[x + 2]\n", "x:i64[3]",
			"note: not verified at the only sizes: SC850: net.py:4: instruction 3, Gather"},
		{"no sizes", "def forward(x):\n    assert x.shape[0] * x.shape[1] % 1000003 == 500009\n    return x * 2\n", "x:f32[N,M]",
			"note: not verified: no sizes were found that the contract allows"},
	} {
		if err := os.WriteFile("net.py", []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, said := runCLI(t, check.ExitClean, "export", "net.py", "--arg", c.arg, "-o", "net.onnx", "--verify")
		if !strings.Contains(said, c.want) {
			t.Errorf("%s: %q, want %q", c.name, said, c.want)
		}
	}
}

func TestOutputsThatDifferAreNotVerified(t *testing.T) {
	p := &isa.Program{Outputs: []*isa.Port{{Name: "y"}}}
	y := func(x float32) vm.Outputs { return vm.Outputs{"y": tensor.Of([]float32{1, x}, 2)} }
	if err := agree(p, y(3), y(3.000001)); err != nil {
		t.Error(err)
	}
	if err := agree(p, y(3), y(3.1)); err == nil || !strings.Contains(err.Error(), `the output "y": 1 of 2 elements differ`) {
		t.Errorf("%v", err)
	}
	if err := agree(p, y(3), vm.Outputs{"y": tensor.Of([]float32{1}, 1)}); err == nil {
		t.Error("an output of another size is accepted")
	}
}

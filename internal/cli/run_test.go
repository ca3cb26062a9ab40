package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/internal/onnx"
	"shapecheck/runtime/tensor"
)

// runCLI runs a command line and checks its exit code.
func runCLI(t *testing.T, want int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := Run(args, strings.NewReader(""), &out, &errs); code != want {
		t.Fatalf("%q: exit code %d, want %d\n%s%s", args, code, want, out.String(), errs.String())
	}
	return out.String(), errs.String()
}

const doubled = `import torch


def forward(x):
    torch._check(x.shape[0] % 2 == 0)
    return x * 2, x.reshape(x.shape[0] // 2, 2).sum(1)
`

func TestRunFromSourceToNumbers(t *testing.T) {
	dir := t.TempDir()
	file, in, out := filepath.Join(dir, "net.py"), filepath.Join(dir, "x.npy"), filepath.Join(dir, "out")
	if err := os.WriteFile(file, []byte(doubled), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := tensor.WriteFile(in, "x", tensor.Of([]float32{1, 2, 3, 4}, 4)); err != nil {
		t.Fatal(err)
	}
	for _, engine := range []string{"fast", "ref"} {
		text, _ := runCLI(t, 0, "run", file, "--arg", "x:f32[N]", "--input", "x="+in, "--engine", engine, "-o", out)
		if !strings.Contains(text, "f32[4]  2 4 6 8") || !strings.Contains(text, "f32[2]  3 7") {
			t.Errorf("%s: %s", engine, text)
		}
	}
	list, err := filepath.Glob(filepath.Join(out, "*.npy"))
	if err != nil || len(list) != 2 {
		t.Errorf("the outputs are in %v (%v)", list, err)
	}
	// sizes that are numbers draw the input
	text, _ := runCLI(t, 0, "run", file, "--arg", "x:f32[6]", "--bench", "2")
	if !strings.Contains(text, "f32[3]") || !strings.Contains(text, "2 runs with") {
		t.Error(text)
	}
	// the contract is checked with the user's symbol
	_, errs := runCLI(t, 1, "run", file, "--arg", "x:f32[N]", "--input", "x:f32[5]")
	if !strings.Contains(errs, "SC841: N % 2 == 0 is needed, but x has N = 5") || !strings.Contains(errs, "4") || !strings.Contains(errs, "6") {
		t.Error(errs)
	}
	if _, errs := runCLI(t, 2, "run", file, "--arg", "x:f32[N]"); !strings.Contains(errs, `--input 'x:TYPE'`) {
		t.Error(errs)
	}
	if _, errs := runCLI(t, 2, "run", file, "--arg", "x:f32[N]", "--input", "y:f32[4]"); !strings.Contains(errs, `no input "y"; it has x`) {
		t.Error(errs)
	}
}

// A test in ONNX's layout passes, fails on another element, and fails when it is listed as
// an exception and passes.
func TestRecordedTests(t *testing.T) {
	dir := t.TempDir()
	one := filepath.Join(dir, "test_relu")
	set := filepath.Join(one, "test_data_set_0")
	if err := os.MkdirAll(set, 0o777); err != nil {
		t.Fatal(err)
	}
	v := func(name string) *onnx.ValueInfo {
		return &onnx.ValueInfo{Name: name, Type: onnx.TensorOf(onnx.Float, onnx.Static(3))}
	}
	m := &onnx.Model{IRVersion: 8, Opsets: []onnx.Opset{{Version: 14}}, Graph: &onnx.Graph{Name: "g", Inputs: []*onnx.ValueInfo{v("x")}, Outputs: []*onnx.ValueInfo{v("y")},
		Nodes: []*onnx.Node{{Op: "Relu", Inputs: []string{"x"}, Outputs: []string{"y"}}}}}
	b, err := onnx.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, elems ...float32) {
		t.Helper()
		if err := tensor.WriteFile(filepath.Join(set, name), "", tensor.Of(elems, 3)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(one, "model.onnx"), b, 0o666); err != nil {
		t.Fatal(err)
	}
	write("input_0.pb", -1, 2, 3)
	write("output_0.pb", 0, 2, 3)
	if text, _ := runCLI(t, 0, "test", dir); text != "1 passed, 0 failed, 0 skipped\n" {
		t.Error(text)
	}
	list := filepath.Join(dir, "list.tsv")
	if err := os.WriteFile(list, []byte("# known\ntest_relu\twrong on purpose\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if text, _ := runCLI(t, 1, "test", dir, "--exceptions", list); !strings.Contains(text, "listed as an exception") {
		t.Error(text)
	}
	write("output_0.pb", 0, 2, 4)
	if text, _ := runCLI(t, 1, "test", dir); !strings.Contains(text, "FAIL test_relu: test_data_set_0, output \"y\": 1 of 3 elements differ, by at most 1; number 2 is 3, recorded is 4") {
		t.Error(text)
	}
	if text, _ := runCLI(t, 0, "test", dir, "--exceptions", list); text != "0 passed, 0 failed, 1 skipped\n" {
		t.Error(text)
	}
	loose := filepath.Join(dir, "loose.tsv")
	if err := os.WriteFile(loose, []byte("test_relu\trandom on purpose\ttypes\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if text, _ := runCLI(t, 0, "test", dir, "--exceptions", loose); text != "1 passed (1 by types and sizes alone), 0 failed, 0 skipped\n" {
		t.Error(text)
	}
	if err := tensor.WriteFile(filepath.Join(set, "output_0.pb"), "", tensor.Of([]float32{1}, 1)); err != nil {
		t.Fatal(err)
	}
	if text, _ := runCLI(t, 1, "test", dir, "--exceptions", loose); !strings.Contains(text, "recorded is f32[1]") {
		t.Error(text)
	}
}

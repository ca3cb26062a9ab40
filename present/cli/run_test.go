package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/onnx"
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
	if !strings.Contains(errs, "net.py:5: a library function that raises otherwise), but x has N = 5; the nearest sizes are 4 and 6\n") {
		t.Error(errs)
	}
	if _, errs := runCLI(t, 2, "run", file, "--arg", "x:f32[N]"); !strings.Contains(errs, `--input 'x:TYPE'`) {
		t.Error(errs)
	}
	if _, errs := runCLI(t, 2, "run", file, "--arg", "x:f32[N]", "--input", "y:f32[4]"); !strings.Contains(errs, `no input "y"; it has x`) {
		t.Error(errs)
	}
}

// A size that breaks the contract is refused with the lines of the source that need it, whether
// the program comes from the source, from the exported model or from a file.
func TestRefusedSizesNameTheirLines(t *testing.T) {
	t.Chdir(t.TempDir())
	const net = `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.MaxPool2d(32)
        self.up = nn.Upsample(scale_factor=32)

    def forward(self, x):
        return torch.cat([x, self.up(self.down(x))], 1)


def pair(x, y):
    assert x.shape[0] > 2
    z = x + y.relu()
    return z.view(z.shape[0], 4, -1), x @ y.T


def square(x):
    return x.flatten(1) @ torch.ones(49, 2)


def thirds(x):
    a = x.view(-1, 3)
    return a.sum(), x.chunk(2)[0].reshape(-1, 2)
`
	if err := os.WriteFile("net.py", []byte(net), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		entry  string
		args   []string
		inputs []string
		want   string
	}{
		{"Net()", []string{"x:f32[B,3,H,W]"}, []string{"x:f32[1,3,225,64]"},
			"SC841: H % 32 == 0 is needed (net.py:12: cat needs H = 32*(H // 32)), but x has H = 225; the nearest sizes are 224 and 256"},
		{"pair", []string{"x:f32[B,C]", "y:f32[D,C]"}, []string{"x:f32[3,8]", "y:f32[5,8]"},
			"SC841: B == D is needed (net.py:17: add), but x has B = 3 and y has D = 5; the nearest sizes are B = 5 and D = 3"},
		{"pair", []string{"x:f32[B,C]", "y:f32[B,C]"}, []string{"x:f32[2,8]", "y:f32[2,8]"},
			"SC841: B >= 3 is needed (net.py:16: an assert), but x has B = 2; the nearest size is 3"},
		{"pair", []string{"x:f32[B,C]", "y:f32[B,C]"}, []string{"x:f32[4,7]", "y:f32[4,7]"},
			"SC841: C % 4 == 0 is needed (net.py:18: view), but x has C = 7; the nearest sizes are 4 and 8"},
		{"square", []string{"x:f32[B,H,W]"}, []string{"x:f32[1,9,6]"},
			"SC841: H*W == 49 is needed (net.py:22: matmul), but x has H = 9 and W = 6; together the nearest sizes are H = 7, W = 7"},
		{"thirds", []string{"x:f32[N]"}, []string{"x:f32[14]"},
			"SC841: N % 12 == 0 or N % 12 == 3 is needed (net.py:26: view needs N % 3 == 0; net.py:27: reshape needs ceil(N / 2) == 2*((N + 1) // 4)), but x has N = 14; the nearest sizes are 12 and 15"},
	} {
		from := []string{"net.py", "--entry", c.entry}
		for _, a := range c.args {
			from = append(from, "--arg", a)
		}
		runCLI(t, 0, append([]string{"export", "-o", "net.onnx"}, from...)...)
		runCLI(t, 0, append([]string{"compile", "-o", "net.prog"}, from...)...)
		for _, from := range [][]string{from, {"net.onnx"}, {"net.prog"}} {
			args := append([]string{"run"}, from...)
			for _, in := range c.inputs {
				args = append(args, "--input", in)
			}
			if _, errs := runCLI(t, 1, args...); !strings.HasSuffix("\n"+errs, "\nerror: "+c.want+"\n") { // a warning of the tie may come before
				t.Errorf("%q:\n%swant\n%s", args, errs, c.want)
			}
		}
		if text, _ := runCLI(t, 0, "infer", "net.onnx", "--check"); !strings.Contains(text, " 0 not proved, 0 wrong") {
			t.Errorf("%s: %s", c.entry, text)
		}
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
	m := &onnx.Model{IRVersion: 8, Opsets: []onnx.Opset{{Version: 14}},
		Graph: &onnx.Graph{Name: "g", Inputs: []*onnx.ValueInfo{v("x")}, Outputs: []*onnx.ValueInfo{v("y")},
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
	if text, _ := runCLI(t, 0, "test", dir,
		"--always-show-diff"); text != "diff test_relu, test_data_set_0, output \"y\": equal\n1 passed, 0 failed, 0 skipped\n" {
		t.Error(text)
	}
	dump := filepath.Join(dir, "dump")
	_, errs := runCLI(t, 0, "test", dir, "--dump-outputs-dir", dump, "--trace", "1",
		"--chrome-trace", filepath.Join(dir, "t.json"), "--check-against-ref", "--check-nans")
	if !strings.Contains(errs, "Relu") {
		t.Error(errs)
	}
	if files, err := filepath.Glob(filepath.Join(dump, "test_relu", "test_data_set_0", "*.npy")); err != nil || len(files) != 2 {
		t.Errorf("%v %v", files, err)
	}
	list := filepath.Join(dir, "list.tsv")
	if err := os.WriteFile(list, []byte("# known\ntest_relu\tdifferent\twrong on purpose\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if text, _ := runCLI(t, 1, "test", dir, "--exceptions", list); !strings.Contains(text, "listed as an exception") {
		t.Error(text)
	}
	write("output_0.pb", 0, 2, 4)
	if text, _ := runCLI(t, 1, "test", dir); !strings.Contains(text,
		"FAIL test_relu: test_data_set_0, output \"y\": 1 of 3 elements differ, by at most 1; number 2 is 3, recorded is 4") {
		t.Error(text)
	}
	if text, _ := runCLI(t, 0, "test", dir, "--exceptions", list); text != "0 passed, 0 failed, 1 skipped\n" {
		t.Error(text)
	}
	for lines, want := range map[string]string{
		"test_relu\trefused\twrong on purpose\n":       "it is listed as refused and is different",
		"test_relu\twrong on purpose\n":                "a test, the verdict and the reason",
		"test_relu\tbad\twrong on purpose\n":           "the verdict \"bad\" is not",
		strings.Repeat("test_relu\tdifferent\tx\n", 2): "has a line already",
	} {
		odd := filepath.Join(dir, "odd.tsv")
		if err := os.WriteFile(odd, []byte(lines), 0o666); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		if code := Run([]string{"test", dir, "--exceptions", odd}, strings.NewReader(""), &out, &errs); code == 0 ||
			!strings.Contains(out.String()+errs.String(), want) {
			t.Errorf("%q: exit code %d: %s%s", lines, code, out.String(), errs.String())
		}
	}
	if text, _ := runCLI(t, 0, "test", dir, "--rtol", "0.5", "--always-show-diff"); !strings.Contains(text,
		"1 of 3 elements differ, by at most 1, as a part of the recorded one by 0.25\n1 passed") {
		t.Error(text)
	}
	if text, _ := runCLI(t, 0, "test", dir, "--compile-only"); text != "1 passed, 0 failed, 0 skipped\n" {
		t.Error(text)
	}
	other, report := filepath.Join(dir, "test_second"), filepath.Join(dir, "report.json")
	if err := os.CopyFS(other, os.DirFS(one)); err != nil {
		t.Fatal(err)
	}
	runCLI(t, 1, "test", dir, "--report-json", report)
	b, err = os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	var rep testReport
	if err := json.Unmarshal(b, &rep); err != nil || rep.Version != 1 || rep.Failed != 2 || len(rep.Tests) != 2 ||
		rep.Tests[1].Name != "test_second" || rep.Tests[1].Outcome != "failed" ||
		!strings.Contains(rep.Tests[0].Reason, "number 2 is 3") || rep.Tests[0].RunMS <= 0 {
		t.Errorf("%v: %+v", err, rep)
	}
	if text, _ := runCLI(t, 1, "test", dir, "--no-catch"); !strings.HasSuffix(text, "0 passed, 1 failed, 0 skipped\n") {
		t.Error(text)
	}
	if _, errs := runCLI(t, 2, "test", dir, "--chrome-trace", filepath.Join(dir, "t.json")); !strings.Contains(errs,
		"for one test, not for 2") {
		t.Error(errs)
	}
	if err := os.RemoveAll(other); err != nil {
		t.Fatal(err)
	}
	loose := filepath.Join(dir, "loose.tsv")
	if err := os.WriteFile(loose, []byte("test_relu\ttypes\trandom on purpose\n"), 0o666); err != nil {
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

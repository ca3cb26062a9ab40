package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const perceptron = `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 4)

    def forward(self, x):
        return torch.relu(self.fc(x)).softmax(-1)
`

func TestRunsAreObserved(t *testing.T) {
	dir := t.TempDir()
	file, dump, chrome := filepath.Join(dir, "net.py"), filepath.Join(dir, "dump"), filepath.Join(dir, "trace.json")
	if err := os.WriteFile(file, []byte(perceptron), 0o666); err != nil {
		t.Fatal(err)
	}
	base := []string{"run", file, "--arg", "x:f32[N,6]", "--init=0", "--input", "x:f32[3,6]", "--threads", "1", "--opt", "none"}
	out, errs := runCLI(t, 0, append(base, "--trace", "1", "--memory", "--dump-outputs-dir", dump, "--chrome-trace", chrome, "--check-against-ref")...)
	if !strings.Contains(out, "f32[3,4]") || strings.Contains(out, "GFLOP") {
		t.Error(out)
	}
	if !regexp.MustCompile(`(?m)^ +\d+ +Gemm +%\d+ f32\[3,6\], @\d+ f32\[4,6\].* -> %\d+ f32\[3,4\] +; .*net\.py:11 .*$`).MatchString(errs) {
		t.Errorf("no line of the product in\n%s", errs)
	}
	if !regexp.MustCompile(`\d+ instructions; values held [1-9]\d* bytes at most`).MatchString(errs) {
		t.Error(errs)
	}
	if strings.Contains(errs, "mean") {
		t.Error("--trace 1 has elements")
	}
	list, err := filepath.Glob(filepath.Join(dump, "0000?_*.npy"))
	if err != nil || len(list) < 4 {
		t.Errorf("%v %v", list, err)
	}
	b, err := os.ReadFile(chrome)
	if err != nil || !json.Valid(b) || !strings.Contains(string(b), `"ph":"X"`) {
		t.Errorf("%s %v", b, err)
	}
	if _, errs := runCLI(t, 0, append(base, "--trace", "2")...); !strings.Contains(errs, "mean") {
		t.Error(errs)
	}
	out, _ = runCLI(t, 0, append(base, "--bench", "3")...)
	if !regexp.MustCompile(`(?s)3 runs with 1 threads: min [\d.]+ ms, median .*\noperator .*GFLOP/s +kernel\n`).MatchString(out) ||
		!regexp.MustCompile(`(?m)^Gemm +1 +[\d.]+ +[\d.]+ +[\d.]+  Gemm\.f32`).MatchString(out) {
		t.Error(out)
	}
	if strings.Contains(out, "place") {
		t.Error("--bench has a table of instructions")
	}
	out, _ = runCLI(t, 0, append(base, "--profile", "--engine", "ref")...)
	if !regexp.MustCompile(`(?m)^ +\d+ Gemm +1 .* reference .*net\.py:11$`).MatchString(out) {
		t.Error(out)
	}
	runCLI(t, 0, append(base, "--skip-type-check")...)
	for _, bad := range [][]string{{"--trace", "3"}, {"--bench", "-1"}, {"--ref-rtol", "-1"}, {"--ref-rtol", "NaN"},
		{"--chrome-trace", filepath.Join(dir, "none", "x.json")}, {"--dump-outputs-dir", file}} {
		runCLI(t, 2, append(base, bad...)...)
	}
}

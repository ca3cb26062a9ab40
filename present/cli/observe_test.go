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
	out, errs := runCLI(t, 0, append(base, "--trace", "1", "--memory", "--dump-outputs-dir", dump, "--chrome-trace", chrome,
		"--check-against-ref")...)
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
	if !regexp.MustCompile(`(?s)3 runs with 1 threads on \w+: min [\d.]+ ms, median .*\noperator .*GFLOP/s +MB +kernel\n`).MatchString(out) ||
		!regexp.MustCompile(`(?m)^Gemm +1 +[\d.]+ +[\d.]+ +[\d.]+ +0\.000  Gemm\.f32`).MatchString(out) {
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
		{"--chrome-trace", filepath.Join(dir, "none", "x.json")}, {"--dump-outputs-dir", file}, {"--verbose-ops", "Gem"},
		{"--report-json", filepath.Join(dir, "none", "x.json")}} {
		runCLI(t, 2, append(base, bad...)...)
	}
}

func TestRunsAreReported(t *testing.T) {
	dir := t.TempDir()
	file, report := filepath.Join(dir, "net.py"), filepath.Join(dir, "report.json")
	if err := os.WriteFile(file, []byte(perceptron), 0o666); err != nil {
		t.Fatal(err)
	}
	base := []string{"run", file, "--arg", "x:f32[N,6]", "--init=0", "--opt", "none"}
	input := []string{"--input", "x:f32[3,6]", "--threads", "1"}
	runCLI(t, 0, append(append(base, input...), "--report-json", report, "--bench", "4")...)
	read := func() (r runReport) {
		t.Helper()
		b, err := os.ReadFile(report)
		if err == nil {
			err = json.Unmarshal(b, &r)
		}
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := read()
	if r.Version != 1 || r.Engine != "fast" || r.Tier == "" || r.Threads != 1 || r.PrepareMS <= 0 || r.RunMS <= 0 ||
		r.Instructions < 5 || r.PeakBytes < 72 || r.Error != "" || len(r.Outputs) != 1 || r.Outputs[0] != (outputReport{"output", "f32[3,4]"}) {
		t.Errorf("%+v", r)
	}
	if b := r.Bench; b == nil || b.Runs != 4 || b.MinMS <= 0 || b.MedianMS < b.MinMS || b.P90MS < b.MedianMS || b.P99MS < b.P90MS ||
		b.MaxMS < b.P99MS {
		t.Errorf("%+v", b)
	}
	// x, weight, bias and result of the product, in f32; a multiplication and an addition for each weight and row
	want := costReport{Operator: "Gemm", Count: 1, Bytes: 4 * (18 + 24 + 4 + 12), Flops: 2 * 3 * 24}
	found := false
	for _, c := range r.Operators {
		if c.Operator == want.Operator {
			found = c.Count == want.Count && c.Bytes == want.Bytes && c.Flops >= want.Flops && c.Kernel != "" && c.MS > 0
		}
	}
	if !found {
		t.Errorf("%+v", r.Operators)
	}
	// a run that is refused has a report, too
	runCLI(t, 1, append(append(base, input...), "--report-json", report, "--max-instructions", "2")...)
	if r := read(); !strings.Contains(r.Error, "SC86") || r.Outputs != nil {
		t.Errorf("%+v", r)
	}
	if text, _ := runCLI(t, 0, append(base, "--compile-only")...); text != "" {
		t.Error(text)
	}
	_, errs := runCLI(t, 0, append(append(base, input...), "--verbose-ops", "Gemm,Softmax")...)
	if !strings.Contains(errs, "Gemm  ") || !strings.Contains(errs, "Softmax  ") || strings.Contains(errs, "Relu  ") ||
		strings.Count(errs, "mean") != 2 {
		t.Error(errs)
	}
}

func TestStrippedProgramsSayNothingOfTheirSource(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("net.py", []byte(doubled), 0o666); err != nil {
		t.Fatal(err)
	}
	runCLI(t, 0, "compile", "net.py", "--arg", "x:f32[N]", "-o", "net.prog", "--strip")
	text, _ := runCLI(t, 0, "disasm", "net.prog")
	if strings.Contains(text, "net.py") || strings.Contains(text, "node ") || !strings.Contains(text, `require "N % 2 == 0"`) {
		t.Error(text)
	}
	if err := os.WriteFile("net.txt", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	runCLI(t, 0, "asm", "net.txt", "-o", "again.prog")
	a, _ := os.ReadFile("net.prog")
	b, err := os.ReadFile("again.prog")
	if err != nil || string(a) != string(b) {
		t.Errorf("the text assembles to other bytes: %v", err)
	}
	if _, errs := runCLI(t, 1, "run", "net.prog", "--input",
		"x:f32[5]"); errs != "error: SC841: N % 2 == 0 is needed, but x has N = 5; the nearest sizes are 4 and 6\n" {
		t.Error(errs)
	}
	if text, _ := runCLI(t, 0, "run", "net.prog", "--input", "x:f32[6]"); !strings.Contains(text, "f32[3]") {
		t.Error(text)
	}
}

func TestRefusedAttentionIsExplained(t *testing.T) {
	file := filepath.Join(t.TempDir(), "net.py")
	const source = `import torch
from torch import nn


class Net(nn.Module):
    def forward(self, q, k, v, s):
        return (q @ k.transpose(-1, -2) * s).softmax(-1) @ v
`
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"run", file, "--arg", "q:f32[2,3,4,5]", "--arg", "k:f32[2,3,6,5]", "--arg", "v:f32[2,3,6,5]", "--arg", "s:f32[]",
		"--explain-fusion"}
	for opt, why := range map[string]string{"fast": "the scale of the scores is no constant number",
		"exact": "the pass recognise is left out"} {
		_, errs := runCLI(t, 0, append(args, "--opt", opt)...)
		if !regexp.MustCompile(`(?m)^apart: no attention by Softmax "/softmax/Softmax" at .*net\.py:7: ` + why + `$`).MatchString(errs) {
			t.Errorf("--opt %s does not say why:\n%s", opt, errs)
		}
	}
}

package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const compiledNet = `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 4)

    def forward(self, x):
        if x.sum() > 0:
            x = x * 2
        return torch.relu(self.fc(x.flatten(1)))
`

// A Python file becomes a program, whose text becomes the same program again.
func TestCompileAndAssemble(t *testing.T) {
	dir := t.TempDir()
	net, prog, again, text := filepath.Join(dir, "net.py"), filepath.Join(dir, "net.prog"), filepath.Join(dir, "again.prog"),
		filepath.Join(dir, "net.txt")
	if err := os.WriteFile(net, []byte(compiledNet), 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(want int, args ...string) (stdout, stderr string) {
		t.Helper()
		var out, errs bytes.Buffer
		if code := Run(args, strings.NewReader(""), &out, &errs); code != want {
			t.Fatalf("%q: exit code %d\n%s", args, code, errs.String())
		}
		return out.String(), errs.String()
	}
	_, report := run(0, "compile", net, "--arg", "x:f32[B,2,3]", "--init", "7", "-o", prog, "--report", "--verify")
	if !strings.Contains(report, "canon") || !strings.Contains(report, "nodes") {
		t.Errorf("report: %s", report)
	}
	listing, _ := run(0, "disasm", prog)
	for _, part := range []string{"sym B 1..", "jmpf", "copy", "view", `:13 `} {
		if !strings.Contains(listing, part) {
			t.Errorf("the listing lacks %q:\n%s", part, listing)
		}
	}
	if err := os.WriteFile(text, []byte(listing), 0o666); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(dir, "empty.txt")
	if err := os.WriteFile(empty, []byte("\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, why := run(2, "asm", empty, "-o", again); !strings.Contains(why, "the text is empty") {
		t.Errorf("an empty text: %s", why)
	}
	run(0, "asm", text, "-o", again, "--segments", prog)
	a, _ := os.ReadFile(prog)
	b, _ := os.ReadFile(again)
	if len(a) == 0 || !bytes.Equal(a, b) {
		t.Errorf("the program has %d bytes, and %d after text and back", len(a), len(b))
	}
	if list, _ := run(0, "compile", "--print-passes"); !strings.Contains(list, "dce") {
		t.Errorf("passes: %s", list)
	}
	if _, errs := run(2, "compile", net, "--arg", "x:f32[B,2,3]", "-o", again, "--disable", "nope"); !strings.Contains(errs,
		`no pass "nope"`) {
		t.Error(errs)
	}
	if _, errs := run(1, "compile", net, "--arg", "x:f32[B,2,4]", "-o", filepath.Join(dir, "none")); !strings.Contains(errs, "SC101") {
		t.Error(errs)
	}
	if _, err := os.Stat(filepath.Join(dir, "none")); err == nil {
		t.Error("a program was written for a wrong model")
	}
}

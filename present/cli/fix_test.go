package cli

// This file tests --fix and --diff.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/check"
)

const twoFaults = `import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(32, 64)
        self.fc2 = nn.Linear(63, 10)

    def forward(self, x):
        x = x.permute(0, 2, 3, 1).view(x.size(0), -1)
        return self.fc2(self.fc1(x))
`

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestFixWritesSafeFixes(t *testing.T) {
	name := writeFile(t, filepath.Join(t.TempDir(), "net.py"), twoFaults)
	args := []string{name, "--arg", "x:f32[B,2,4,5]", "--fix", "--output-format", "concise"}
	code, stdout, stderr := run(args...)
	want := strings.Replace(twoFaults, ".view(", ".reshape(", 1)
	if got := readFile(t, name); got != want {
		t.Errorf("the file is\n%s", got)
	}
	// What the first fault hid is found now, and its fix is not safe.
	if code != check.ExitFindings || !strings.Contains(stderr, "1 fixed; 1 more with --unsafe-fixes") ||
		!strings.Contains(stdout, "40 features") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	code, stdout, stderr = run(append(args, "--unsafe-fixes")...)
	want = strings.NewReplacer("32, 64", "40, 64", "63, 10", "64, 10").Replace(want)
	if got := readFile(t, name); code != check.ExitClean || got != want || !strings.Contains(stderr, "2 fixed\n") {
		t.Errorf("exit code %d\n%s%s\n%s", code, stdout, stderr, got)
	}
	if code, _, stderr := run(args...); code != check.ExitClean || !strings.Contains(stderr, "0 fixed") {
		t.Errorf("again: exit code %d %s", code, stderr)
	}
}

func TestDiffWritesNothing(t *testing.T) {
	name := writeFile(t, filepath.Join(t.TempDir(), "net.py"), twoFaults)
	code, stdout, stderr := run(name, "--arg", "x:f32[B,2,4,5]", "--diff", "--unsafe-fixes")
	if readFile(t, name) != twoFaults {
		t.Error("the file was changed")
	}
	want := "-        self.fc1 = nn.Linear(32, 64)\n-        self.fc2 = nn.Linear(63, 10)\n+        self.fc1 = nn.Linear(40, 64)\n+        self.fc2 = nn.Linear(64, 10)\n"
	if code != check.ExitFindings || !strings.Contains(stdout, want) || !strings.Contains(stderr, "3 would be fixed\n") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, stdout, _ := run(model, "--arg", "x:f32[B,3,28,28]", "--diff"); code != check.ExitClean || stdout != "" {
		t.Errorf("a clean file: exit code %d\n%s", code, stdout)
	}
}

func TestFixStaysInsideOfWhatIsChecked(t *testing.T) {
	dir := t.TempDir()
	lib := writeFile(t, filepath.Join(dir, "lib", "blocks.py"), twoFaults)
	main := writeFile(t, filepath.Join(dir, "app", "main.py"), "from blocks import Net\n\n\ndef forward(x):\n    return Net()(x)\n")
	args := []string{main, "--arg", "x:f32[B,2,4,5]", "--path", filepath.Dir(lib), "--fix", "--unsafe-fixes"}
	if _, _, stderr := run(args...); readFile(t, lib) != twoFaults || !strings.Contains(stderr, "0 fixed") {
		t.Errorf("a library was changed: %s", stderr)
	}
	beside := writeFile(t, filepath.Join(dir, "app", "blocks.py"), twoFaults)
	if code, _, stderr := run(append(args, "--exit-zero")...); code != check.ExitClean || !strings.Contains(stderr, "3 fixed") ||
		readFile(t, beside) == twoFaults {
		t.Errorf("a module beside the file was not fixed: exit code %d %s", code, stderr)
	}
}

func TestFixKeepsMarksAndLineEnds(t *testing.T) {
	text := "\ufeff" + strings.ReplaceAll(twoFaults, "\n", "\r\n")
	name := writeFile(t, filepath.Join(t.TempDir(), "net.py"), text)
	run(name, "--arg", "x:f32[B,2,4,5]", "--fix")
	if got := readFile(t, name); got != strings.Replace(text, ".view(", ".reshape(", 1) {
		t.Errorf("%q", got)
	}
	latin := "# -*- coding: latin-1 -*-\n# caf\xe9\n" + twoFaults
	name = writeFile(t, filepath.Join(t.TempDir(), "net.py"), latin)
	if _, _, stderr := run(name, "--arg", "x:f32[B,2,4,5]", "--fix"); readFile(t, name) != latin || !strings.Contains(stderr, "not in UTF-8") {
		t.Errorf("a file in another encoding: %s", stderr)
	}
}

func TestIgnoredFindingsAreNotFixed(t *testing.T) {
	text := strings.Replace(twoFaults, "size(0), -1)", "size(0), -1)  # shapecheck: ignore", 1)
	name := writeFile(t, filepath.Join(t.TempDir(), "net.py"), text)
	if _, _, stderr := run(name, "--arg", "x:f32[B,2,4,5]", "--fix"); readFile(t, name) != text || !strings.Contains(stderr, "0 fixed") {
		t.Error(stderr)
	}
}

func TestFixOfAProjectMindsOtherEntries(t *testing.T) {
	dir := t.TempDir()
	text := strings.Replace(twoFaults, "63", "64", 1)
	text = strings.Replace(text, ".view(", ".reshape(", 1)
	name := writeFile(t, filepath.Join(dir, "net.py"), text)
	config := writeFile(t, filepath.Join(dir, "shapecheck.toml"), `
[[entries]]
name = "one"
file = "net.py"
entry = "Net()"
args = ["x:f32[B,2,4,4]"]

[[entries]]
name = "other"
file = "net.py"
entry = "Net()"
args = ["x:f32[B,2,4,5]"]
`)
	if _, _, stderr := run("--config", config, "--fix", "--unsafe-fixes"); readFile(t, name) != text || !strings.Contains(stderr, "0 fixed") {
		t.Errorf("what one entry needs was changed for the other: %s\n%s", stderr, readFile(t, name))
	}
}

func TestFixFlagsGoTogether(t *testing.T) {
	for _, args := range [][]string{{model, "--unsafe-fixes"}, {"-", "--fix"}} {
		if code, _, stderr := run(args...); code != check.ExitUsage {
			t.Errorf("%v: exit code %d %s", args, code, stderr)
		}
	}
}

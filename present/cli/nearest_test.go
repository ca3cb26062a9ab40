package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Three projects below one root: one without a configuration, one with its own entries and roots, and one that another tool's file configures.
const severalProjects = `
-- apps/plain/net.py --
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return nn.functional.softmax(self.none, 1)
-- apps/one/shapecheck.toml --
paths = ["lib"]
discover = false
exclude = ["old"]
severity = { SC302 = "info" }

[[entries]]
file = "net.py"
entry = "Net(own.WIDTH)"
args = ["x:f32[B,5]"]
-- apps/one/lib/own.py --
WIDTH = 4
-- apps/one/net.py --
import own
from torch import nn


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.l = nn.Linear(n, n)

    def forward(self, x):
        return self.l(x)
-- apps/one/undiscovered.py --
from torch import nn


class Other(nn.Module):
    def forward(self, x):
        return self.none
-- apps/one/old/gone.py --
from torch import nn


class Old(nn.Module):
    def forward(self, x):
        return self.none
-- two/pyproject.toml --
[project]
name = "two"

[tool.shapecheck]
severity = { SC302 = "info" }
-- two/deep/net.py --
from torch import nn


class Deep(nn.Module):
    def forward(self, x):
        return self.none
`

func TestTheNearestConfigurationRulesAFile(t *testing.T) {
	root := t.TempDir()
	for _, f := range txtar.Parse([]byte(severalProjects)).Files {
		name := filepath.Join(root, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(root)
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	const plain, one = "apps/plain/net.py:7:38: error[SC302]", "apps/one/net.py:11:16: error[SC101]"
	for _, c := range []struct {
		args []string
		want []string
		not  []string
	}{
		{[]string{"."}, []string{plain, one, "two/deep/net.py:6:16: info[SC302]"}, []string{"apps/one/undiscovered.py", "gone.py"}},
		{[]string{"apps", "two/deep/net.py"}, []string{plain, one, "two/deep/net.py:6:16: info[SC302]"}, []string{"undiscovered.py", "gone.py"}},
		{[]string{".", "--no-config"}, []string{plain, "apps/one/undiscovered.py:6:16: error[SC302]", "apps/one/old/gone.py", "two/deep/net.py:6:16: error[SC302]"},
			[]string{one}},
		{[]string{".", "--config", "two/pyproject.toml"}, []string{"one/undiscovered.py"}, []string{"error[SC302]"}},
	} {
		code, out, stderr := run(append(c.args, "--python", "none", "--output-format", "concise")...)
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%v: exit code %d, no %q in\n%s%s", c.args, code, want, out, stderr)
			}
		}
		for _, not := range c.not {
			if strings.Contains(out, not) {
				t.Errorf("%v: exit code %d, %q in\n%s%s", c.args, code, not, out, stderr)
			}
		}
	}
	if code, out, stderr := run(".", "--python", "none", "--output-format", "concise", "--new-since", "HEAD"); code != 0 || strings.Contains(out, "error[") {
		t.Errorf("new since the same revision: exit code %d\n%s%s", code, out, stderr)
	}
	// Equal findings below and above: a baseline of one project hides none of another.
	t.Chdir(filepath.Join(root, "apps/one"))
	if code, _, stderr := run("--python", "none", "--write-baseline", "known.json"); code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	text, err := os.ReadFile("shapecheck.toml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("shapecheck.toml", append([]byte("baseline = \"known.json\"\n"), text...), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	_, out, stderr := run(".", "--python", "none", "--output-format", "concise")
	if !strings.Contains(out, plain) || strings.Contains(out, one) || !strings.Contains(stderr, "1 hidden by baselines of projects below") {
		t.Errorf("with a baseline below:\n%s%s", out, stderr)
	}
	// A fault in a configuration below is one of its files alone.
	if err := os.WriteFile("two/pyproject.toml", []byte("[tool.shapecheck]\nwrong = 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, out, stderr = run(".", "--python", "none", "--output-format", "concise")
	if !strings.Contains(out, plain) || !strings.Contains(stderr, "two/deep/net.py: ") || !strings.Contains(stderr, "wrong") {
		t.Errorf("with a faulty configuration below:\n%s%s", out, stderr)
	}
}

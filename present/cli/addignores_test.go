package cli

// This file tests shapecheck add-ignores.

import (
	"os"
	"strings"
	"testing"
)

func TestAddIgnores(t *testing.T) {
	t.Chdir(t.TempDir())
	const net = `import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 4)

    def forward(self, x):  # x: [B, 3]
        y = self.lin(x)  # (B, 5)
        return torch.cat([y,
                          x], 0)
`
	const commented = `import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 4)

    def forward(self, x):  # x: [B, 3]
        y = self.lin(x)  # (B, 5)  # shapecheck: ignore[SC602]
        return torch.cat([y,  # shapecheck: ignore[SC101]
                          x], 0)
`
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile("net.py", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	is := func(want string) {
		t.Helper()
		data, err := os.ReadFile("net.py")
		if err != nil || string(data) != want {
			t.Errorf("%v; the file is\n%s, want\n%s", err, data, want)
		}
	}
	write(net)
	args := []string{"net.py", "--entry", "Net()", "--arg", "x:f32[B,3]"}
	out, _ := runCLI(t, 1, append([]string{"add-ignores", "--diff"}, args...)...)
	if !strings.Contains(out, "+        y = self.lin(x)  # (B, 5)  # shapecheck: ignore[SC602]\n") {
		t.Errorf("the diff:\n%s", out)
	}
	is(net)
	if _, said := runCLI(t, 0, append([]string{"add-ignores"}, args...)...); said != "shapecheck: comments for 2 findings in 1 file\n" {
		t.Errorf("says %q", said)
	}
	is(commented)
	runCLI(t, 0, append([]string{"check"}, args...)...)
	runCLI(t, 0, append([]string{"add-ignores"}, args...)...)
	is(commented)

	// What is found in folders, and the entries of a configuration.
	write(net)
	runCLI(t, 0, "add-ignores", ".", "--select", "SC602")
	is(net) // what a guess causes is no finding
	if err := os.WriteFile("shapecheck.toml", []byte("[[entries]]\nfile = \"net.py\"\nentry = \"Net()\"\nargs = [\"x:f32[B,3]\"]\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	runCLI(t, 0, "add-ignores")
	is(commented)
	write(net)
	runCLI(t, 0, "add-ignores", ".")
	is(commented)
	// A finding about a comment is left, and is not counted.
	if err := os.Remove("shapecheck.toml"); err != nil {
		t.Fatal(err)
	}
	wrong := func(codes string) string {
		return strings.Replace(net, "self.lin(x)  # (B, 5)", "self.lin(x)  # (B, 5)  # shapecheck: ignore["+codes+"]", 1)
	}
	write(wrong("SC999"))
	about := "shapecheck: net.py:10:57: SC690 is about a comment: change it\n"
	if _, said := runCLI(t, 1, append([]string{"add-ignores", "--select", "SC6"},
		args...)...); said != about+"shapecheck: comments for 1 finding in 1 file\n" {
		t.Errorf("says %q", said)
	}
	is(wrong("SC999, SC602"))
	if _, said := runCLI(t, 1, append([]string{"add-ignores", "--select", "SC6"},
		args...)...); said != about+"shapecheck: no comment was written\n" {
		t.Errorf("says %q", said)
	}
	is(wrong("SC999, SC602"))
	if _, said := runCLI(t, 2, "add-ignores", "-"); !strings.Contains(said, "standard input") {
		t.Errorf("says %q", said)
	}
}

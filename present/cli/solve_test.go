package cli

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"shapecheck/check"
)

func TestSolveFindsNumbers(t *testing.T) {
	t.Chdir(t.TempDir())
	const net = `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, hidden=10, heads=3, kind='a?b'):
        super().__init__()
        self.heads = heads
        self.a = nn.Linear(12, hidden)
        self.b = nn.Linear(96, 4)
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x, k=1):
        x = self.a(x)
        x = x.view(x.shape[0], self.heads, -1).transpose(1, 2).flatten(1)
        return self.norm(self.b(x))


def split(x, n):
    return x.view(n, -1) @ torch.zeros(6, 3)


def free(x, n):
    return x * n
`
	if err := os.WriteFile("net.py", []byte(net), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--entry", "Net(hidden=?)", "--arg", "x:f32[B,12]", "--eval"}, 0, "hidden = 96\n"},
		{[]string{"--entry", "Net(hidden=?, heads=?, kind='?')", "--arg", "x:f32[B,12]", "--eval"}, 0,
			"hidden = 96\nheads = 1, 2, 3, 4, 6, 8, 12, 16, …  (96 % heads == 0)\n"},
		{[]string{"--entry", "Net(96)", "--arg", "x:f32[B,?]", "--eval"}, 0, "x_size = 12\n"},
		{[]string{"--entry", "Net( ? )", "--arg", "x:f32[?,12]", "--eval"}, 0, "n = 96\nx_size may be any number\n"},
		{[]string{"--entry", "split", "--arg", "x:f32[24]", "--arg", "n=?"}, 0, "n = 4\n"},
		{[]string{"--entry", "free", "--arg", "x:f32[24]", "--arg", "n=?"}, 0, "n may be any number\n"},
		{[]string{"--entry", "Net(97, heads=?)", "--arg", "x:f32[B,12]"}, 1, "no value: net.py:16: "},
		{[]string{"--entry", "Net(97)", "--arg", "x:f32[B,12]"}, 2, "solve needs a mark ?"},
		{[]string{"--entry", "Net(kind='?')", "--arg", "x:f32[B,12]"}, 2, "solve needs a mark ?"},
		{[]string{"--entry", "Net(?)"}, 2, "needs x: add --arg"},
		{[]string{"--entry", "Nett(?)", "--arg", "x:f32[B,12]"}, 2, "did you mean Net?"},
		{[]string{"--entry", "Net(?, ?, kind=str(0))", "--arg", "x:f32[B,12]", "--eval"}, 0, "n = 96\nn2 = 1, 2, 3, 4, 6, 8, 12, 16, …  (96 % n2 == 0)\n"},
	} {
		code, out, stderr := run(append([]string{"solve", "net.py"}, c.args...)...)
		text := out
		if c.code == 2 {
			text = stderr
		}
		if code != c.code || !strings.Contains(text, c.want) || c.code == 0 && out != c.want && !strings.HasPrefix(out, c.want+"when ") {
			t.Errorf("%q: exit code %d\n%s%s", c.args, code, out, stderr)
		}
	}
	code, out, _ := run("solve", "net.py", "--entry", "split", "--arg", "x:f32[24]", "--arg", "n=?", "--json")
	var x check.Solution
	if err := json.Unmarshal([]byte(out), &x); err != nil || code != 0 || len(x.Unknowns) != 1 || x.Unknowns[0].Values[0] != 4 ||
		!x.Unknowns[0].All || strings.Contains(out, "null") {
		t.Errorf("exit code %d, %v\n%s", code, err, out)
	}
}

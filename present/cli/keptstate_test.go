package cli

import (
	"os"
	"slices"
	"strings"
	"testing"

	"shapecheck/check"
)

// The lines of what calls change and later ones use are warnings wherever a model is traced or written; a cache, a list of what was
// seen, and a number without a part in the result are none.
func TestStateThatIsKept(t *testing.T) {
	t.Chdir(t.TempDir())
	text := `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)
        self.bn = nn.BatchNorm1d(4)
        self.calls = 0
        self.cache = None
        self.seen = []

    def forward(self, x):
        self.calls += 1
        self.seen.append(x.shape[0])
        torch.tensor(self.calls)
        if self.cache is None:
            self.cache = torch.arange(4.0)
        y = self.bn(self.fc(x)) + self.cache
        if self.calls > 2:
            y = y + 1
        return y * self.calls


class Clean(Net):
    def forward(self, x):
        self.seen.append(self.calls)
        if self.cache is None:
            self.cache = torch.arange(4.0)
        return self.bn(self.fc(x)) + self.cache
`
	if err := os.WriteFile("net.py", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"trace", "net.py", "--entry", "Net()", "--inputs", "(torch.randn(8, 8),)", "--output-format", "concise"},
			[]string{"21:12", "23:16"}},
		{[]string{"trace", "net.py", "--entry", "Net()", "--arg", "x:f32[B,8]", "--for", "torch.export", "--output-format", "concise"},
			[]string{"21:12", "23:16"}},
		{[]string{"trace", "net.py", "--entry", "Net()", "--arg", "x:f32[B,8]", "--for", "jit.trace", "--output-format", "concise"},
			[]string{"21:12", "23:16"}},
		{[]string{"trace", "net.py", "--entry", "Net()", "--arg", "x:f32[B,8]", "--for", "compile", "--output-format", "concise"}, nil},
		{[]string{"export", "net.py", "--entry", "Net()", "--arg", "x:f32[B,8]", "-o", "net.onnx"}, []string{"21:12", "23:16"}},
		{[]string{"trace", "net.py", "--entry", "Clean()", "--inputs", "(torch.randn(8, 8),)", "--output-format", "concise"}, nil},
		{[]string{"export", "net.py", "--entry", "Clean()", "--arg", "x:f32[B,8]", "-o", "net.onnx"}, nil},
	} {
		_, out, errs := run(c.args...)
		var got []string
		for _, line := range strings.Split(out+errs, "\n") {
			for _, at := range []string{"21:12", "23:16", "18:12", "17:9"} {
				if strings.Contains(line, "net.py:"+at) {
					got = append(got, at)
				}
			}
		}
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, c.want) {
			t.Errorf("%v: at %v, want %v:\n%s%s", c.args, got, c.want, out, errs)
		}
	}
	code, _, _ := run("export", "net.py", "--entry", "Net()", "--arg", "x:f32[B,8]", "-o", "strict.onnx", "--strict")
	if _, err := os.Stat("strict.onnx"); code != check.ExitFindings || err == nil {
		t.Errorf("exit code %d and %v with --strict", code, err)
	}
}

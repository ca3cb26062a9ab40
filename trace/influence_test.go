package trace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/present/report"
)

// The lines with "# uses" have operations under the influence of a branch, no others.
const usesOfBranches = `import torch
from torch import nn
def scale(v, by):
    return torch.relu(v) * by  # uses
def pure(v, by):
    return torch.relu(v) * by
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.deep = False
        self.linear = nn.Linear(8, 8)
    def forward(self, x):
        n = x.shape[0]
        first = x + 1
        if n > 2:
            k = 2
            y = torch.tanh(x)
            same = x.contiguous()
        else:
            k = 4
            y = x
            same = x
        m = 3
        if self.deep:
            m = k
        third = x * m
        z = y - first  # uses
        w = first * k  # uses
        same.relu()    # uses
        feats = [first]
        rest = [first]
        torch.cat(feats)
        feats.append(self.linear(z))  # uses
        rest.append(self.linear(x))
        flat = torch.cat(feats)  # uses
        torch.cat(rest)
        k = 1
        clean = first / k
        part = scale(z, 2)
        other = pure(clean, 2)
        half = x * (2 if n > 3 else 1)  # uses
        wide = x * (2 if self.deep else 1)
        total, step = torch.zeros(8), 1
        for row in (clean, other):
            total = total + row.sum(0) * step  # uses
            step = half.shape[0]
        grown = torch.zeros(4, 8)
        grown[0] = w[0]  # uses
        grown.relu()     # uses
        part.sum() + third.sum()  # uses
        return wide.sum()
`

func TestOperationsUnderTheInfluenceOfBranches(t *testing.T) {
	file := filepath.Join(t.TempDir(), "net.py")
	if err := os.WriteFile(file, []byte(usesOfBranches), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := infer.Run(infer.Config{File: file, Entry: "Net()", Trace: &infer.TraceSpec{Inputs: "(torch.rand(4, 8),)"}, Numbers: Numbers})
	if err != nil {
		t.Fatal(err)
	}
	got := map[int]report.Mark{}
	for _, m := range Marks(r) {
		x := got[m.Line]
		x.Influenced, x.Kept = x.Influenced || m.Influenced, x.Kept || m.Kept
		got[m.Line] = x
	}
	for i, line := range strings.Split(usesOfBranches, "\n") {
		if m, want := got[i+1], strings.Contains(line, "# uses"); m.Influenced != want && !m.Kept {
			t.Errorf("line %d, %s: marked %t, want %t", i+1, strings.TrimSpace(line), m.Influenced, want)
		}
	}
}

// Nested loops are followed in bounded time.
func TestInfluenceInNestedLoops(t *testing.T) {
	var b strings.Builder
	b.WriteString("import torch\ndef net(x):\n    k = 1\n    if x.shape[0] > 2:\n        k = 2\n")
	for n := range 19 {
		b.WriteString(strings.Repeat(" ", n+4) + "for v" + string(rune('a'+n)) + " in range(1):\n")
	}
	b.WriteString(strings.Repeat(" ", 23) + strings.Repeat("a = k; b = a; c = b; ", 40) + "x = x * c\n    return x\n")
	file := filepath.Join(t.TempDir(), "net.py")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := infer.Run(infer.Config{File: file, Entry: "net", Trace: &infer.TraceSpec{Inputs: "(torch.rand(4),)"}, Numbers: Numbers})
	if err != nil {
		t.Fatal(err)
	}
	if len(Marks(r)) == 0 {
		t.Error("no marks")
	}
}

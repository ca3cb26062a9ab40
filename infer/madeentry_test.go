package infer_test

import (
	"fmt"
	"testing"

	"shapecheck/infer"
	"shapecheck/internal/reads"
)

// A chooser gives a number to every parameter of a constructor and one input to the call.
type chooser struct {
	counter
	number, input string
}

func (c *chooser) Construct(k infer.Constructor) ([]string, bool) {
	c.asked++
	var out []string
	for range k.Needed {
		out = append(out, c.number)
	}
	return out, true
}
func (c *chooser) Inputs(_, _ []infer.Param, _ bool) []string { return []string{"x:" + c.input} }

// Runs of an entry whose object an earlier run has made say what runs of their own do, and take as many steps.
func TestObjectOfTheEntryIsMadeOnce(t *testing.T) {
	const file = `import torch
from torch import nn

MADE = []


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        MADE.append(n)
        self.calls = 0
        self.seen = {}
        self.layers = nn.ModuleList(nn.Linear(n, n) for _ in range(3))
        self.register_buffer("mean", torch.zeros(n))
        if n == 7:
            self.bad = torch.zeros(2) + torch.zeros(3)

    def forward(self, x):
        self.calls += 1
        self.seen[self.calls] = x.shape
        self.mean = self.mean + x.flatten(1).mean()
        for layer in self.layers:
            x = layer(x)
        MADE.append(self.calls)
        self.layers.append(nn.Linear(x.shape[-1], 2))
        return x, len(self.layers), self.calls, len(MADE), self.training, len(self.seen)


def make():
    return Net(4)


def later(x):
    return Net(4)(x)
`
	type run struct {
		entry, number, input string
		eval                 bool
	}
	runs := []run{
		{"Net", "4", "f32[N,4]", false}, {"Net", "4", "f32[N,5]", false}, {"Net", "4", "f32[4]", true}, {"Net", "4", "f32[N,M,4]", false},
		{"Net", "5", "f32[N,5]", false}, {"Net", "5", "f32[N,4]", false}, {"make()", "", "f32[N,4]", false}, {"make()", "", "f32[N,4]", true},
		{"Net", "7", "f32[N,7]", false}, {"Net", "7", "f32[N,N,7]", false}, {"later", "", "f32[N,4]", false}, {"later", "", "f32[N,5]", false},
		{"Net", "4", "f32[N,4]", false}, {"Net", "4", "f32[N,4]", false},
	}
	cfg := infer.Config{File: "/net.py", FS: reads.NewMemory(map[string]string{"/net.py": file}), Cache: infer.NewCache(), Trial: true, LogOps: true}
	l := infer.Load(cfg, false)
	defer l.Close()
	for i, r := range runs {
		one := cfg
		one.Entry, one.Eval, one.Fill = r.entry, r.eval, &chooser{number: r.number, input: r.input}
		shared, err := l.Run(one)
		if err != nil {
			t.Fatalf("run %d: %v", i, err)
		}
		one.Fill = &chooser{number: r.number, input: r.input}
		alone, err := infer.Run(one)
		if err != nil {
			t.Fatalf("run %d: %v", i, err)
		}
		if got, want := described(shared), described(alone); got != want {
			t.Errorf("run %d of %v:\n%s\na run of its own:\n%s", i, r, got, want)
		}
	}
	if made := l.Remade(); made != 8 {
		t.Errorf("%d runs went on from an object that was made before, not 8", made)
	}
}

func described(r *infer.Result) string {
	text := fmt.Sprintf("%s = %v, %d of %d typed, %d steps\n", r.Entry, r.Output, r.Typed, r.Open, r.Steps-r.LoadSteps)
	for _, o := range r.Ops {
		text += o.Name + " "
	}
	for _, p := range r.State {
		text += fmt.Sprintf("\n%s %v", p.Name, p.Tensor)
	}
	return text + "\n" + outputText(r)
}

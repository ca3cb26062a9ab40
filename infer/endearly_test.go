package infer

// This file tests runs that end before the program does because no more of them is needed.

import (
	"testing"

	"shapecheck/internal/diag"
)

const fixedChannels = `
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3)
        self.free = nn.ReLU()

    def forward(self, x, flag: bool):
        if x.shape[1] == 1:
            self.free(x)
        y = self.first(self.free(x))
        return y.missing

class Free(nn.Module):
    def forward(self, x, flag: bool):
        return x + 1
`

// A run ends where a guessed size must be a number, and nowhere else.
func TestPinEndsTheRun(t *testing.T) {
	for _, c := range []struct {
		entry, pin string
		number     int64 // 0: there is none
		errors     int
	}{
		{"Net()", "C", 3, 0},
		{"Net()", "", 0, 1},
		{"Net()", "H", 0, 1},
		{"Free()", "C", 0, 0},
	} {
		res, err := Run(Config{File: "net.py", Text: fixedChannels, Entry: c.entry, Args: []string{"x:f32[B,C,H,W]", "flag:bool"}, Pin: c.pin})
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Pinned; (got != nil) != (c.number != 0) || got != nil && *got != c.number {
			t.Errorf("%s, pin %q: pinned %v", c.entry, c.pin, got)
		}
		if n := countErrors(res); n != c.errors {
			t.Errorf("%s, pin %q: %d errors", c.entry, c.pin, n)
		}
	}
}

const longAfterFault = `
def entry(n):
    try:
        [][n]
    except IndexError:
        pass
    total = 0
    for i in range(5000):
        total += len([*[i], n])
    missing_name
    for i in range(5000):
        total += len([*[i], n])
    another_name
`

// A run goes on after its first error for as long as is asked; an exception that is caught is none.
func TestAfterFaultEndsTheRun(t *testing.T) {
	steps := map[int]int{}
	for after, want := range map[int]struct {
		curtailed bool
		errors    int
	}{0: {false, 2}, 1000: {true, 1}, 10_000_000: {false, 2}} {
		res, err := Run(Config{File: "a.py", Text: longAfterFault, Entry: "entry", Args: []string{"n=1"}, AfterFault: after})
		if err != nil {
			t.Fatal(err)
		}
		if n := countErrors(res); res.Curtailed != want.curtailed || n != want.errors || res.Exceeded {
			t.Errorf("%d steps after the error: curtailed %v, exceeded %v, %d errors", after, res.Curtailed, res.Exceeded, n)
		}
		for _, d := range res.Diagnostics {
			if d.Code == diag.BudgetExceeded {
				t.Error("a run that is long enough is reported as one that takes too long")
			}
		}
		steps[after] = res.Steps
	}
	if steps[1000] > steps[0]*3/4 {
		t.Errorf("%d steps of %d", steps[1000], steps[0])
	}
}

package infer

// This file tests what becomes of faults of a run.

import (
	"strings"
	"testing"

	"shapecheck/internal/diag"
)

func TestABudgetThatIsSpentIsAFinding(t *testing.T) {
	res, err := Run(Config{File: "a.py", Text: "def f(n):\n    for i in range(1000):\n        n += i\n    return n\n", Entry: "f", Args: []string{"n=1"}, MaxSteps: 500})
	if err != nil || len(res.Diagnostics) != 1 || res.Diagnostics[0].Code != diag.BudgetExceeded {
		t.Errorf("%v %+v", err, res)
	}
}

func TestAFaultPoisonsOnlyWhatDependsOnIt(t *testing.T) {
	res, err := Run(Config{File: "a.py", Args: []string{"x:f32[2,3]", "y:f32[4,5]"}, Text: `
def forward(x, y):
    a = x @ y
    b = a.relu().sum(dim=7)
    c = y.view(7)
    d = x.foo
    return a, b, c, d, y.t() @ x
`})
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, d := range res.Diagnostics {
		codes = append(codes, string(d.Code))
	}
	if got := strings.Join(codes, " "); got != "SC101 SC105 SC302 SC101" {
		t.Error(got)
	}
}

func TestOnePlaceIsOneFinding(t *testing.T) {
	res, err := Run(Config{File: "a.py", Args: []string{"x:f32[2,3]"}, Text: `
import torch


def half(x):
    return x.view(-1, 4)


def forward(x):
    return half(x), half(x), half(torch.cat([x, x, x])), half(torch.cat([x, x]))
`})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Diagnostics) != 1 || res.Diagnostics[0].Count != 3 || len(res.Diagnostics[0].Others) != 1 {
		t.Errorf("%+v", res.Diagnostics[0])
	}
}

func TestFaultsNameTheSizesAtWhichTheyHappen(t *testing.T) {
	const head = "import torch\n\n\ndef forward(x):\n    n = x.shape[0]\n"
	for _, c := range []struct{ body, arg, want string }{
		{"    return torch.ones(8 - n)\n", "x:f32[N=11,5]", "fails at N=11 and first at N=9; this line is right at N=8"},
		{"    if n > 4:\n        return x + torch.ones(4, 5)\n    return x\n", "x:f32[N,5]", "fails at N=5; this line is right at N=4"},
		{"    if n > 4:\n        return x @ torch.ones(3, 3)\n    return x\n", "x:f32[N,5]", "this line is reached at N=5, not at N=4"},
		{"    if n > 4:\n        return x.permute(0, 1, 2)\n    return x\n", "x:f32[N,5]", "this line is reached at N=5, not at N=4"},
		{"    return x.permute(0, 1, 2)\n", "x:f32[N,5]", ""},
	} {
		res, err := Run(Config{File: "a.py", Text: head + c.body, Args: []string{c.arg}})
		if err != nil || len(res.Diagnostics) != 1 {
			t.Errorf("%q: %v %+v", c.body, err, res.Diagnostics)
			continue
		}
		if got := strings.Join(res.Diagnostics[0].Notes, "; "); got != c.want {
			t.Errorf("%q: %q, want %q", c.body, got, c.want)
		}
	}
}

func TestTheEntryIsNoPlaceInAFile(t *testing.T) {
	res, err := Run(Config{File: "a.py", Entry: "make()(4)", Args: []string{"x:f32[B,4]"}, Text: `
import torch


class Net(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.w = torch.ones(n, 3).view(5)

    def forward(self, x):
        return x


def make():
    return lambda n: Net(n)
`})
	if err != nil || len(res.Diagnostics) != 1 {
		t.Fatalf("%v %+v", err, res)
	}
	var places []string
	for _, r := range res.Diagnostics[0].Related {
		if r.Msg == "called from here" {
			places = append(places, res.Files.Position(r.At.Start).String())
		}
	}
	if got := strings.Join(places, " "); got != "a.py:15:22" {
		t.Errorf("called from %s", got)
	}
}

package infer

// This file tests what becomes of faults of a run.
//
// It also tests what is said of the two sides of an assert.

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"shapecheck/internal/diag"
)

func TestABudgetThatIsSpentIsAFinding(t *testing.T) {
	res, err := Run(Config{File: "a.py", Text: "def f(n):\n    for i in range(1000):\n        n += [*[i]][0]\n    return n\n", Entry: "f",
		Args: []string{"n=1"}, MaxSteps: 500})
	if err != nil || len(res.Diagnostics) != 1 || res.Diagnostics[0].Code != diag.BudgetExceeded {
		t.Errorf("%v %+v", err, res)
	}
}

// A loop that nothing leaves costs little of the budget, others have all of it.
func TestALoopWithoutAnEndIsShort(t *testing.T) {
	for _, c := range []struct {
		head, last string
		short      bool
	}{
		{"True", "pass", true},
		{"3", "for k in range(2): continue", true},
		{"0", "pass", false},
		{"n >= 0", "pass", false},
		{"True", "if n < 0: break", false},
		{"True", "if n < 0: return", false},
		{"True", "assert n >= 0", false},
		{"True", "if n < 0: raise StopIteration", false},
		{"True", "if n < 0: sys.exit()", false},
		{"True", "yield n", false},
	} {
		text := "import sys\ndef g(n):\n    while " + c.head + ":\n        n += sum([1] * 300)\n        " + c.last +
			"\n\ndef f(n):\n    for _ in g(n) or []: pass\n"
		res, err := Run(Config{File: "a.py", Text: text, Entry: "f", Args: []string{"n=1"}, MaxSteps: 1_200_000})
		if err != nil {
			t.Fatal(err)
		}
		stopped := ""
		for _, d := range res.Diagnostics {
			if d.Code == diag.BudgetExceeded {
				stopped = fmt.Sprintf("%d: %s", res.Files.Position(d.At.Start).Line, d.Msg)
			}
		}
		if short := stopped == "3: the analysis stopped in a loop that nothing leaves (--max-steps)"; short != c.short || short &&
			res.Steps > 1_100_000 {
			t.Errorf("while %s: %s: %q after %d steps", c.head, c.last, stopped, res.Steps)
		}
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

func TestFindingsShowTheLinesThatMadeThem(t *testing.T) {
	const head = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\n\ndef block(i, o):\n    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1))\n\n\n"
	for _, c := range []struct{ name, body, want string }{
		{"the call that told the layer its sizes", "b = block(8, 4)\ny = b(torch.randn(2, 3, 8, 8))\n", "7 10 11"},
		{"constants tell nothing", "I = 8\nb = nn.Conv2d(I, 4, 3)\ny = b(torch.randn(2, 3, 8, 8))\n", "11 12"},
		{"the layer of a spatial size",
			"u = nn.ConvTranspose2d(8, 8, 3, stride=2)\nx = torch.randn(2, 8, 8, 8)\ny = u(x)\nz = torch.cat([y, x], dim=1)\n", "10 11 12"},
		{"an axis that moves", "x = torch.randn(16, 10)\np = x.argmax(dim=0)\ne = p == torch.zeros(16)\n", "10 11 12"},
		{"a detached tensor", "x = torch.randn(3, 4, requires_grad=True)\ny = (x * 2).detach()\nz = y.sum()\nz.backward()\n", "11 12"},
		{"without gradients", "x = torch.randn(3, 4, requires_grad=True)\nwith torch.no_grad():\n    y = x * 2\nz = y.sum()\nz.backward()\n",
			"12 13"},
		{"integers", "x = torch.randn(3, 4, requires_grad=True)\ny = x.argmax(1)\nz = y.float().sum()\nz.backward()\n", "11 12"},
		{"a backward of many", "x = torch.randn(3, 4, requires_grad=True)\ny = x * 2\ny.backward()\n", "11"},
		{"a name of what is broadcast", "m = nn.Linear(4, 1)\nx = torch.randn(3, 4)\ny = m(x)\np = y\nz = F.mse_loss(p, torch.randn(3))\n",
			"10 12 13"},
		{"a broadcast before", "m = torch.randn(3, 4).max(1, keepdim=True).values\nr = torch.randn(3) * m\nq = r + 1\nz = F.mse_loss(q, torch.randn(3))\n", "10 11 12"},
		{"a softmax before", "x = torch.randn(3, 4)\ny = x.softmax(1)\nz = F.cross_entropy(y, torch.zeros(3).long())\n", "11"},
		{"a pair", "x = torch.randn(3, 4)\np = x.max(dim=1)\ny = torch.ones(3) * p\n", "11"},
		{"a number", "l = torch.randn(3).sum().item()\nl.backward()\n", "10"},
		{"a number of a loop", "for i in range(2):\n    l = torch.randn(3).sum()\n    l = l.item()\n    l.backward()\n", "12"},
		{"a number under a condition", "l = torch.randn(3).sum()\nif len(l.shape) == 0:\n    l = l.item()\nl.backward()\n", ""},
		{"a number of the pass before", "l = torch.randn(3).sum()\nfor i in range(2):\n    l.numpy()\n    l = 1.0\n", ""},
		{"the table of indices", "e = nn.Embedding(10, 4)\ni = torch.randint(0, 11, (3,))\nx = e(i)\n", "10 11"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := Run(Config{File: "a.py", Text: head + c.body, Script: []string{"a.py"}})
			if err != nil || len(res.Diagnostics) != 1 {
				t.Fatalf("%v %+v", err, res)
			}
			lines := map[int]bool{}
			for _, r := range res.Diagnostics[0].Related {
				lines[res.Files.Position(r.At.Start).Line] = true
			}
			if got := fmt.Sprint(slices.Sorted(maps.Keys(lines))); got != "["+c.want+"]" {
				t.Errorf("lines %s, want %s: %s", got, c.want, res.Diagnostics[0].Msg)
			}
		})
	}
}

// An argument of the entry that raises leaves nothing to call, as in Python.
// TestFaultsOfTypesShowTheAssignment asks for the statement that gave a name a value of the type that a fault is about, and
// for none where the type is that of another operand.
func TestFaultsOfTypesShowTheAssignment(t *testing.T) {
	for text, want := range map[string]int{
		"y = torch.max(x, 0)\n    torch.relu(y)":                         3,
		"y = (x, x)\n    y.mean()":                                       3,
		"y = None\n    y.mean()":                                         3,
		"y = 'a'\n    torch.zeros(2, dtype=y)":                           3,
		"y = 2\n    torch.relu(input=(1, y))":                            0,
		"y = (x, x)\n    if x.sum() > 0:\n        y = [x]\n    y.mean()": 0,
	} {
		res, err := Run(Config{File: "a.py", Args: []string{"x:f32[4,7]"}, Text: "import torch\ndef forward(x):\n    " + text + "\n"})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Diagnostics) != 1 {
			t.Errorf("%q: %d findings", text, len(res.Diagnostics))
			continue
		}
		got := 0
		for _, r := range res.Diagnostics[0].Related {
			got = res.Files.Position(r.At.Start).Line
		}
		if got != want {
			t.Errorf("%q: assigned in line %d, want %d: %s", text, got, want, res.Diagnostics[0].Msg)
		}
	}
}

func TestFaultInTheEntryEndsIt(t *testing.T) {
	res, err := Run(Config{File: "a.py",
		Text:  "import torch\n\nclass Net(torch.nn.Module):\n    def __init__(self, w):\n        self.w = 'a' + 1\n",
		Entry: "Net(torch.zeros(2, 3) @ torch.zeros(4, 5))", Args: []string{"x:f32[2]"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Diagnostics) != 1 || res.Diagnostics[0].Code != diag.ShapeMismatch {
		t.Errorf("findings %v, want one: the constructor is not called", res.Diagnostics)
	}
}

func TestAnAssertShowsItsSides(t *testing.T) {
	const program = `
import torch


class Table:
    def __init__(self):
        self.shape = torch.zeros(1500, 64).shape


def equal(x):
    assert x.shape[1:] == Table().shape, "wrong length"


def chained(x):
    assert 1 < x.ndim < 2


def second(x, n=3):
    assert n > 2 and x.shape[-1] == n, "bad"


def tensors(x):
    assert torch.equal(x, x) and x.dtype == torch.int64


def flag(x):
    n = x.ndim == 3
    assert not n


def long(x):
    assert [x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim] == []
`
	for _, c := range []struct{ entry, want string }{
		{"equal", "x.shape[1:]: torch.Size([550, 64]); Table().shape: torch.Size([1500, 64])"},
		{"chained", "x.ndim: 3; 2: 2"},
		{"second", "x.shape[-1]: 64; n: 3"},
		{"tensors", "x.dtype: torch.float32; torch.int64: torch.int64"},
		{"flag", ""}, // which compared nothing
		{"long", "[x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.ndim, x.…: [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3]; []: []"},
	} {
		r, err := Run(Config{File: "net.py", Text: program, Entry: c.entry, Args: []string{"x:f32[2,550,64]"}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range r.Diagnostics {
			for _, o := range d.Operands {
				got = append(got, fmt.Sprintf("%s: %s", o.Name, o.Type))
			}
		}
		if s := strings.Join(got, "; "); s != c.want || len(r.Diagnostics) == 0 {
			t.Errorf("%s: %q, want %q", c.entry, s, c.want)
		}
	}
}

package infer_test

import (
	"fmt"
	"testing"

	"shapecheck/contract"
	"shapecheck/infer"
	"shapecheck/infer/fill"
	"shapecheck/internal/reads"
)

// A load that made sizes and tensors is used by several runs. The result of an earlier one says after Resume what it
// said at first, in the symbols of its own run.
func TestResultsOfOneLoad(t *testing.T) {
	files := map[string]string{
		"/pkg/__init__.py": "from pkg.net import scale\nfrom pkg.table import extra\n",
		"/pkg/table.py":    "import torch\nfrom pkg import scale\n\nextra = torch.arange(3)[torch.rand(3) > 0.5]\n",
		"/pkg/net.py":      "import torch\n\nfrom pkg import extra\n\nscale = 2\nwhere = torch.nonzero(torch.rand(4) > 0.5)\n\n\ndef f(x, y):\n    return torch.cat([x + y, x])\n",
		"/plain/net.py":    "import torch\n\nwhere = torch.nonzero(torch.rand(4) > 0.5)\n\n\ndef f(x, y):\n    return torch.cat([x + y, x])\n",
	}
	for _, file := range []string{"/pkg/net.py", "/plain/net.py"} {
		first := infer.Config{File: file, Entry: "f", Args: []string{"x:f32[B,4]", "y:f32[C,4]"}, FS: reads.NewMemory(files),
			Cache: infer.NewCache()}
		second := first
		second.Args = []string{"x:f32[N,M,C]", "y:f32[N,M,B]"}
		l := infer.Load(first, false)
		if !l.GoesBack() {
			t.Fatalf("%q: there is no going back to the load", file)
		}
		says := func(r *infer.Result) string {
			text := r.Output.String()
			for _, c := range contract.Of(r).Conditions {
				text += "; " + c.Cond.String()
			}
			return text
		}
		var results []*infer.Result
		for _, cfg := range []infer.Config{first, second, first} {
			r, err := l.Run(cfg)
			if err != nil {
				t.Fatal(err)
			}
			own, err := infer.Run(cfg)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := says(r), says(own); got != want {
				t.Errorf("%s: %s, a run of its own %s", file, got, want)
			}
			results = append(results, r)
		}
		for i, r := range results[:2] {
			r.Resume()
			own, err := infer.Run([]infer.Config{first, second}[i])
			if err != nil {
				t.Fatal(err)
			}
			if got, want := says(r), says(own); got != want {
				t.Errorf("%s: after other runs %s, a run of its own %s", file, got, want)
			}
		}
	}
}

// Runs that share the pool of a load leave their sizes in it: the file is loaded anew before that takes more than the load,
// and what the runs say stays the same.
func TestRunsDoNotFillThePoolOfALoad(t *testing.T) {
	files := map[string]string{"/net.py": "import torch\n\ntable = torch.zeros(3)\n\n\ndef f(x):\n    n = x.shape[0]\n    for i in range(2000):\n" +
		"        m = (n * i + 1) // (i + 3)\n    return x.new_zeros(m, 2)\n"}
	cfg := infer.Config{File: "/net.py", Entry: "f", Args: []string{"x:f32[N,4]"}, FS: reads.NewMemory(files), Cache: infer.NewCache()}
	l := infer.Load(cfg, false)
	if !l.GoesBack() {
		t.Fatal("there is no going back to the load")
	}
	first, want, loads := 0, "", 0
	const runs, maxRunSizes = 12, 50_000 // as in loaded.go
	for i := range runs {
		r, err := l.Run(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first, want = r.Pool.Size(), r.Output.String()
		}
		if got := r.Output.String(); got != want {
			t.Errorf("run %d gives %s, the first one %s", i, got, want)
		}
		if r.LoadSteps > 0 {
			loads++
		}
		if got := r.Pool.Size(); got > maxRunSizes+2*first {
			t.Errorf("after run %d the pool has %d sizes, after the first one %d", i, got, first)
		}
	}
	if sizes := runs * first; sizes < 2*maxRunSizes {
		t.Errorf("the runs make %d sizes, which is too little to say something", sizes)
	}
	if loads < 2 || loads == runs {
		t.Errorf("the file was loaded %d times in %d runs", loads, runs)
	}
}

// A counter gives every parameter 1 and counts the runs that ask.
type counter struct{ asked int }

func (*counter) Begin() {}

func (c *counter) Construct(fill.Constructor) ([]string, bool) {
	c.asked++
	return []string{"1"}, true
}
func (*counter) Inputs(params, _ []fill.Param, _ bool) (args []string) {
	return []string{"x:f32[N,3]"}
}
func (*counter) Having([]string) (module, class string) { return "", "" }
func (*counter) Deriving(string) []string               { return nil }
func (*counter) Defining(string) []string               { return nil }
func (*counter) Optional([]fill.Param) []string         { return nil }

// A file whose imports want the packages around it first is run in that order alone where every other run has more
// faults, and in one order alone once an entry had the same faults in both.
func TestOrdersThatTellNothingAreNotRun(t *testing.T) {
	const net = "import torch\nfrom pkg.geo import first\n\n\nclass Net(torch.nn.Module):\n    def __init__(self, n):\n        super().__init__()\n        self.n = n\n\n" +
		"    def forward(self, x):\n        return torch.cat([x, x.new_zeros(2, %d)])\n"
	files := func(a string, width int) map[string]string {
		return map[string]string{
			"/pkg/__init__.py":     "from pkg.use import used\n",
			"/pkg/use.py":          "from pkg.geo import second\n\nused = second\n",
			"/pkg/geo/__init__.py": "from pkg.geo.a import first\nfrom pkg.geo.b import second\n",
			"/pkg/geo/a.py":        a,
			"/pkg/geo/b.py":        "second = 4\n",
			"/pkg/sub/__init__.py": "",
			"/pkg/sub/net.py":      fmt.Sprintf(net, width),
		}
	}
	for _, c := range []struct {
		a     string
		width int    // 3 is the right one
		want  [3]int // runs that were asked for arguments until then
	}{
		{"import pkg.use\n\nfirst = 3\n", 3, [3]int{1, 2, 3}},                                        // where geo comes first, use fails
		{"try:\n    import pkg.use\nexcept ImportError:\n    pass\nfirst = 3\n", 4, [3]int{2, 3, 4}}, // so it does here, which nothing shows
	} {
		n := &counter{}
		cfg := infer.Config{File: "/pkg/sub/net.py", Entry: "Net", Fill: n, FS: reads.NewMemory(files(c.a, c.width)), Cache: infer.NewCache()}
		l := infer.Load(cfg, false)
		if !l.GoesBack() {
			t.Fatalf("%q: there is no going back to the load", c.a)
		}
		for i, want := range c.want {
			r, err := l.Run(cfg)
			if err != nil {
				t.Fatal(err)
			}
			if n.asked != want {
				t.Errorf("%q: after run %d there were %d, not %d", c.a, i, n.asked, want)
			}
			own, err := infer.Run(cfg)
			if err != nil {
				t.Fatal(err)
			}
			n.asked = want
			if got, own := outputText(r), outputText(own); got != own {
				t.Errorf("%q: run %d says %q, a run of its own %q", c.a, i, got, own)
			}
		}
	}
}

func outputText(r *infer.Result) string {
	text := ""
	for _, d := range r.Diagnostics {
		text += fmt.Sprintf("%s %s: %s\n", r.Files.Position(d.At.Start), d.Code, d.Msg)
	}
	return text
}

// A chooser gives a number to every parameter of a constructor and one input to the call.
type chooser struct {
	counter
	number, input string
}

func (c *chooser) Construct(k fill.Constructor) ([]string, bool) {
	c.asked++
	var out []string
	for range k.Needed {
		out = append(out, c.number)
	}
	return out, true
}
func (c *chooser) Inputs(_, _ []fill.Param, _ bool) []string { return []string{"x:" + c.input} }

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

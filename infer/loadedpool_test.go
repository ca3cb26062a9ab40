package infer_test

import (
	"testing"

	"shapecheck/infer"
	"shapecheck/internal/contract"
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
		first := infer.Config{File: file, Entry: "f", Args: []string{"x:f32[B,4]", "y:f32[C,4]"}, FS: reads.NewMemory(files), Cache: infer.NewCache()}
		second := first
		second.Args = []string{"x:f32[N,M,C]", "y:f32[N,M,B]"}
		l := infer.Load(first, false)
		if !l.GoesBack() {
			t.Fatalf("%s: there is no going back to the load", file)
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

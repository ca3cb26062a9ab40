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

package infer_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/infer/ops/catalog"
	"shapecheck/tools/golden"
)

// TestOperationCases runs the cases of archives that testdata/op_cases.txt gives as
// the test of an operation without recorded calls: they must call it.
func TestOperationCases(t *testing.T) {
	data, err := os.ReadFile("testdata/op_cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	called := map[string]map[string]bool{} // by archive and case
	for _, line := range strings.Split(string(data), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 3 || f[1] == "untested" {
			continue
		}
		key := f[1] + " " + f[2]
		if called[key] == nil {
			called[key] = callsOf(t, f[1], f[2])
		}
		op, ok := catalog.Lookup(f[0])
		if !ok {
			t.Errorf("op_cases.txt: %s is no operation", f[0])
		} else if !slices.ContainsFunc(op.Names, func(n string) bool { return called[key][n] }) {
			t.Errorf("op_cases.txt: %s does not call %s", key, f[0])
		}
	}
}

// callsOf runs a case and gives the operations that it calls.
func callsOf(t *testing.T, archive, name string) map[string]bool {
	t.Helper()
	called := map[string]bool{}
	ar, err := txtar.ParseFile("../testdata/" + archive + ".txtar")
	if err != nil {
		t.Error(err)
		return called
	}
	for _, c := range golden.Cases(ar) {
		if c.Name != name {
			continue
		}
		cfg, err := c.Config(nil)
		if err != nil {
			t.Fatal(err)
		}
		cfg.LogOps = true
		res, err := infer.Run(cfg)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, o := range res.Ops {
			called[o.Name] = true
		}
		noteOps(res.Graph.Setup, called)
		noteOps(res.Graph.Body, called)
	}
	return called
}

func noteOps(r *graph.Region, called map[string]bool) {
	if r == nil {
		return
	}
	for _, n := range r.Nodes {
		called[n.Op] = true
		for _, sub := range n.Regions {
			noteOps(sub, called)
		}
	}
}

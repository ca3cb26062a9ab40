package aten_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/lower"
	"shapecheck/lower/aten"
)

// composedCount is the number of functions in testdata/composed.tsv.
const composedCount = 64

// A composed is a call of a function that the typed graph has as calls of others.
type composed struct{ version, call string }

// readComposed gives the functions that need no record of their own, by name.
func readComposed(t *testing.T) map[string]composed {
	t.Helper()
	text, err := os.ReadFile("testdata/composed.tsv")
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]composed{}
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 3 || list[f[0]] != (composed{}) {
			t.Fatalf("composed.tsv:%d: expected a function that is not listed yet, a version and a call, with tabs between them", i+1)
		}
		list[f[0]] = composed{f[1], f[2]}
	}
	return list
}

// TestEveryOperationHasARecord holds the table against that of the operations of all libraries: what makes
// tensors has a rule, or a reason why there is none. What testdata/composed.tsv lists needs neither.
func TestEveryOperationHasARecord(t *testing.T) {
	list := readComposed(t)
	if len(list) != composedCount {
		t.Errorf("composed.tsv has %d functions, not %d", len(list), composedCount)
	}
	catalog.All(func(op *ops.Op) {
		name := op.Names[0]
		_, elsewhere := list[name]
		delete(list, name)
		if op.Pure {
			if elsewhere {
				t.Errorf("%s is in composed.tsv, but makes no tensors", name)
			}
			return
		}
		r, ok := aten.Lookup(name)
		switch {
		case elsewhere && ok:
			t.Errorf("%s is in composed.tsv and has a record", name)
		case elsewhere:
		case !ok:
			t.Errorf("%s has no record: a rule or a reason is due", name)
		case r.As == "" && (r.Lower == nil) == (r.None == ""):
			t.Errorf("%s needs a rule or a reason, and not both", name)
		}
	})
	for name := range list {
		t.Errorf("composed.tsv has %s, which is no operation's first name", name)
	}
}

// TestComposedFunctionsAreRecordedAsOthers calls the functions of testdata/composed.tsv: each is applied, none is in the
// graph by its name, and all of the graph is lowered.
func TestComposedFunctionsAreRecordedAsOthers(t *testing.T) {
	list := readComposed(t)
	applied := map[string]bool{}
	catalog.All(func(op *ops.Op) {
		name, rule := op.Names[0], op.Rule
		if _, ok := list[name]; !ok {
			return
		}
		op.Rule = func(c *ops.Call) value.Value {
			applied[name] = true
			return rule(c)
		}
		t.Cleanup(func() { op.Rule = rule })
	})
	programs := map[string]*strings.Builder{}
	for _, name := range slices.Sorted(maps.Keys(list)) {
		c := list[name]
		if programs[c.version] == nil {
			programs[c.version] = &strings.Builder{}
			programs[c.version].WriteString(composedHead)
		}
		fmt.Fprintf(programs[c.version], "    out.append(torch.as_tensor(%s))\n", c.call)
	}
	for version, text := range programs {
		text.WriteString("    return tuple(out)\n")
		args := []string{"x:f32[2,3]", "m:f32[3,3]", "i:i64[2,3]"}
		res, err := infer.Run(infer.Config{File: "net.py", Text: text.String(), Args: args, NumpyVersion: version})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range res.Diagnostics {
			if d.Severity == diag.Error {
				t.Errorf("NumPy %s: %s", version, d.Msg)
			}
		}
		for _, n := range slices.Concat(res.Graph.Setup.Nodes, res.Graph.Body.Nodes) {
			if _, ok := list[n.Op]; ok {
				t.Errorf("%s is in the graph by its name: it needs a record", n.Op)
			}
		}
		if _, err := lower.Lower(lower.Input{Graph: res.Graph, Pool: res.Pool, Files: res.Files, Name: "net"}); err != nil {
			t.Errorf("NumPy %s: %v", version, err)
		}
	}
	for name := range list {
		if !applied[name] {
			t.Errorf("the call of %s in composed.tsv applies another function", name)
		}
	}
}

const composedHead = `import numpy as np
import torch


def written(x, write):
    y = x.copy()
    write(y)
    return y


def product(x, m):
    y = x.copy()
    y @= m
    return y


def forward(x, m, i):
    x, m, i = x.numpy(), m.numpy(), i.numpy()
    out = []
`

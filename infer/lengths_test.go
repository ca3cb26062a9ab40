package infer_test

// This file holds what the analysis finds of programs whose ways depend on a size
// against what Python gave at some sizes; see testdata/record_paths.py.

import (
	"encoding/json"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/tools/golden"
)

// header gives what a line of a case's header says.
func header(c *golden.Case, name string) (string, bool) {
	for _, line := range strings.Split(c.Header, "\n") {
		if s, ok := strings.CutPrefix(line, name+": "); ok {
			return s, true
		}
	}
	return "", false
}

// runLengths checks, for each recorded length, that the contract takes it just when
// Python does, and that the output at that length is Python's.
func runLengths(t *testing.T, text, lengths, want string) {
	r, err := infer.Run(infer.Config{File: "prog.py", Text: text, Args: []string{"x:f32[N]"}})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(want), "\n")
	if len(lines) != len(strings.Fields(lengths)) {
		t.Fatal("want/python is not for these lengths")
	}
	size := r.Pool.Symbol("N")
	raises := 0
	for _, line := range lines {
		var rec [2]any
		if err := json.Unmarshal([]byte(line), &rec); err != nil {
			t.Fatal(err)
		}
		n := int64(rec[0].(float64))
		takes := true
		for _, c := range r.Contract {
			takes = takes && holdsAt(t, c, n)
		}
		if m, ok := rec[1].(map[string]any); ok && m["raises"] != nil {
			raises++
			if takes && len(r.Diagnostics) == 0 {
				t.Errorf("Python raises %v for N = %d, the contract takes it", m["raises"], n)
			}
			continue
		}
		if !takes {
			t.Errorf("Python takes N = %d, the contract does not", n)
			continue
		}
		facts, ok := r.Facts.Assume(r.Pool.Eq(size, r.Pool.Const(n)))
		if !ok || r.Output == nil || !covers(facts, r.Output, rec[1]) {
			t.Errorf("Python gives %s, the analysis %v", line, r.Output)
		}
		if value.IsUnknown(r.Output) {
			t.Errorf("the output is unknown")
		}
	}
	for _, d := range r.Diagnostics {
		if d.Severity == diag.Error && raises == 0 {
			t.Errorf("false alarm: %s", d.Msg)
		}
	}
}

// holdsAt evaluates a condition of the contract where its path is taken.
func holdsAt(t *testing.T, c infer.Condition, n int64) bool {
	env := func(s string) (int64, bool) { return n, s == "N" }
	for _, p := range c.Path {
		if v, err := p.Eval(env); err != nil {
			t.Fatalf("%v: %v", p, err)
		} else if !v {
			return true
		}
	}
	v, err := c.Cond.Eval(env)
	if err != nil {
		t.Fatalf("%v: %v", c.Cond, err)
	}
	return v
}

package eval_test

// This file runs models that ONNX Runtime and the reference implementation of onnx refuse
// (testdata/refused.tar.gz, made by vary.py). The kernels need not find every fault: what a node
// may have is checked before it runs (package check, the inference). How many they let pass is
// counted in testdata/counts.txt; testdata/faults.txt has the messages of the others.

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"shapecheck/onnx/eval"
	"shapecheck/onnx/eval/evaltest"
	"shapecheck/tools/counts"
)

var updateCounts = flag.Bool("update-counts", false,
	"write what was counted into testdata/counts.txt, and the messages into testdata/faults.txt")

func TestModelsThatDoNotRunGiveErrors(t *testing.T) {
	fsys, err := evaltest.Archive("testdata/refused.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := evaltest.List(fsys)
	if err != nil {
		t.Fatal(err)
	}
	type outcome struct{ refused, passed int }
	byOp := map[string]*outcome{}
	var faults []string
	for _, dir := range dirs {
		c, err := evaltest.Load(fsys, dir)
		if err != nil {
			t.Fatal(err)
		}
		verdict, err := fs.ReadFile(fsys, dir+"/verdict.txt")
		if err != nil {
			t.Fatal(err)
		}
		var in map[string]eval.Value
		if len(c.Sets) > 0 {
			in = c.Sets[0].Inputs
		}
		_, err = eval.Model(c.Model, in, eval.Config{})
		var e *eval.Error
		if errors.As(err, &e) && e.Internal {
			t.Errorf("%s: %v", c.Name, err)
		}
		if err != nil {
			faults = append(faults, fmt.Sprintf("%s: %v", c.Name, err))
		}
		if !ranNowhere.Match(verdict) {
			continue
		}
		op := c.Model.Graph.Nodes[0].Op
		if byOp[op] == nil {
			byOp[op] = &outcome{}
		}
		if err != nil {
			byOp[op].refused++
		} else {
			byOp[op].passed++
		}
	}
	var rows []counts.Row
	for op, n := range byOp {
		rows = append(rows, counts.Row{Name: op, Counts: []counts.Count{{Name: "refused", N: n.refused}, {Name: "passed", N: n.passed}}})
	}
	slices.SortFunc(rows, func(a, b counts.Row) int { return strings.Compare(a.Name, b.Name) })
	err = counts.Check("../../testdata/counts.txt", "evaluation of refused nodes", rows, *updateCounts)
	if *updateCounts {
		err = errors.Join(err, os.WriteFile("testdata/faults.txt", []byte(strings.Join(faults, "\n")+"\n"), 0o666))
	}
	want, e := os.ReadFile("testdata/faults.txt")
	if err = errors.Join(err, e); err != nil {
		t.Errorf("%v\n(go test ./onnx/eval -update-counts writes the files)", err)
	}
	lines := strings.Split(strings.TrimSpace(string(want)), "\n")
	for _, f := range faults {
		if !slices.Contains(lines, f) {
			t.Errorf("testdata/faults.txt has no line\n%s", f)
		}
	}
	if len(lines) != len(faults) {
		t.Errorf("%d messages, testdata/faults.txt has %d", len(faults), len(lines))
	}
}

// ranNowhere is in the verdict on a model that neither of the two ran.
var ranNowhere = regexp.MustCompile(`(?m)^run: `)

package infer

// This file replays the records of PyTorch 2.15 (opdb215) through the engine: what it
// answers otherwise than 1.13, whose records package ops replays, and what is new in it.
//
//	go test ./infer -run TestTorch2OpDB -v -opdb215 DIR -match '^torch\.nn' -show 20 -verdict 'false error'

import (
	"flag"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"shapecheck/infer/ops/opstest"
	"shapecheck/infer/value"
	"shapecheck/tools/counts"
)

const opdb215 = "testdata/opdb215"

var opdb215Dir = flag.String("opdb215", opdb215, "`directory` of the records of PyTorch 2.15")

// TestTorch2OpDB counts what comes out in testdata/counts.txt, unless another folder
// is given or a part chosen.
func TestTorch2OpDB(t *testing.T) {
	rows := replayTorch2(t, *opdb215Dir)
	if *opdb215Dir == opdb215 && *moduleMatch == "" {
		checkCounts(t, "opdb of PyTorch 2.15", rows)
	}
}

// TestTorch2Cases replays the programs of testdata/torch215/cases.txt, as record.py there
// recorded them.
func TestTorch2Cases(t *testing.T) {
	rows := replayTorch2(t, "testdata/torch215")
	if *moduleMatch == "" {
		checkCounts(t, "cases of PyTorch 2.15", rows)
	}
}

func replayTorch2(t *testing.T, dir string) []counts.Row {
	recs, err := opstest.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	re, err := regexp.Compile(*moduleMatch)
	if err != nil {
		t.Fatal(err)
	}
	byFile := map[string]*moduleTally{}
	shown := map[string]int{}
	var run *moduleRun
	for i, r := range recs {
		if !re.MatchString(r.Op) && !re.MatchString(r.Call) {
			continue
		}
		if run == nil || i%200 == 0 {
			if run, err = newModuleRun("2.15.0", ""); err != nil {
				t.Fatal(err)
			}
		}
		j := run.any(t, r)
		for _, x := range []*moduleTally{entryOf(byFile, r.File), entryOf(byFile, "total")} {
			x.add(j, false)
		}
		if j.Verdict == opstest.Exact || j.Verdict == opstest.Skipped {
			continue
		}
		if shown[r.Op] < *moduleShow && (*moduleVerd == "" || *moduleVerd == j.Verdict.String()) {
			shown[r.Op]++
			fmt.Printf("%s %s: %s: %s %s\n", r.At(), showAny(r), j.Verdict, j.Why, j.Class)
		}
	}
	var rows []counts.Row
	for _, name := range slices.Sorted(maps.Keys(byFile)) {
		rows = append(rows, byFile[name].row(name))
		t.Log(rows[len(rows)-1])
	}
	return rows
}

func entryOf(m map[string]*moduleTally, k string) *moduleTally {
	if m[k] == nil {
		m[k] = &moduleTally{}
	}
	return m[k]
}

func showAny(r *opstest.Record) string {
	if r.Ctor != nil {
		return showModule(r)
	}
	return r.String()
}

// any judges a record of any variant.
func (run *moduleRun) any(t *testing.T, r *opstest.Record) opstest.Judgement {
	switch r.Variant {
	case "module":
		j, _ := run.judge(t, r)
		return j
	case "expression", "statement":
		return run.source(t, r)
	}
	return run.plainCall(t, r)
}

func (run *moduleRun) plainCall(t *testing.T, r *opstest.Record) (j opstest.Judgement) {
	defer func() {
		if e := recover(); e != nil {
			t.Errorf("%s: %s: panic: %v", r.At(), r, e)
			j = opstest.Judgement{Verdict: opstest.Wrong, Why: fmt.Sprint("panic: ", e), Error: r.Error != ""}
			run.in.stack.frame, run.in.stack.depth = nil, 0
		}
	}()
	run.b = &opstest.Builder{Th: run.in}
	run.vars = map[string]value.Value{}
	text, err := run.call(strings.Replace(r.Call, "torch.torch.", "torch.", 1), r.Args, r.Kwargs)
	if err != nil {
		return opstest.Judgement{Verdict: opstest.Skipped, Why: err.Error(), Error: r.Error != ""}
	}
	v, err := run.in.evalText(run.main, "call", text, run.vars)
	return opstest.Judge(r, opstest.Result{Value: v, Err: withDiag(run.in, err), Floats: run.b.Floats})
}

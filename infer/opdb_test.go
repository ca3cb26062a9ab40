package infer

// This file replays the recorded expressions and statements of opdb (families
// extra, indexing, einsum, views) through the engine, since package ops can only
// replay calls:
//
//	go test ./infer/... -run OpDB -v -args -opdb DIR
//
// prints for each family of the corpus in DIR how many results are exact, how many
// types are wrong or errors false, and how many errors are found. Without -opdb
// the corpus in testdata is taken.
//
// It also replays the records of PyTorch 2.15 (opdb215) through the engine: what it
// answers otherwise than 1.13, whose records package ops replays, and what is new in it.
//
//	go test ./infer -run TestTorch2OpDB -v -opdb215 DIR -match '^torch\.nn' -show 20 -verdict 'false error'

import (
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"shapecheck/infer/ops/opstest"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/resolve"
	"shapecheck/tools/counts"
)

func TestOpDBSources(t *testing.T) {
	dir := *opdbDir
	if dir == "" {
		dir = filepath.Join("ops", "torch", "testdata", "opdb")
	}
	recs, err := opstest.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	var run *moduleRun
	byFile := map[string]*moduleTally{}
	n := 0
	for _, r := range recs {
		if r.Variant != "expression" && r.Variant != "statement" {
			continue
		}
		if run == nil || n%200 == 0 {
			if run, err = newModuleRun("1.13.1", ""); err != nil {
				t.Fatal(err)
			}
		}
		n++
		j := run.source(t, r)
		for _, name := range [...]string{r.File, "total"} {
			if byFile[name] == nil {
				byFile[name] = &moduleTally{}
			}
			byFile[name].add(j, false)
		}
		if j.Verdict == opstest.Wrong || j.Verdict == opstest.FalseError {
			t.Errorf("%s: %s: %s: %s", r.At(), r, j.Verdict, j.Why)
		} else if *moduleShow > 0 && j.Verdict != opstest.Exact {
			t.Logf("%s: %s: %s: %s", r.At(), r, j.Verdict, j.Why)
		}
	}
	var rows []counts.Row
	for _, name := range slices.Sorted(maps.Keys(byFile)) {
		rows = append(rows, byFile[name].row(name))
		t.Log(rows[len(rows)-1])
	}
	if *opdbDir == "" {
		checkCounts(t, "opdb sources", rows)
	}
}

// source runs the text of a record.
func (run *moduleRun) source(t *testing.T, r *opstest.Record) (j opstest.Judgement) {
	defer func() {
		if e := recover(); e != nil {
			t.Errorf("%s: %s: panic: %v", r.At(), r, e)
			j = opstest.Judgement{Verdict: opstest.Skipped, Error: r.Error != ""}
			run.in.stack.frame, run.in.stack.depth = nil, 0
		}
	}()
	in := run.in
	run.b = &opstest.Builder{Th: in}
	run.vars = map[string]value.Value{}
	for _, f := range r.Env {
		v, err := run.b.Value(f.Val)
		if err != nil {
			return opstest.Judgement{Verdict: opstest.Skipped, Why: err.Error(), Error: r.Error != ""}
		}
		run.vars[f.Key] = v
	}
	var v value.Value
	var err error
	if r.Variant == "statement" {
		v, err = run.exec(r.Src, r.Var)
	} else {
		v, err = in.evalText(run.main, "expression", r.Src, run.vars)
	}
	return opstest.Judge(r, opstest.Result{Value: v, Err: withDiag(in, err), Floats: run.b.Floats})
}

// exec runs statements and gives the value of a variable after them.
func (run *moduleRun) exec(text, name string) (value.Value, error) {
	in := run.in
	file := source.NewFile("<statement>", text+"\n")
	if err := in.files.Add(file); err != nil {
		return nil, err
	}
	tree, diags := parser.Parse(file)
	info, more := resolve.Resolve(tree)
	attrs := in.heap.NewAttrs()
	for i := range run.main.Attrs.Len() {
		attrs.Set(&in.heap, run.main.Attrs.Name(i), run.main.Attrs.At(i))
	}
	for k, v := range run.vars {
		attrs.Set(&in.heap, k, v)
	}
	m := &value.Module{Name: run.main.Name, Attrs: attrs}
	if err := in.runModule(m, &unit{file: file, tree: tree, info: info, diags: append(diags, more...)}); err != nil {
		return nil, err
	}
	v, _ := attrs.Get(name)
	return v, nil
}

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

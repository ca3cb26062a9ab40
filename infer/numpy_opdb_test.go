package infer

// This file replays the recorded calls of numpy 1.23 and einops through the engine,
// which has numpy's classes: those of testdata/numpy.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"shapecheck/infer/ops/opstest"
	"shapecheck/infer/value"
	"shapecheck/internal/counts"
)

// TestNumpyOpDB holds numpy's calls against their recorded results. What is not as
// recorded needs a line in testdata/numpy_waivers.txt.
func TestNumpyOpDB(t *testing.T) {
	recs, err := opstest.Read("testdata/numpy")
	if err != nil {
		t.Fatal(err)
	}
	waivers, err := counts.ReadWaivers("testdata/numpy_waivers.txt")
	if err != nil {
		t.Fatal(err)
	}
	re, err := regexp.Compile(*moduleMatch)
	if err != nil {
		t.Fatal(err)
	}
	found := counts.Found{}
	byFile := map[string]*moduleTally{}
	shown := map[string]int{}
	var run *moduleRun
	for i, r := range recs {
		if !re.MatchString(r.Call) {
			continue
		}
		if run == nil || i%200 == 0 {
			if run, err = newModuleRun("1.13.1"); err != nil {
				t.Fatal(err)
			}
		}
		j := run.numpyCall(t, r)
		for _, name := range [...]string{r.File, "total"} {
			if byFile[name] == nil {
				byFile[name] = &moduleTally{}
			}
			byFile[name].add(j, false)
		}
		if j.Verdict == opstest.Exact || j.Verdict == opstest.Skipped || j.Error && j.Verdict == opstest.Unknown {
			continue
		}
		found.Add(r.Call, j.Verdict.String())
		if waived := waivers.Has(r.Call, j.Verdict.String()); shown[r.Call] < *moduleShow || !waived && shown[r.Call] < 2 {
			shown[r.Call]++
			report := t.Errorf
			if waived {
				report = t.Logf
			}
			report("%s: %s: %s: %s", r.At(), r, j.Verdict, j.Why)
		}
	}
	var rows []counts.Row
	for _, name := range slices.Sorted(maps.Keys(byFile)) {
		rows = append(rows, byFile[name].row(name))
		t.Log(rows[len(rows)-1])
	}
	if *moduleMatch != "" {
		return
	}
	for _, problem := range waivers.Check(found) {
		t.Error(problem)
	}
	checkCounts(t, "numpy calls", rows)
}

// numpyCall runs a record.
func (run *moduleRun) numpyCall(t *testing.T, r *opstest.Record) (j opstest.Judgement) {
	defer func() {
		if e := recover(); e != nil {
			t.Errorf("%s: %s: panic: %v", r.At(), r, e)
			j = opstest.Judgement{Verdict: opstest.Wrong, Why: fmt.Sprint("panic: ", e), Error: r.Error != ""}
			run.in.frame, run.in.depth = nil, 0
		}
	}()
	run.b = &opstest.Builder{Th: run.in}
	run.vars = map[string]value.Value{}
	text, err := run.numpyText(r)
	if err != nil {
		return opstest.Judgement{Verdict: opstest.Skipped, Why: err.Error(), Error: r.Error != ""}
	}
	v, err := run.in.evalText(run.main, "call", text, run.vars)
	return opstest.Judge(r, opstest.Result{Value: v, Err: withDiag(run.in, err), Floats: run.b.Floats})
}

// numpyText writes a record as Python: a method is called on its first argument, so
// that an object of another kind is found out as in Python.
func (run *moduleRun) numpyText(r *opstest.Record) (string, error) {
	args := make([]string, len(r.Args))
	for i, a := range r.Args {
		var err error
		if args[i], err = run.numpyArg(a); err != nil {
			return "", err
		}
	}
	fn, rest := strings.Replace(r.Call, "numpy.", "np.", 1), args
	if r.Variant == "method" || r.Variant == "attribute" {
		if len(args) == 0 {
			return "", fmt.Errorf("a method without an object")
		}
		fn, rest = args[0]+r.Call[strings.LastIndexByte(r.Call, '.'):], args[1:]
		if r.Variant == "attribute" {
			return fn, nil
		}
	}
	for _, k := range r.Kwargs {
		text, err := run.numpyArg(k.Val)
		if err != nil {
			return "", err
		}
		rest = append(rest, k.Key+"="+text)
	}
	return fn + "(" + strings.Join(rest, ", ") + ")", nil
}

// numpyArg is arg for what numpy takes, too: types, functions, generators, and its
// dtype objects.
func (run *moduleRun) numpyArg(raw json.RawMessage) (string, error) {
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
		var o map[string]json.RawMessage
		if err := json.Unmarshal(raw, &o); err != nil {
			return "", err
		}
		for _, key := range [...]string{"type", "callable", "dtype", "generator"} {
			var name string
			if m, ok := o[key]; !ok || json.Unmarshal(m, &name) != nil {
				continue
			}
			switch key {
			case "generator":
				if name == "RandomState" {
					return "np.random.RandomState()", nil
				}
				return "np.random.default_rng()", nil
			case "dtype":
				return fmt.Sprintf("np.dtype(%q)", strings.NewReplacer("bool", "?", "c64", "c8", "c128", "c16", "64", "8", "32", "4", "16", "2", "8",
					"1").Replace(name)), nil
			}
			return strings.Replace(name, "numpy.", "np.", 1), nil
		}
	}
	return run.arg(raw)
}

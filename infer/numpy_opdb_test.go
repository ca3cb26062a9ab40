package infer

// This file replays the recorded calls of numpy 1.23 and einops through the engine,
// which has numpy's classes: those of testdata/numpy.

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"shapecheck/infer/ops/opstest"
	"shapecheck/infer/value"
	"shapecheck/tools/counts"
)

var numpyDir = flag.String("numpy", "testdata/numpy", "`directory` of recorded calls of numpy")

// TestNumpyOpDB holds numpy's calls against their recorded results, of numpy 1.23.5 and
// of 2.4.6. What is not as recorded needs a line in testdata/numpy_waivers.txt or
// testdata/numpy2_waivers.txt; with -waivers these are written.
func TestNumpyOpDB(t *testing.T) {
	recs, err := opstest.Read(*numpyDir)
	if err != nil {
		t.Fatal(err)
	}
	var rows []counts.Row
	for _, v := range [...]struct{ version, waivers string }{{"1.23.5", "testdata/numpy_waivers.txt"},
		{"2.4.6", "testdata/numpy2_waivers.txt"}} {
		if v.version[0] == '2' {
			recs = inNumpy2(t, recs, filepath.Join(filepath.Dir(*numpyDir), "numpy2"))
		}
		rows = append(rows, replayNumpy(t, v.version, recs, v.waivers)...)
	}
	if *moduleMatch == "" && *numpyDir == "testdata/numpy" {
		checkCounts(t, "numpy calls", rows)
	}
}

// inNumpy2 puts the results of numpy 2 in the place of those of numpy 1, where they differ.
func inNumpy2(t *testing.T, recs []*opstest.Record, dir string) []*opstest.Record {
	key := func(r *opstest.Record) string { return r.Variant + r.Gen + r.String() }
	differs, err := opstest.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	now := map[string]*opstest.Record{}
	for _, r := range differs {
		now[key(r)] = r
	}
	out := make([]*opstest.Record, len(recs))
	for i, r := range recs {
		out[i] = r
		if d := now[key(r)]; d != nil {
			x := *d
			x.File, x.Line = r.File, r.Line
			out[i] = &x
		}
	}
	return out
}

// replayNumpy runs all records under a version and counts what comes out.
func replayNumpy(t *testing.T, version string, recs []*opstest.Record, waiverFile string) []counts.Row {
	waivers, err := counts.ReadWaivers(waiverFile)
	if err != nil {
		t.Fatal(err)
	}
	re, err := regexp.Compile(*moduleMatch)
	if err != nil {
		t.Fatal(err)
	}
	found := counts.Found{}
	why := map[[2]string]string{}
	byFile := map[string]*moduleTally{}
	shown := map[string]int{}
	var run *moduleRun
	for i, r := range recs {
		if !re.MatchString(r.Call) {
			continue
		}
		if run == nil || i%200 == 0 {
			if run, err = newModuleRun("1.13.1", version); err != nil {
				t.Fatal(err)
			}
		}
		j := run.numpyCall(t, r)
		for _, name := range [...]string{r.File, "total"} {
			entryOf(byFile, "numpy "+version+" "+name).add(j, false)
		}
		if j.Verdict == opstest.Exact || j.Verdict == opstest.Skipped {
			continue
		}
		found.Add(r.Call, j.Verdict.String())
		why[[2]string{r.Call, j.Verdict.String()}] = j.Why
		if waived := waivers.Has(r.Call, j.Verdict.String()); shown[r.Call] < *moduleShow &&
			(*moduleVerd == "" || *moduleVerd == j.Verdict.String()) ||
			!waived && shown[r.Call] < 2 && !*writeWaivers {
			shown[r.Call]++
			report := t.Errorf
			if waived || *moduleShow > 0 {
				report = t.Logf
			}
			report("%s %s: %s: %s: %s", version[:1], r.At(), r, j.Verdict, j.Why)
		}
	}
	var rows []counts.Row
	for _, name := range slices.Sorted(maps.Keys(byFile)) {
		rows = append(rows, byFile[name].row(name))
		t.Log(rows[len(rows)-1])
	}
	switch {
	case *moduleMatch != "" || *numpyDir != "testdata/numpy":
	case *writeWaivers:
		var b strings.Builder
		fmt.Fprintf(&b, "# Recorded calls of numpy %s and einops whose outcome is not the recorded one: call, verdict, how many records,\n# and why (one of them), with tabs between them.\n", version)
		for _, k := range slices.SortedFunc(maps.Keys(why), func(a, b [2]string) int { return strings.Compare(a[0]+" "+a[1], b[0]+" "+b[1]) }) {
			reason := why[k]
			if _, want, ok := strings.Cut(reason, ", want "); ok && k[1] == "missed error" {
				reason = "not found: " + want
			}
			if r := []rune(reason); len(r) > 110 {
				reason = string(r[:110])
			}
			fmt.Fprintf(&b, "%s\t%s\t%d\t%s\n", k[0], k[1], found[k], strings.ReplaceAll(reason, "\t", " "))
		}
		if err := os.WriteFile(waiverFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		for _, problem := range waivers.Check(found) {
			t.Error(problem)
		}
	}
	return rows
}

var writeWaivers = flag.Bool("waivers", false, "write what is not as recorded into the files of waivers")

// numpyCall runs a record.
func (run *moduleRun) numpyCall(t *testing.T, r *opstest.Record) (j opstest.Judgement) {
	defer func() {
		if e := recover(); e != nil {
			t.Errorf("%s: %s: panic: %v", r.At(), r, e)
			j = opstest.Judgement{Verdict: opstest.Wrong, Why: fmt.Sprint("panic: ", e), Error: r.Error != ""}
			run.in.stack.frame, run.in.stack.depth = nil, 0
		}
	}()
	run.b = &opstest.Builder{Th: run.in}
	run.vars = map[string]value.Value{}
	text, err := run.numpyText(r)
	if err != nil {
		return opstest.Judgement{Verdict: opstest.Skipped, Why: err.Error(), Error: r.Error != ""}
	}
	v, err := run.in.evalText(run.main, "call", text, run.vars)
	if strings.HasPrefix(r.Call, "numpy.random.") {
		run.b.Floats++ // what is drawn by chance follows from nothing that is written
	}
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
		if r.Variant == "attribute" && len(rest) > 0 {
			return "getattr(" + args[0] + ", " + rest[0] + ")", nil // as the recorder did
		}
		if r.Variant == "attribute" && strings.HasSuffix(r.Call, ".flat") {
			return "list(" + fn + ")", nil // what it gives is recorded
		}
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

package torch_test

// This file replays the recorded calls of opdb against the operator records.
//
//	go test ./infer/... -run OpDB -v -args -opdb DIR
//	go test ./infer/ops/torch -run TestOpDB -v -opdb DIR -match '^torch\.add$' -show 20

import (
	"flag"
	"fmt"
	"regexp"
	"sort"
	"testing"

	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/opstest"
	"shapecheck/tools/counts"
)

// corpus is the recorded corpus of this repository.
const corpus = "testdata/opdb"

var (
	opdbDir  = flag.String("opdb", corpus, "`directory` of the recorded calls")
	match    = flag.String("match", "", "`regexp` for the names of ops or calls to replay; prints them one by one")
	show     = flag.Int("show", 0, "`number` of failing records to print for each op")
	verdict  = flag.String("verdict", "", "print only failing records of this `verdict`: wrong, false error, missed error, unknown")
	update   = flag.Bool("update-counts", false, "write what was counted into testdata/counts.txt")
	symbolic = flag.Bool("sym", false, "replay with a symbol for each size, with example values")
	free     = flag.Bool("free", false, "replay with a symbol for each size, without example values")
)

// countsFile has the counts of all runs.
const countsFile = "../../../testdata/counts.txt"

// A tally counts the outcomes of records with results and of records with errors.
type tally struct {
	results, errors        [opstest.NumVerdicts]int
	class, strides, layout int
}

func (t *tally) add(j opstest.Judgement) {
	if j.Error {
		t.errors[j.Verdict]++
	} else {
		t.results[j.Verdict]++
	}
	if j.Class != "" {
		t.class++
	}
	t.strides += j.Strides
	if j.Layout != "" {
		t.layout++
	}
}

// row is a line of counts.txt: the verdicts of results and of errors, errors of
// another class than recorded, known strides and those of them that are wrong.
func (t *tally) row(name string) counts.Row {
	r := counts.Row{Name: name}
	add := func(name string, n int) { r.Counts = append(r.Counts, counts.Count{Name: name, N: n}) }
	for v, n := range t.results {
		add(opstest.Verdict(v).String(), n)
	}
	for v, n := range t.errors {
		if v := opstest.Verdict(v); v != opstest.MissedError { // whose name says it
			add("error "+v.String(), n)
		} else {
			add(v.String(), n)
		}
	}
	add("other class", t.class)
	add("strides", t.strides)
	add("wrong strides", t.layout)
	return r
}

func rows(m map[string]*tally) []counts.Row {
	var out []counts.Row
	for _, k := range keys(m) {
		out = append(out, m[k].row(k))
	}
	return out
}

// TestOpDB replays every recorded call. A result that is not exact, an error where
// torch has none and an error that is not found need a line in opdb_waivers.txt,
// with their verdict and number; known strides must be those that were recorded. The
// recorded calls are those of opdb and, in traces.jsonl.gz, the different ones of the
// torchvision goldens in the same form; a null size is one that data decided. What
// comes out is counted in testdata/counts.txt.
func TestOpDB(t *testing.T) {
	recs, err := opstest.Read(*opdbDir)
	if err != nil {
		t.Fatal(err)
	}
	if len(recs) == 0 {
		t.Fatalf("no records in %s", *opdbDir)
	}
	var re *regexp.Regexp
	if *match != "" {
		if re, err = regexp.Compile(*match); err != nil {
			t.Fatal(err)
		}
	}
	waivers := readWaivers(t)
	found := counts.Found{}
	byFile, byOp := map[string]*tally{}, map[string]*tally{}
	shown, failed := map[string]int{}, map[string]int{}
	for _, r := range recs {
		if re != nil && !re.MatchString(r.Op) && !re.MatchString(r.Call) {
			continue
		}
		j := judge(t, r)
		key := r.Call
		if key == "" {
			key = r.Op
		}
		for _, x := range []*tally{entry(byFile, r.File), entry(byOp, key), entry(byFile, "total")} {
			x.add(j)
		}
		if j.Layout != "" && mode() == opstest.Concrete && failed[key] < 2 {
			failed[key]++
			t.Errorf("%s: %s: %s", r.At(), r, j.Layout)
		}
		if needsWaiver(j) {
			found.Add(key, j.Verdict.String())
			if !waivers.Has(key, j.Verdict.String()) && mode() == opstest.Concrete && failed[key] < 2 {
				failed[key]++
				t.Errorf("%s: %s: %s: %s", r.At(), r, j.Verdict, j.Why)
			}
		}
		interesting := j.Verdict != opstest.Exact && j.Verdict != opstest.Skipped &&
			(*verdict == "" && j.Verdict != opstest.NoRecord || *verdict == j.Verdict.String()) ||
			*verdict == "class" && j.Class != "" || *verdict == "strides" && j.Strides > 0 || *verdict == "layout" && j.Layout != ""
		if interesting && shown[key] < *show {
			shown[key]++
			fmt.Printf("%s %s: %s: %s %s\n", r.At(), r, j.Verdict, j.Why, j.Class+j.Layout)
		}
	}
	if re == nil && mode() == opstest.Concrete && *opdbDir == corpus {
		for _, problem := range waivers.Check(found) {
			t.Error(problem)
		}
		if err := counts.Check(countsFile, "opdb", rows(byFile), *update); err != nil {
			t.Errorf("%v\n(go test ./infer/ops/torch -update-counts writes the file)", err)
		}
	}
	for _, r := range rows(byFile) {
		t.Log(r)
	}
	if re != nil {
		for _, r := range rows(byOp) {
			t.Log(r)
		}
	}
}

// needsWaiver reports whether an outcome is not the recorded one. An error may be
// unknown: no result is claimed then.
func needsWaiver(j opstest.Judgement) bool {
	switch j.Verdict {
	case opstest.Wrong, opstest.FalseError, opstest.MissedError:
		return true
	case opstest.Unknown:
		return !j.Error
	}
	return false
}

// lists are the calls whose results are lists with a length that follows from
// sizes: without example values they are open, or assume the usual length.
var lists = regexp.MustCompile(`\.(unsafe_)?(unbind|split|chunk|tensor_split|[vhd]split|split_with_sizes)(_copy)?$`)

// TestOpDBOnSymbols replays a part of the calls with symbols for sizes, with and
// without example values: results must be the recorded ones for these values,
// and no error may come up.
func TestOpDBOnSymbols(t *testing.T) {
	recs, err := opstest.Read(*opdbDir)
	if err != nil {
		t.Fatal(err)
	}
	waivers := readWaivers(t)
	byMode := map[string]*tally{}
	for i, r := range recs {
		if i%12 != 0 || r.Error != "" || waivers.Has(r.Call, "wrong") || waivers.Has(r.Call, "false error") || waivers.Has(r.Call, "unknown") {
			continue
		}
		for _, mode := range [...]opstest.Mode{opstest.Valued, opstest.Free} {
			if mode == opstest.Free && lists.MatchString(r.Call) {
				continue
			}
			j := opstest.Judge(r, opstest.Run(r, mode))
			entry(byMode, map[opstest.Mode]string{opstest.Valued: "with example values", opstest.Free: "without"}[mode]).add(j)
			if j.Verdict == opstest.Wrong || j.Verdict == opstest.FalseError {
				t.Errorf("%s: %s: mode %d: %s: %s", r.At(), r, mode, j.Verdict, j.Why)
			}
		}
	}
	if *opdbDir == corpus {
		if err := counts.Check(countsFile, "opdb on symbols", rows(byMode), *update); err != nil {
			t.Errorf("%v\n(go test ./infer/ops/torch -update-counts writes the file)", err)
		}
	}
}

func judge(t *testing.T, r *opstest.Record) (j opstest.Judgement) {
	defer func() {
		if e := recover(); e != nil {
			t.Errorf("%s: %s: panic: %v", r.At(), r, e)
			j = opstest.Judgement{Verdict: opstest.Wrong, Why: fmt.Sprint("panic: ", e), Error: r.Error != ""}
		}
	}()
	res := opstest.Run(r, mode())
	if res.Th != nil {
		if err := catalog.CheckNodes(res.Th.Graph().Graph()); err != nil {
			t.Errorf("%s: %s: %v", r.At(), r, err)
		}
	}
	return opstest.Judge(r, res)
}

func mode() opstest.Mode {
	switch {
	case *free:
		return opstest.Free
	case *symbolic:
		return opstest.Valued
	}
	return opstest.Concrete
}

func entry(m map[string]*tally, k string) *tally {
	if m[k] == nil {
		m[k] = &tally{}
	}
	return m[k]
}

func keys(m map[string]*tally) []string {
	var list []string
	for k := range m {
		list = append(list, k)
	}
	sort.Strings(list)
	return list
}

func readWaivers(t *testing.T) *counts.Waivers {
	t.Helper()
	w, err := counts.ReadWaivers("testdata/opdb_waivers.txt")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

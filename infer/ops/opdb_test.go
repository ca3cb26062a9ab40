package ops_test

// This file replays the recorded calls of opdb against the operator records.
//
//	go test ./infer/... -run OpDB -v -args -opdb DIR
//	go test ./infer/ops -run TestOpDB -v -opdb DIR -match '^torch\.add$' -show 20

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"regexp"
	"sort"
	"strings"
	"testing"

	"shapecheck/infer/ops/opstest"
)

// corpus is the recorded corpus of this repository.
const corpus = "testdata/opdb"

var (
	opdbDir  = flag.String("opdb", corpus, "`directory` of the recorded calls")
	match    = flag.String("match", "", "`regexp` for the names of ops or calls to replay; prints them one by one")
	show     = flag.Int("show", 0, "`number` of failing records to print for each op")
	verdict  = flag.String("verdict", "", "print only failing records of this `verdict`: wrong, false error, missed error, unknown")
	symbolic = flag.Bool("sym", false, "replay with a symbol for each size, with example values")
	free     = flag.Bool("free", false, "replay with a symbol for each size, without example values")
)

type tally struct {
	n                       [opstest.NumVerdicts]int
	errExact, errAll, class int
	strides, layout         int
}

func (t *tally) add(j opstest.Judgement) {
	t.n[j.Verdict]++
	if j.Verdict != opstest.Skipped && j.Verdict != opstest.NoRecord && j.Error {
		t.errAll++
		if j.Verdict == opstest.Exact {
			t.errExact++
		}
	}
	if j.Class != "" {
		t.class++
	}
	t.strides += j.Strides
	if j.Layout != "" {
		t.layout++
	}
}

func (t *tally) String() string {
	return fmt.Sprintf("results %5d exact %4d unknown %3d wrong %3d false err | errors %5d/%5d (%d of another class) | strides %4d (%d of them wrong) | %5d no record %4d skipped",
		t.n[opstest.Exact]-t.errExact, t.n[opstest.Unknown], t.n[opstest.Wrong], t.n[opstest.FalseError],
		t.errExact, t.errAll, t.class, t.strides, t.layout, t.n[opstest.NoRecord], t.n[opstest.Skipped])
}

// TestOpDB fails for a result that is not exact, for an error where torch has none
// and for known strides that are other than recorded, except for calls that
// testdata/opdb_exceptions.txt lists, and for errors that are not found, except for
// those of opdb_missed.txt; and for lines of either that are not needed. The recorded
// calls are those of opdb and, in traces.jsonl.gz, the different ones of the
// torchvision goldens in the same form; a null size is one that data decided.
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
	except, unfound := readExceptions(t, "opdb_exceptions.txt"), readExceptions(t, "opdb_missed.txt")
	missed := map[string]bool{}
	byFile, byOp := map[string]*tally{}, map[string]*tally{}
	total := &tally{}
	shown, failed, used := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, r := range recs {
		if re != nil && !re.MatchString(r.Op) && !re.MatchString(r.Call) {
			continue
		}
		j := judge(t, r)
		key := r.Call
		if key == "" {
			key = r.Op
		}
		for _, x := range []*tally{entry(byFile, r.File), entry(byOp, key), total} {
			x.add(j)
		}
		if j.Layout != "" && mode() == opstest.Concrete && failed[key] < 2 {
			failed[key]++
			t.Errorf("%s: %s: %s", r.At(), r, j.Layout)
		}
		fails := j.Verdict == opstest.Wrong || j.Verdict == opstest.FalseError || j.Verdict == opstest.Unknown && !j.Error
		if fails {
			used[key] = true
		}
		if j.Verdict == opstest.MissedError && mode() == opstest.Concrete && *opdbDir == corpus {
			missed[key] = true
			if unfound[key] == "" {
				t.Errorf("%s: %s: %s; opdb_missed.txt does not list it", r.At(), r, j.Why)
			}
		}
		if fails && except[key] == "" && mode() == opstest.Concrete && failed[key] < 2 {
			failed[key]++
			t.Errorf("%s: %s: %s: %s", r.At(), r, j.Verdict, j.Why)
		}
		interesting := j.Verdict != opstest.Exact && j.Verdict != opstest.Skipped && (*verdict == "" && j.Verdict != opstest.NoRecord || *verdict == j.Verdict.String()) ||
			*verdict == "class" && j.Class != "" || *verdict == "strides" && j.Strides > 0 || *verdict == "layout" && j.Layout != ""
		if interesting && shown[key] < *show {
			shown[key]++
			fmt.Printf("%s %s: %s: %s %s\n", r.At(), r, j.Verdict, j.Why, j.Class+j.Layout)
		}
	}
	if re == nil && mode() == opstest.Concrete && *opdbDir == corpus {
		for name := range except {
			if !used[name] {
				t.Errorf("opdb_exceptions.txt: %s is exact now; remove its line", name)
			}
		}
		for name := range unfound {
			if !missed[name] {
				t.Errorf("opdb_missed.txt: all errors of %s are found now; remove its line", name)
			}
		}
	}
	for _, k := range keys(byFile) {
		t.Logf("%-12s %s", k, byFile[k])
	}
	t.Logf("%-12s %s", "total", total)
	if re != nil {
		for _, k := range keys(byOp) {
			t.Logf("%-40s %s", k, byOp[k])
		}
	}
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
	except := readExceptions(t, "opdb_exceptions.txt")
	for i, r := range recs {
		if i%12 != 0 || r.Error != "" || except[r.Call] != "" {
			continue
		}
		for _, mode := range [...]opstest.Mode{opstest.Valued, opstest.Free} {
			if mode == opstest.Free && lists.MatchString(r.Call) {
				continue
			}
			j := opstest.Judge(r, opstest.Run(r, mode))
			if j.Verdict == opstest.Wrong || j.Verdict == opstest.FalseError {
				t.Errorf("%s: %s: mode %d: %s: %s", r.At(), r, mode, j.Verdict, j.Why)
			}
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
	return opstest.Judge(r, opstest.Run(r, mode()))
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

// readExceptions reads lines "call<TAB>reason".
func readExceptions(t *testing.T, file string) map[string]string {
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m := map[string]string{}
	in := bufio.NewScanner(f)
	for in.Scan() {
		line := in.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, why, ok := strings.Cut(line, "\t")
		if !ok || why == "" {
			t.Errorf("%s: %q has no reason", file, line)
		}
		m[name] = why
	}
	return m
}

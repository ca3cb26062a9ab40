package infer

// This file holds the table of operations against what tests it: recorded calls,
// recorded expressions and modules that use it, or a case of an archive.
//
// It also holds the classes of torch.nn against the list that makes them known and
// against what tests them.

import (
	"bufio"
	"compress/gzip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/opstest"
	"shapecheck/tools/counts"
)

// TestEveryOperationIsTested requires of each operation a recorded call, or a line
// in testdata/op_cases.txt: the archive and the case that call it, or "untested" and
// a reason.
func TestEveryOperationIsTested(t *testing.T) {
	recorded := map[string]bool{}
	note := func(name string) {
		if op, ok := catalog.Lookup(name); ok {
			recorded[op.Names[0]] = true
		}
	}
	recordedCalls(t, note)
	recordedSources(t, note)
	cases := readOpCases(t)
	n := map[string]int{}
	catalog.All(func(op *ops.Op) {
		name := op.Names[0]
		c, listed := cases[name]
		delete(cases, name)
		switch {
		case recorded[name]:
			n["recorded"]++
			if listed {
				t.Errorf("%s has a recorded call: remove its line from op_cases.txt", name)
			}
		case !listed:
			t.Errorf("%s has no recorded call: op_cases.txt needs a case of an archive, or a reason", name)
		case c.archive == "untested":
			n["untested"]++
		default: // TestOperationCases runs it
			n["archive"]++
		}
	})
	for name := range cases {
		t.Errorf("op_cases.txt: %s is no operation", name)
	}
	row := counts.Row{Name: "operations"}
	for _, k := range [...]string{"recorded", "archive", "untested"} {
		row.Counts = append(row.Counts, counts.Count{Name: k, N: n[k]})
	}
	checkCounts(t, "operations with tests", []counts.Row{row})
}

// recordedCalls notes the functions, methods and properties that are called.
func recordedCalls(t *testing.T, note func(string)) {
	t.Helper()
	for _, dir := range [...]string{"ops/torch/testdata/opdb", "testdata/numpy", "testdata/chainer", opdb215} {
		recs, err := opstest.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range recs {
			if note(r.Call); r.Variant == "attribute" {
				note(r.Call + ".get")
			}
			if name, ok := strings.CutPrefix(r.Call, "numpy.random.Generator."); ok { // whose methods are these functions
				note("numpy.random._g_" + name)
				note("numpy.random." + name)
			}
		}
	}
}

// recordedSources runs recorded expressions, operators on arrays and one in eight of
// the recorded modules, and notes what they call, also within the library.
func recordedSources(t *testing.T, note func(string)) {
	t.Helper()
	var run *moduleRun
	done := 0
	next := func() {
		if done++; run != nil && done%200 != 0 {
			return
		}
		finishRun(run, note)
		var err error
		if run, err = newModuleRun("1.13.1", ""); err != nil {
			t.Fatal(err)
		}
		run.in.cfg.LogOps = true
	}
	for _, dir := range [...]string{"ops/torch/testdata/opdb", "testdata/numpy", opdb215} {
		recs, err := opstest.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range recs {
			switch r.Variant {
			case "expression", "statement":
				next()
				run.source(t, r)
			case "operator":
				next()
				run.numpyCall(t, r)
			}
		}
	}
	finishRun(run, note)
	run = recordedOfChainer(t)
	finishRun(run, note)
	run = nil
	modules, err := opstest.ReadFile(*modulesFile)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range modules {
		if i%8 == 0 {
			next()
			run.judge(t, r)
		}
	}
	finishRun(run, note)
}

// recordedOfChainer runs the recorded operators of Variables.
func recordedOfChainer(t *testing.T) *moduleRun {
	t.Helper()
	run, err := newChainerRun()
	if err != nil {
		t.Fatal(err)
	}
	run.in.cfg.LogOps = true
	recs, err := opstest.Read("testdata/chainer")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range recs {
		if r.Variant == "operator" {
			run.chainerCall(t, r)
		}
	}
	return run
}

// finishRun notes what a run called.
func finishRun(run *moduleRun, note func(string)) {
	if run == nil {
		return
	}
	for _, o := range run.in.rec.ops {
		note(o.Name)
	}
	var walk func(r *graph.Region)
	walk = func(r *graph.Region) {
		for _, n := range r.Nodes {
			note(n.Op)
			for _, sub := range n.Regions {
				walk(sub)
			}
		}
	}
	walk(run.in.build.Region())
}

// An opCase is the case of an archive that calls an operation.
type opCase struct{ archive, name string }

// readOpCases reads lines of three columns: operation, archive and case, or
// operation, "untested" and reason.
func readOpCases(t *testing.T) map[string]opCase {
	t.Helper()
	data, err := os.ReadFile("testdata/op_cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]opCase{}
	for _, line := range strings.Split(string(data), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 3 || f[2] == "" {
			t.Fatalf("op_cases.txt: %q has no three columns", line)
		}
		cases[f[0]] = opCase{f[1], f[2]}
	}
	return cases
}

const nnModules = "lib/py/torch/nn/modules"

// internalClasses are public names in the files of torch.nn that torch.nn does not have.
var internalClasses = []string{"LazyModuleMixin", "NonDynamicallyQuantizableLinear"}

// listedClasses reads the families of modules/__init__.py: the classes by their file.
func listedClasses(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(nnModules, "__init__.py"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "_FAMILIES = {")
	table, _, _ = strings.Cut(table, "\n}")
	out := map[string][]string{}
	for _, m := range regexp.MustCompile(`'(\w+)': (\([^)]*\)|'[^']*')`).FindAllStringSubmatch(table, -1) {
		out[m[1]] = strings.Fields(strings.NewReplacer("(", " ", ")", " ", "'", " ").Replace(m[2]))
	}
	if len(out) < 20 {
		t.Fatalf("only %d families were read", len(out))
	}
	return out
}

// TestEveryModuleIsListed requires that a class of torch.nn stands in the list of its file's
// classes: others cannot be imported.
func TestEveryModuleIsListed(t *testing.T) {
	listed := listedClasses(t)
	files, err := filepath.Glob(nnModules + "/*.py")
	if err != nil {
		t.Fatal(err)
	}
	class := regexp.MustCompile(`(?m)^class ([A-Z]\w*)[(:]`)
	found := 0
	for _, path := range files {
		family := strings.TrimSuffix(filepath.Base(path), ".py")
		if family == "__init__" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range class.FindAllStringSubmatch(string(text), -1) {
			if found++; !slices.Contains(listed[family], m[1]) && !slices.Contains(internalClasses, m[1]) {
				t.Errorf("class %s of %s does not stand in _FAMILIES of %s/__init__.py", m[1], path, nnModules)
			}
		}
	}
	if found < 140 {
		t.Errorf("only %d classes were found", found)
	}
}

// TestEveryModuleIsTested requires of each class of torch.nn a recorded module, or a program
// of the archives that makes one.
func TestEveryModuleIsTested(t *testing.T) {
	tested := map[string]bool{}
	name := regexp.MustCompile(`\bnn\.(?:modules\.\w+\.)?([A-Z]\w*)`)
	note := func(text string) {
		for _, m := range name.FindAllStringSubmatch(text, -1) {
			tested[m[1]] = true
		}
	}
	for _, path := range [...]string{"testdata/modules.jsonl.gz", filepath.Join(opdb215, "new_modules.jsonl.gz")} {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(z)
		for lines.Buffer(nil, 1<<24); lines.Scan(); {
			note(lines.Text())
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	archives, err := filepath.Glob("../testdata/infer/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range archives {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		note(string(text))
	}
	for family, classes := range listedClasses(t) {
		for _, c := range classes {
			if !tested[c] {
				t.Errorf("%s of %s/%s.py has no recorded module and no case in testdata/infer", c, nnModules, family)
			}
		}
	}
}

package cli

// This file fixes the bugs that testdata/bugs plants, and compares what is left with what was recorded of the fixed programs in PyTorch.

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// found gives what a check of a file without flags counts as an error or a warning, a text for each place.
func found(t *testing.T, file string) []string {
	t.Helper()
	_, stdout, stderr := run(file, "--no-config", "--python", "none", "--output-format", "json")
	var doc struct {
		Diagnostics []finding
		Entries     []struct {
			Result struct{ Diagnostics []finding }
		}
	}
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	lists := [][]finding{doc.Diagnostics}
	for _, e := range doc.Entries {
		lists = append(lists, e.Result.Diagnostics)
	}
	var of []string
	for _, f := range slices.Concat(lists...) {
		if f.Severity == "error" || f.Severity == "warning" {
			of = append(of, fmt.Sprintf("%s@%d", f.Code, f.Line))
		}
	}
	slices.Sort(of)
	return slices.Compact(of)
}

// changedLines is what stands in place of the lines of a text in another: "first-last: lines", where those before and after are equal.
func changedLines(was, is string) string {
	a, b := strings.Split(was, "\n"), strings.Split(is, "\n")
	head, tail := 0, 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	lines, err := json.Marshal(b[head : len(b)-tail])
	if err != nil {
		panic(err) // strings are written always
	}
	return fmt.Sprintf("%d-%d %s", head+1, len(a)-tail, lines)
}

// The file has what --fix does with one bug of fixesOf. Of those with which it does nothing the test takes one of emptyOf: all of them take
// minutes, which it spends where it writes the file.
const fixesOf, emptyOf = 3, 36

// fixed.tsv has, of each bug for which --fix writes something, what is written and what PyTorch does with the program then. A fix adds
// nothing to what is found and takes something away; where nothing is left, the program runs. SHAPECHECK_UPDATE=1 writes the file but for the
// last column, which record_fixed.py fills in.
func TestFixesOfPlantedBugs(t *testing.T) {
	name := bugsFolder + "fixed.tsv"
	recorded := map[string]string{}
	if text, err := os.ReadFile(name); err == nil {
		for line := range strings.Lines(string(text)) {
			if i := strings.LastIndex(line, "\t"); i >= 0 {
				recorded[line[:i]] = strings.TrimSpace(line[i:])
			}
		}
	}
	var out strings.Builder
	for i, bug := range dataLines(t, "bugs.txt") {
		prefix := fmt.Sprintf("%d\t", i)
		known := slices.ContainsFunc(slices.Collect(maps.Keys(recorded)), func(row string) bool { return strings.HasPrefix(row, prefix) })
		if i%fixesOf != 0 || os.Getenv("SHAPECHECK_UPDATE") == "" && !known && i%emptyOf != 0 {
			continue
		}
		parts, file, changed := plant(t, bug)
		was := readFile(t, file)
		_, _, stderr := run(file, "--no-config", "--python", "none", "--fix", "--unsafe-fixes")
		is := readFile(t, file)
		if was == is {
			continue
		}
		row := fmt.Sprintf("%d\t%s:%d %s\t%s", i, parts[0], changed, parts[3], changedLines(was, is))
		after := found(t, file)
		writeFile(t, file, was)
		before := found(t, file)
		says, ok := recorded[row]
		for _, f := range after {
			if !slices.Contains(before, f) {
				t.Errorf("%s: the fix adds %s\n%s", row, f, stderr)
			}
		}
		if len(after) >= len(before) {
			t.Errorf("%s: the fix leaves %v of %v\n%s", row, after, before, stderr)
		}
		// Another fault that was there before is there in PyTorch, too.
		raises, _, _ := strings.Cut(strings.TrimPrefix(says, "raises at "), ":")
		at := func(f string) bool { return says != "silent" && strings.HasSuffix(f, "@"+raises) }
		if ok && (says == "silent") != (len(after) == 0) || ok && !slices.ContainsFunc(after, at) && len(after) > 0 {
			t.Errorf("%s: PyTorch %s, but %v is found", row, says, after)
		}
		if !ok {
			says = "?"
			if os.Getenv("SHAPECHECK_UPDATE") == "" {
				t.Errorf("%s: PyTorch was not asked: SHAPECHECK_UPDATE=1, then record_fixed.py", row)
			}
		}
		fmt.Fprintf(&out, "%s\t%s\n", row, says)
		delete(recorded, row)
	}
	if os.Getenv("SHAPECHECK_UPDATE") != "" {
		writeFile(t, name, out.String())
		return
	}
	for row := range recorded {
		t.Errorf("%s: is written no longer", row)
	}
}

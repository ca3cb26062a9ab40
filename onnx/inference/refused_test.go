package inference

// This file replays models that do not run (../eval/testdata/refused.tar.gz, whose verdict.txt says
// who refuses them): where onnx's own inference or ONNX Runtime's loading finds the fault, this
// inference should too. How often it does is counted in testdata/counts.txt. testdata/faults.txt
// has the messages, one for each way in which an operator's rule refuses.

import (
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"shapecheck/onnx/eval/evaltest"
	"shapecheck/tools/counts"
)

const faultsFile = "testdata/faults.txt"

func TestModelsThatDoNotRun(t *testing.T) {
	fsys, err := evaltest.Archive("../eval/testdata/refused.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	type refusals struct{ found, missed, atRun, more int }
	total := map[string]*refusals{}
	var faults []string
	seen := map[string]bool{}
	eachCase(t, func(load func() replayed) {
		c := load()
		verdict, err := fs.ReadFile(fsys, "refused/"+c.Name+"/verdict.txt")
		if err != nil {
			t.Fatal(err)
		}
		c.bindSmall()
		res := infer(t, c.Model)
		n := total[c.op]
		if n == nil {
			n = &refusals{}
			total[c.op] = n
		}
		static := regexp.MustCompile(`(?m)^(inference|load): `).Match(verdict)
		switch {
		case static && len(res.Errors) > 0:
			n.found++
		case static:
			n.missed++
		case len(res.Errors) > 0:
			n.atRun++
		default:
			n.more++
		}
		if len(res.Errors) > 0 {
			way := c.op + digits.ReplaceAllString(res.Errors[0].Reason, "#")
			if !seen[way] {
				faults = append(faults, fmt.Sprintf("%s: %s", c.Name, res.Errors[0]))
			}
			seen[way] = true
		}
		// Nothing is known to be wrong before sizes are; only what is certain may be said then.
		for _, how := range tells[2:4] {
			c := load()
			how.f(c)
			if _, err := Run(c.Model, Config{}); err != nil {
				t.Errorf("%s (%s): %v", c.Name, how.name, err)
			}
		}
	}, "refused")
	var rows []counts.Row
	for op, n := range total {
		rows = append(rows, counts.Row{Name: op, Counts: []counts.Count{{Name: "found", N: n.found}, {Name: "missed", N: n.missed},
			{Name: "found before the run", N: n.atRun}, {Name: "left to the run", N: n.more}}})
	}
	slices.SortFunc(rows, func(a, b counts.Row) int { return strings.Compare(a.Name, b.Name) })
	if err := counts.Check(countsFile, "inference of refused nodes", rows, *updateCounts); err != nil {
		t.Errorf("%v\n(go test ./onnx/inference -update-counts writes the file)", err)
	}
	text := strings.Join(faults, "\n") + "\n"
	if *updateCounts {
		if err := os.WriteFile(faultsFile, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(faultsFile)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(want), "\n")
	for _, f := range faults {
		if !slices.Contains(lines, f) {
			t.Errorf("%s has no line\n%s", faultsFile, f)
		}
	}
	if len(lines)-1 != len(faults) {
		t.Errorf("%d messages, %s has %d", len(faults), faultsFile, len(lines)-1)
	}
}

// digits are numbers and sizes, which do not make another message.
var digits = regexp.MustCompile(`[\w*+/-]*\d[\w*+/-]*|\[[^\]]*\]|"[^"]*"`)

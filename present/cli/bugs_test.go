package cli

// This file counts how many of the bugs that testdata/bugs plants in right programs are
// found, beside what PyTorch was recorded to do with them.

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const bugsFolder = "../../testdata/bugs/"

// A spot is a range of lines that a report points at.
type spot struct {
	File          string
	Line, EndLine int
}

func (p spot) has(line int) bool { return p.Line <= line && line <= max(p.Line, p.EndLine) }

// A finding is what is read of a finding in the JSON report.
type finding struct {
	spot
	Code     string
	Severity string
	Related  []spot
}

// errorsAndWarnings checks a script and gives its errors and warnings.
func errorsAndWarnings(t *testing.T, file string) []finding {
	t.Helper()
	code, stdout, stderr := run(file, "--script", "--no-config", "--output-format", "json")
	var doc struct{ Diagnostics []finding }
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil || code > 1 {
		t.Fatalf("exit code %d, %v\n%s", code, err, stderr)
	}
	var of []finding
	for _, d := range doc.Diagnostics {
		if d.Severity == "error" || d.Severity == "warning" {
			of = append(of, d)
		}
	}
	return of
}

// dataLines gives the lines of a file of testdata/bugs without its comments.
func dataLines(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(bugsFolder + name)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

func TestProgramsWithoutTheirBugsAreClean(t *testing.T) {
	files, err := filepath.Glob(bugsFolder + "*.py")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if name := filepath.Base(file); name == "record.py" || name == "pyrefly.py" {
			continue
		}
		for _, f := range errorsAndWarnings(t, file) {
			t.Errorf("%s:%d: %s, but PyTorch runs it and nothing is wrong", filepath.Base(file), f.Line, f.Code)
		}
	}
}

// plant writes the program of a line of bugs.txt, and gives the parts of the line, the file and the line that is changed.
func plant(t *testing.T, bug string) (parts []string, file string, changed int) {
	t.Helper()
	parts = strings.Split(bug, " | ")
	if len(parts) != 4 {
		t.Fatalf("not a bug: %s", bug)
	}
	text, err := os.ReadFile(bugsFolder + parts[0] + ".py")
	if err != nil {
		t.Fatal(err)
	}
	before, after, ok := strings.Cut(string(text), parts[1]+"\n")
	if !ok {
		t.Fatalf("%s.py has no line %s", parts[0], parts[1])
	}
	file = filepath.Join(t.TempDir(), parts[0]+".py")
	if err := os.WriteFile(file, []byte(before+parts[2]+"\n"+after), 0o666); err != nil {
		t.Fatal(err)
	}
	return parts, file, strings.Count(before, "\n") + 1
}

// found.txt says of each bug whether it is found, by which codes, and whether the changed line is
// at an arrow; SHAPECHECK_UPDATE=1 writes it.
func TestPlantedBugs(t *testing.T) {
	truth := dataLines(t, "truth.txt")
	bugs := dataLines(t, "bugs.txt")
	if len(truth) != len(bugs) {
		t.Fatalf("%d bugs, but PyTorch was asked for %d: run record.py", len(bugs), len(truth))
	}
	var out strings.Builder
	count := map[string]int{}
	for i, bug := range bugs {
		parts, file, changed := plant(t, bug)
		kind, _, _ := strings.Cut(truth[i], " ")
		says, shown := "missed", false
		if of := errorsAndWarnings(t, file); len(of) > 0 {
			says = "found"
			for _, f := range of {
				says += fmt.Sprintf(" %s@%d", f.Code, f.Line)
				shown = shown || f.has(changed)
				for _, r := range f.Related {
					shown = shown || r.has(changed)
				}
			}
		}
		word, _, _ := strings.Cut(says, " ")
		count[kind+" "+word]++
		count[word]++
		if shown {
			count["shown"]++
			says += ", line shown"
		}
		fmt.Fprintf(&out, "%s:%d %s: %s: %s\n", parts[0], changed, parts[3], kind, says)
	}
	head := fmt.Sprintf("# Of %d bugs %d are found, at %d the changed line is shown. PyTorch raises: %d found, %d missed. PyTorch is silent: %d found, %d missed.\n",
		len(bugs), count["found"], count["shown"], count["raises found"], count["raises missed"], count["silent found"], count["silent missed"])
	got := head + out.String()
	name := bugsFolder + "found.txt"
	if os.Getenv("SHAPECHECK_UPDATE") != "" {
		if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what is found (SHAPECHECK_UPDATE=1 writes it):\n%s", name, got)
	}
}

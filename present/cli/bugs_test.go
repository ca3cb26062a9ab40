package cli

// This file counts how many of the bugs that testdata/bugs plants in right programs are
// found, beside what PyTorch was recorded to do with them.

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"shapecheck/check"
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

// scriptless is a program without its script: what stays of its top level are imports, classes, functions and constants, whose names
// have capital letters alone. Lines keep their numbers.
func scriptless(text string) string {
	var out strings.Builder
	kept := true
	for line := range strings.Lines(text) {
		if head := strings.TrimRight(line, "\n"); head != "" && !strings.ContainsAny(head[:1], " \t)]}") {
			kept = keptHead.MatchString(head)
		}
		if kept {
			out.WriteString(line)
		} else {
			out.WriteString("\n")
		}
	}
	return out.String()
}

var (
	keptHead   = regexp.MustCompile(`^(import |from |class |def |@|#|"""|[A-Z][A-Z0-9_, ]* = )`)
	topBlock   = regexp.MustCompile(`(?m)^(?:class|def) (\w+).*\n(?:[ \t)].*\n|\n)*`) // with its name
	hasForward = regexp.MustCompile(`(?m)^    def (forward|training_step)\(`)
)

// inModel reports whether a line of a program lies in a class that has a forward, or in a function that such a class calls.
func inModel(text string, line int) bool {
	models, in := "", ""
	for _, m := range topBlock.FindAllStringSubmatchIndex(text, -1) {
		block := text[m[0]:m[1]]
		if hasForward.MatchString(block) {
			models += block
		}
		first := strings.Count(text[:m[0]], "\n") + 1
		if last := first + strings.Count(strings.TrimRight(block, "\n"), "\n"); line >= first && line <= last {
			in = text[m[2]:m[3]]
		}
	}
	return in != "" && regexp.MustCompile(`\b(class `+in+`\b|`+in+`\()`).MatchString(models)
}

// zero checks the model of a program without a script and without any flag, and says what is found of the bug in a line: with the exit
// code 1, as a line of an unsettled entry, or nothing.
func zero(t *testing.T, text string, changed int) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "model.py")
	if err := os.WriteFile(file, []byte(scriptless(text)), 0o666); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := run(file, "--no-config", "--python", "none", "--output-format", "json")
	var doc struct {
		Diagnostics []finding
		Entries     []struct {
			State  string
			Result struct{ Diagnostics []finding }
		}
	}
	if code == check.ExitUsage && stdout == "" {
		return "silent" // there is no model
	}
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		t.Fatalf("exit code %d, %v\n%s", code, err, stderr)
	}
	says, seen, shown, asked := "", map[string]bool{}, false, false
	judge := func(state string, list []finding) {
		for _, f := range list {
			on := f.has(changed)
			for _, r := range f.Related {
				on = on || r.has(changed)
			}
			switch f.Severity {
			case "error", "warning":
				if text := fmt.Sprintf(" %s@%d", f.Code, f.Line); !seen[text] {
					seen[text] = true
					says += text
				}
				shown = shown || on
			default:
				asked = asked || on && state == check.Unsettled.String()
			}
		}
	}
	judge("", doc.Diagnostics)
	for _, e := range doc.Entries {
		judge(e.State, e.Result.Diagnostics)
	}
	switch {
	case code == check.ExitFindings && shown:
		return "found" + says + ", line shown"
	case code == check.ExitFindings:
		return "found" + says
	case asked:
		return "?"
	}
	return "silent"
}

func TestProgramsWithoutTheirBugsAreClean(t *testing.T) {
	files, err := filepath.Glob(bugsFolder + "*.py")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if name := filepath.Base(file); name == "record.py" || name == "record_fixed.py" || name == "pyrefly.py" {
			continue
		}
		for _, f := range errorsAndWarnings(t, file) {
			t.Errorf("%s:%d: %s, but PyTorch runs it and nothing is wrong", filepath.Base(file), f.Line, f.Code)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if says := zero(t, string(text), 0); strings.HasPrefix(says, "found") {
			t.Errorf("%s without its script: %s, but nothing is wrong", filepath.Base(file), says)
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

// undecided gives the kinds of the bugs that undecided.txt explains, by program and what is wrong.
func undecided(t *testing.T) map[string]string {
	kinds := map[string]string{}
	for _, line := range dataLines(t, "undecided.txt") {
		parts := strings.Split(line, " | ")
		if len(parts) != 3 || !slices.Contains([]string{"sizes", "script", "missed"}, parts[2]) {
			t.Fatalf("undecided.txt: %s", line)
		}
		kinds[parts[0]+" | "+parts[1]] = parts[2]
	}
	return kinds
}

// found.txt says of each bug whether it is found, by which codes, and whether the changed line is
// at an arrow, and of those in models, after "zero", what is found without the script and without a flag, and why nothing is;
// SHAPECHECK_UPDATE=1 writes it.
func TestPlantedBugs(t *testing.T) {
	truth := dataLines(t, "truth.txt")
	bugs := dataLines(t, "bugs.txt")
	if len(truth) != len(bugs) {
		t.Fatalf("%d bugs, but PyTorch was asked for %d: run record.py", len(bugs), len(truth))
	}
	var out strings.Builder
	count, why := map[string]int{}, undecided(t)
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
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if inModel(string(text), changed) {
			without := zero(t, string(text), changed)
			word, _, _ := strings.Cut(without, " ")
			count["zero "+kind]++
			count["zero "+kind+" "+word]++
			says += "; zero: " + without
			name := parts[0] + " | " + parts[3]
			if reason := why[name]; (reason != "") != (without == "silent" && kind == "raises") {
				t.Errorf("undecided.txt says %q of %s, but %s", reason, name, without)
			} else if reason != "" {
				says += " (" + reason + ")"
				count["zero "+reason]++
			}
		}
		fmt.Fprintf(&out, "%s:%d %s: %s: %s\n", parts[0], changed, parts[3], kind, says)
	}
	head := fmt.Sprintf("# Of %d bugs %d are found, at %d the changed line is shown. PyTorch raises: %d found, %d missed. PyTorch is silent: %d found, %d missed.\n",
		len(bugs), count["found"], count["shown"], count["raises found"], count["raises missed"], count["silent found"], count["silent missed"])
	for _, kind := range [...]string{"raises", "silent"} {
		head += fmt.Sprintf("# Without the script and without a flag (zero), of %d in models where PyTorch %s %d are found, %d unsettled.\n",
			count["zero "+kind], strings.Replace(kind, "silent", "is silent", 1), count["zero "+kind+" found"], count["zero "+kind+" ?"])
	}
	head += fmt.Sprintf("# Of the others where PyTorch raises %d depend on the script, %d on sizes that the contract tells, "+
		"and %d are missed.\n", count["zero script"], count["zero sizes"], count["zero missed"])
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

package lint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"shapecheck/check"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/tools/golden"
)

const casesFolder = "../../testdata/lint"

// number is an integer in a program or a command line that stands alone.
var number = regexp.MustCompile(`[\w.]*\d[\w.]*`)

// TestNumbersDecideNothing runs the cases of testdata/lint with the other numbers of numbers.txt, some of them equal: each
// line must have the findings that it has with the numbers of the case.
func TestNumbersDecideNothing(t *testing.T) {
	cases := map[string]golden.Case{}
	paths, err := filepath.Glob(filepath.Join(casesFolder, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range golden.Cases(ar) {
			cases[c.Name] = c
		}
	}
	text, err := os.ReadFile(filepath.Join(casesFolder, "numbers.txt"))
	if err != nil {
		t.Fatal(err)
	}
	equal := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		name, choice, _ := strings.Cut(line, ": ")
		c, ok := cases[name]
		if !ok {
			t.Fatalf("numbers.txt: %s is no case", name)
		}
		instead, values := map[string]string{}, map[string]bool{}
		for _, pair := range strings.Fields(choice) {
			from, to, ok := strings.Cut(pair, ":")
			if _, err := strconv.Atoi(to); !ok || err != nil {
				t.Fatalf("numbers.txt: %s", line)
			}
			if values[to] {
				equal++
			}
			instead[from], values[to] = to, true
		}
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			before, after := warningsWith(t, c, nil), warningsWith(t, c, instead)
			if !slices.Equal(before, after) {
				t.Errorf("with the numbers of the case: %v, with these: %v", before, after)
			}
		})
	}
	if equal < 50 {
		t.Errorf("only %d numbers of numbers.txt are equal to another one", equal)
	}
}

// warningsWith gives the lines and codes of the warnings of a case with other numbers. Errors are none of it.
func warningsWith(t *testing.T, c golden.Case, instead map[string]string) []string {
	t.Helper()
	other := func(s string) string {
		return number.ReplaceAllStringFunc(s, func(n string) string {
			if o, ok := instead[n]; ok {
				return o
			}
			return n
		})
	}
	files, args := map[string]string{}, []string{}
	for _, f := range c.Files {
		lines := strings.Split(string(f.Data), "\n")
		for i := range lines {
			code, _, _ := strings.Cut(lines[i], "#")
			lines[i] = other(code)
		}
		files[f.Name] = strings.Join(lines, "\n")
	}
	for _, a := range c.Run {
		args = append(args, other(a))
	}
	target, err := check.ParseTarget(args)
	if err != nil {
		t.Fatal(err)
	}
	s := &check.Session{FS: reads.NewMemory(files)}
	res, err := s.Check(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range res.Diagnostics {
		if d.Severity == diag.Error {
			t.Errorf("%s: the numbers do not fit: %s", args, d.Msg)
		}
		if d.Severity == diag.Warning {
			out = append(out, fmt.Sprintf("%d %s", res.Files.Position(d.At.Start).Line, d.Code))
		}
	}
	slices.Sort(out)
	return out
}

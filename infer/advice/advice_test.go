package advice_test

// This file tests suggestions: each is what the program needs, and a program that
// is changed as it says has no errors.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"shapecheck/check"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/fix"
	"shapecheck/internal/source"
)

// suggestionCases reads the cases: the first line of each program is "# fix: " and
// the title that is expected, or "# no fix"; the second "# args: " and the arguments.
func suggestionCases(t *testing.T) []txtar.File {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	var cases []txtar.File
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, txtar.Parse(data).Files...)
	}
	return cases
}

func TestSuggestions(t *testing.T) {
	for _, c := range suggestionCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			text := string(c.Data)
			head := strings.SplitN(text, "\n", 3)
			want, some := strings.CutPrefix(head[0], "# fix: ")
			if !some && head[0] != "# no fix" {
				t.Fatalf("first line %q", head[0])
			}
			want, adviceOnly := strings.CutSuffix(want, " (advice)")
			args, ok := strings.CutPrefix(head[1], "# args: ")
			if !ok {
				t.Fatalf("second line %q", head[1])
			}
			res := runCase(t, c.Name, text, args)
			d := firstError(res)
			if d == nil {
				t.Fatal("the program has no error")
			}
			if !some {
				if len(d.Fixes) > 0 {
					t.Errorf("%s: suggestion %q", d.Msg, d.Fixes[0].Title)
				}
				return
			}
			if len(d.Fixes) == 0 || d.Fixes[0].Title != want {
				t.Fatalf("%s: got the fixes %+v, want %q", d.Msg, d.Fixes, want)
			}
			f := &d.Fixes[0]
			if adviceOnly != (len(f.Edits) == 0) {
				t.Fatalf("%d edits", len(f.Edits))
			}
			if adviceOnly {
				return
			}
			changes := fix.Apply(res.Files, []*diag.Fix{f}, func(f *source.File) bool { return f == res.File })
			if len(changes) != 1 {
				t.Fatalf("%d changes", len(changes))
			}
			if d := firstError(runCase(t, c.Name, changes[0].Text, args)); d != nil {
				t.Errorf("after the fix: %s\n%s", d.Msg, changes[0].Text)
			}
		})
	}
}

func runCase(t *testing.T, name, text, args string) *check.Result {
	t.Helper()
	cfg := infer.Config{File: name, Text: text}
	if args != "" {
		cfg.Args = strings.Split(args, "; ")
	}
	res, err := new(check.Session).Check(t.Context(), &check.Target{Run: cfg})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func firstError(res *check.Result) *diag.Diagnostic {
	for _, d := range res.Diagnostics {
		if d.Severity == diag.Error {
			return d
		}
	}
	return nil
}

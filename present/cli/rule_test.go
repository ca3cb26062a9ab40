package cli

// This file runs the examples of all codes.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/check"
	"shapecheck/internal/diag"
)

func TestExamplesOfCodesShowThem(t *testing.T) {
	for _, c := range diag.Codes() {
		t.Run(string(c.Code), func(t *testing.T) {
			t.Parallel()
			if c.Doc == "" {
				t.Error("no documentation")
			}
			if c.NoExample != "" {
				if c.Bad != "" || c.Good != "" {
					t.Error("both an example and a reason to have none")
				}
				return
			}
			if got := runExample(t, c.Bad); len(got) != 1 || got[0] != string(c.Code) {
				t.Errorf("the bad example reports %v", got)
			}
			if got := runExample(t, c.Good); len(got) != 0 {
				t.Errorf("the good example reports %v", got)
			}
		})
	}
}

// runExample runs a program with the flags of its first line and returns the
// codes that it reports.
func runExample(t *testing.T, program string) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "model.py")
	if err := os.WriteFile(file, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(program, "\n")
	flags, ok := strings.CutPrefix(first, "# run: ")
	if !ok {
		t.Fatalf("the first line %q holds no flags", first)
	}
	args := []string{file, "--output-format", "json"}
	if rest, ok := strings.CutPrefix(flags, "trace"); ok {
		flags, args = rest, append([]string{"trace"}, args...)
	}
	for i, word := range strings.Split(flags, "'") { // quoted and other parts alternate
		if i%2 == 1 {
			args = append(args, word)
		} else {
			args = append(args, strings.Fields(word)...)
		}
	}
	code, stdout, stderr := run(args...)
	var doc struct {
		Diagnostics []struct{ Code string }
	}
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		t.Fatalf("exit code %d: %v\n%s%s", code, err, stdout, stderr)
	}
	if args[0] != "trace" {
		validate(t, "json-schema.json", stdout)
	}
	var codes []string
	for _, d := range doc.Diagnostics {
		codes = append(codes, d.Code)
	}
	return codes
}

func TestRuleExplainsACode(t *testing.T) {
	code, stdout, _ := run("rule", "sc101")
	if code != check.ExitClean || !strings.Contains(stdout, "SC101 shapes do not fit together (error)") ||
		!strings.Contains(stdout, "self.fc") {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
	for _, word := range []string{"SC000", "SC1011", "", "E5"} {
		if code, _, stderr := run("rule", word); code != check.ExitUsage || !strings.Contains(stderr, "no code is or begins with "+word) {
			t.Errorf("%q: exit code %d\n%s", word, code, stderr)
		}
	}
	code, stdout, _ = run("rule", "sc1", "SC201")
	first, rest, _ := strings.Cut(stdout, "\n")
	if code != check.ExitClean || !strings.HasPrefix(first, "SC101 ") || !strings.Contains(rest, "\nSC105 ") ||
		!strings.Contains(rest, "\n\nSC201 ") || strings.Contains(rest, "SC202") || strings.Contains(rest, "self.fc") {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
	_, list, _ := run("rule")
	_, all, _ := run("rule", "--all")
	for _, c := range diag.Codes() {
		if !strings.Contains(list, string(c.Code)) || !strings.Contains(all, string(c.Code)+" "+c.Title) {
			t.Errorf("%s is missing in a list", c.Code)
		}
	}
}

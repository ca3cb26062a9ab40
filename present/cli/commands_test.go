package cli

// This file tests that no command, option or state is forgotten in the guide, in the tests or in what is printed.

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"shapecheck/check"
)

// readAll gives the texts of the files that a pattern names.
func readAll(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(files), err)
	}
	var all strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// Each option of each command, and each format, is in the guide; a short form will do.
func TestEveryOptionIsInTheGuide(t *testing.T) {
	docs := readAll(t, "../../docs/*.md")
	root := Command()
	checked := map[string]bool{}
	for _, c := range append(root.Commands(), root) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if checked[f.Name] {
				return
			}
			checked[f.Name] = true
			long := regexp.MustCompile("--" + regexp.QuoteMeta(f.Name) + `\b`)
			short := f.Shorthand != "" && regexp.MustCompile("[ `]-"+f.Shorthand+`\b`).MatchString(docs)
			if !long.MatchString(docs) && !short {
				t.Errorf("no document in docs says what --%s of `shapecheck %s` does", f.Name, c.Name())
			}
		})
	}
	if len(checked) < 100 {
		t.Errorf("only %d options were found", len(checked))
	}
	for name := range formats {
		if !strings.Contains(docs, "`"+name+"`") {
			t.Errorf("no document in docs says what --output-format %s prints", name)
		}
	}
}

// Each state of an entry has a colour, and is counted where a check ends and in the format for agents.
func TestEveryStateIsCounted(t *testing.T) {
	var n check.Counts
	for i := range n {
		n[i] = i + 1
	}
	sum := byState(n)
	for i := range n {
		s := check.State(i)
		if stateColors[s] == "" {
			t.Errorf("stateColors has no colour of the state %q", s)
		}
		if !strings.Contains(sum, countState(n, s)) {
			t.Errorf("byState does not count the state %q: %s", s, sum)
		}
	}
}

func TestEveryCommandIsDocumentedAndTested(t *testing.T) {
	docs, tests := readAll(t, "../../docs/*.md"), readAll(t, "*_test.go")
	n := 0
	for _, d := range commands() {
		c := d.make(&app{})
		if c.Name() != d.name {
			t.Errorf("the command %s is listed as %s", c.Name(), d.name)
		}
		n++
		if !strings.Contains(docs, "shapecheck "+c.Name()) {
			t.Errorf("no document in docs says what `shapecheck %s` does", c.Name())
		}
		if !strings.Contains(tests, `"`+c.Name()+`"`) {
			t.Errorf("no test of present/cli runs `shapecheck %s`", c.Name())
		}
	}
	if n < 10 {
		t.Errorf("only %d commands were found", n)
	}
}

// What a word after the program's name does, where a slip is near.
func TestWordsThatUsersTry(t *testing.T) {
	const net = `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 3)

    def forward(self, x):
        return self.lin(x)
`
	files := map[string]string{"net.py": net}
	for _, s := range []story{
		{name: "infer of Python", args: "infer net.py", files: files, code: 2,
			says: []string{"infer reads ONNX models", "shapecheck export net.py"}},
		{name: "a diff of fixes", args: "net.py --entry Net() --arg x:f32[B,5] --unsafe-fixes --fix --diff", files: files, code: 1,
			says: []string{"+        self.lin = nn.Linear(5, 3)", "1 would be fixed"}},
		{name: "compile", args: "compile net.py --init=0 --arg x:f32[B,4] -o net.prog", files: files,
			says: []string{"net.prog: ", "instructions", "inputs x f32[B,4]; outputs output f32[B,3]"}},
	} {
		t.Run(s.name, s.run)
	}
	_, flag, _ := run("--version")
	if code, out, _ := run("version"); code != 0 || out != flag || !strings.HasPrefix(out, "shapecheck ") {
		t.Errorf("exit code %d, %q and %q", code, out, flag)
	}
}

// The command prints what the flag does.
func TestTheSummaryCommand(t *testing.T) {
	args := []string{model, "--arg", "x:f32[B,3,H,W]", "--at", "B=1,H=28,W=28"}
	_, want, _ := run(append(args, "--summary")...)
	code, got, stderr := run(append([]string{"summary"}, args...)...)
	if code != 0 || got != want || !strings.Contains(got, "fc") {
		t.Errorf("exit code %d\n%s%s, want\n%s", code, got, stderr, want)
	}
	_, want, _ = run(append(args, "--summary=json")...)
	if code, got, _ := run(append([]string{"summary", "--json"}, args...)...); code != 0 || got != want || !strings.HasPrefix(got, "{") {
		t.Errorf("exit code %d\n%s, want\n%s", code, got, want)
	}
	if code, _, stderr := run("summary"); code != 2 || stderr == "" {
		t.Errorf("without a file: exit code %d, %s", code, stderr)
	}
}

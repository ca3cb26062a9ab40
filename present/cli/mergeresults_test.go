package cli

// This file tests that the parts of a project, put together, are the whole.

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"shapecheck/check"
)

func TestMergedPartsAreTheWhole(t *testing.T) {
	enter(t, projectFile)
	var parts []string
	for _, n := range []string{"1", "2", "3"} {
		file := "part" + n + ".json"
		if code, _, stderr := run("--shard", n+"/3", "--output-format", "json="+file); code > check.ExitFindings {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		parts = append([]string{file}, parts...) // in any order
	}
	for _, format := range []string{"json", "concise", "sarif", "gitlab", "github", "junit", "json-lines"} {
		wantCode, want, _ := run("--ignore", "SC690", "--output-format", format)
		code, got, stderr := run(append([]string{"merge", "--output-format", format}, parts...)...)
		if code != wantCode || got != want || stderr != "" {
			t.Errorf("%s: exit code %d, not %d\n%s\nnot\n%s\n%s", format, code, wantCode, got, want, stderr)
		}
	}
	times := regexp.MustCompile(`\b\d+(\.\d+)? m?s, \d+ MB\b`)
	_, stdout, _ := run(append([]string{"merge"}, parts...)...)
	if _, want, _ := run("--ignore", "SC690"); times.ReplaceAllString(stdout, "") != times.ReplaceAllString(want, "") {
		t.Errorf("text:\n%s\nnot\n%s", stdout, want)
	}
	for _, want := range []string{"  ✓ good  x f32[B,4] → f32[B,4]\n", "  ✗ bad  x f32[3,4]   1 error\n",
		"7 entries: 4 checked, 3 with findings", "return x @ x"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is missing in\n%s", want, stdout)
		}
	}
	if code, _, _ := run(append([]string{"merge", "--exit-zero"}, parts...)...); code != check.ExitClean {
		t.Errorf("--exit-zero: exit code %d", code)
	}
	if err := os.RemoveAll("src"); err != nil { // the sources are not needed
		t.Fatal(err)
	}
	code, stdout, _ := run(append([]string{"merge", "--output-format", "concise"}, parts...)...)
	if code != check.ExitFindings || !strings.Contains(stdout, "src/net.py:9:12: error[SC101]") {
		t.Errorf("without sources: exit code %d\n%s", code, stdout)
	}
}

// entriesSource has findings in lines of entries and of arguments, in several entries, guessed and sure ones, and comments
// that are wrong.
const entriesSource = `import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, inner, n=3):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x)

def guess(x, y):
    z = x + y
    return z.view(-1, 7)

def bad(x):
    return x @ x  # shapecheck: ignore

def missing(x):
    import nothing_there
    return nothing_there.f(x)

def third(x):
    y = x.view(3, -1)  # shapecheck: ignore[SC9999]
    return y @ y  # shapecheck: ignore[nonsense]

def doubt(x, flag=None):
    if flag is None:
        import nothing_there
        flag = nothing_there.f(x)
    if flag:
        return x.view(7, 3)
    return x
`

// TestMergedBytesAreThoseOfOneRun compares all formats of 2 and of 5 parts with those of the whole.
func TestMergedBytesAreThoseOfOneRun(t *testing.T) {
	var conf strings.Builder
	for i, c := range []struct{ file, entry, args, more string }{
		{"m.py", "Net(nn.Linear(4, 2))", `"x:f32[B,5]"`, ""}, {"m.py", "Net(nn.Linear(5, 2))", `"x:f32[B,5]"`, ""},
		{"n.py", "Net(nn.Linear(4, 2))", `"x:f32[B,5]"`, ""},
		{"m.py", "guess", `"x:f32[3,4]", "y:f32[B,4]"`, ""}, {"m.py", "guess", `"x:f32[B,4]", "y:f32[4]"`, ""},
		{"m.py", "bad", `"x:f32[4,4]"`, ""}, {"m.py", "bad", `"x:f32[4,3]"`, ""},
		{"none.py", "x", "", ""}, {"m.py", "Net(nn.Linear(4, 3), n=5)", `"x:f32[B,5]"`, ""},
		{"n.py", "guess", `"x:f32[3,4]", "y:f32[3,3]"`, ""}, {"m.py", "nosuch", "", ""},
		{"m.py", "Net(nn.Conv2d(3, 4, 3, groups=2))", `"x:f32[B,3,8,8]"`, ""}, {"m.py", "guess", `"x=f32[3,4].view(5)", "y:f32[B,4]"`, ""},
		{"n.py", "missing", `"x:f32[B]"`, ""},
		{"m.py", "guess", `"x=f32[3,4].view(7)", "y:f32[B,4]"`, ""}, {"m.py", "Net(nn.Linear(4, 2))", `"x:f32[C,6]"`, ""},
		{"m.py", "third", `"x:f32[6,4]"`, ""},
		{"m.py", "third", `"x:f32[3,3]"`, "expect = \"f32[3,4]\"\n"}, {"m.py", "doubt", `"x:f32[4,5]"`, ""},
		{"m.py", "doubt", `"x:f32[4,5]"`, ""},
		{"m.py", "doubt", `"x:f32[4,5]", "flag=True"`, ""}, {"n.py", "doubt", `"x:f32[4,5]"`, ""}, {"m.py", "doubt", `"x:f32[4,5]"`, ""},
	} {
		fmt.Fprintf(&conf, "[[entries]]\nname = \"entry %d\"\nfile = %q\nentry = %q\nargs = [%s]\n%s", i, c.file, c.entry, c.args, c.more)
	}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"m.py": entriesSource, "n.py": entriesSource, "shapecheck.toml": conf.String()} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	times := regexp.MustCompile(`\b\d+(\.\d+)? m?s, \d+ MB\b`)
	for _, view := range [][]string{nil, {"--strict"}} {
		parts := map[int][]string{}
		for _, n := range []int{2, 5} {
			for i := range n {
				file := fmt.Sprintf("%d.%d.json", n, i+1)
				run(append([]string{"--shard", fmt.Sprintf("%d/%d", i+1, n), "--output-format", "json=" + file, "--output-format",
					"html=part.html"}, view...)...)
				parts[n] = append([]string{file}, parts[n]...)
			}
		}
		for format := range formats {
			if format == "agent" {
				continue // which runs fixes, and needs the results themselves
			}
			args := append([]string{"--output-format", format}, view...)
			// Whether a comment has an effect only the whole knows.
			wantCode, want, wantSaid := run(append([]string{"--ignore", "SC690"}, args...)...)
			if format == "text" && !strings.Contains(want, "| Net(nn.Conv2d(3, 4, 3, groups=2))") {
				t.Errorf("no finding in an entry's line:\n%s", want)
			}
			const surest, doubtful = "m.py:32:16: error[SC105]", "n.py:32:16: info[SC105]"
			if format == "concise" && view == nil && (strings.Count(want, "m.py:32:16: ") != 1 || !strings.Contains(want, surest) ||
				!strings.Contains(want, doubtful)) {
				t.Errorf("no finding of which entries are more and less sure:\n%s", want)
			}
			for n, files := range parts {
				code, got, said := run(append(append([]string{"merge"}, args...), files...)...)
				if code != wantCode || said != wantSaid || times.ReplaceAllString(got, "") != times.ReplaceAllString(want, "") {
					t.Errorf("%v, %d parts: exit code %d, not %d\n%s%s\nnot\n%s%s", args, n, code, wantCode, got, said, want, wantSaid)
				}
			}
		}
	}
}

func TestWhatAreNoPartsIsRefused(t *testing.T) {
	enter(t, projectFile)
	for _, n := range []string{"1", "2"} {
		run("--shard", n+"/2", "--output-format", "json=part"+n+".json")
	}
	run("--output-format", "json=whole.json")
	run("src/net.py", "--no-config", "--entry", "double", "--arg", "x:f32[2]", "--output-format", "json=file.json")
	for name, text := range map[string]string{
		"newer.json": `{"version": 3, "entries": []}`, "other.json": `{"a": 1}`, "broken.json": `{"version": 1`,
		"third.json": `{"version": 1, "shard": {"part": 2, "parts": 3}, "entries": [], "diagnostics": []}`,
		"code.json":  `{"version": 1, "entries": [], "diagnostics": [{"code": "SC000", "severity": "error", "file": "a.py", "line": 1}]}`,
		"fault.json": `{"version": 1, "entries": [{"name": "a", "error": "no such file"}], "diagnostics": []}`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args string
		want string
	}{
		{"part1.json part1.json", "are both part 1"}, {"part1.json", "part 2 of 2 is missing"}, {"part1.json third.json", "one of 3 parts"},
		{"whole.json part1.json --partial", "entry good is in whole.json and in part1.json"}, {"newer.json", "version 3"},
		{"other.json", "not a result of shapecheck"}, {"broken.json", "broken.json: "}, {"file.json", "the result of one file"},
		{"missing.json", "missing.json"}, {"code.json", "code SC000 is not known"}, {"fault.json", "entry a: no such file"},
		{"", "requires at least 1"},
		{"part1.json part2.json --output-format json=part1.json", "it is an input"},
	} {
		code, _, stderr := run(append([]string{"merge"}, strings.Fields(c.args)...)...)
		if code != check.ExitUsage || !strings.Contains(stderr, c.want) {
			t.Errorf("merge %s: exit code %d: %s", c.args, code, stderr)
		}
	}
}

// What a part was cut short before, and parts that are missing, stand in every format that has a place for them, else on standard error.
func TestMergeSaysWhatIsMissing(t *testing.T) {
	enter(t, projectFile)
	for _, n := range []string{"1", "3"} {
		run("--shard", n+"/3", "--output-format", "json=part"+n+".json", "--output-format", "html=part.html")
	}
	const cut = `{"version": 1, "shard": {"part": 2, "parts": 4}, "entries": [], "diagnostics": [], "skipped": ["a", "b"],
		"partial": {"cause": "signal", "message": "interrupted after 1 of 3 entries", "total": 3}}`
	for name, text := range map[string]string{
		"cut2.json": cut,
		"cut4.json": strings.NewReplacer(`"part": 2`, `"part": 4`, "after 1 of 3", "after 0 of 2", `"total": 3`, `"total": 2`).Replace(cut),
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const missing = "part 2 of 3 is missing"
	told := []string{"part 1 of 4 is missing", "part 3 of 4 is missing", "cut2.json: interrupted after 1 of 3 entries",
		"cut4.json: interrupted after 0 of 2 entries"}
	for _, format := range []string{"text", "html", "markdown", "junit", "github", "sarif", "concise", "json-lines", "gitlab"} {
		code, stdout, stderr := run("merge", "--partial", "part1.json", "part3.json", "--output-format", format)
		if out := stdout + stderr; code > check.ExitFindings || !strings.Contains(out, missing) ||
			format == "text" && strings.Count(out, missing) != 1 {
			t.Errorf("%s: exit code %d: no line %q in\n%s", format, code, missing, out)
		}
		_, stdout, stderr = run("merge", "--partial", "cut2.json", "cut4.json", "--output-format", format)
		for _, want := range told {
			if out := stdout + stderr; !strings.Contains(out, want) {
				t.Errorf("%s: no line %q in\n%s", format, want, out)
			}
		}
	}
	_, stdout, _ := run("merge", "--partial", "cut2.json", "cut4.json", "--output-format", "json")
	const want = `"message": "interrupted after 1 of 3 entries; interrupted after 0 of 2 entries; part 1 of 4 is missing; part 3 of 4 is missing",`
	if !strings.Contains(stdout, want) || !strings.Contains(strings.Join(strings.Fields(stdout), ""), `"missing_parts":[1,3],`) || !strings.Contains(stdout, `"total": 5`) || strings.Count(stdout, `"a",`) != 2 {
		t.Errorf("the document is\n%s", stdout)
	}
}

package cli

// This file tests what hides findings, on the command line.

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/check"
)

const faulty = "import torch\n\n\ndef forward(x):\n    return x @ x\n"

func TestFindingsCanBeHidden(t *testing.T) {
	dir := t.TempDir()
	file, base := filepath.Join(dir, "net.py"), filepath.Join(dir, "base.json")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(faulty)
	args := []string{file, "--arg", "x:f32[3,4]", "--output-format", "concise"}
	expect := func(name string, code int, text string, more ...string) {
		t.Helper()
		got, stdout, stderr := run(append(args[:len(args):len(args)], more...)...)
		if got != code || !strings.Contains(stdout+stderr, text) || text == "" && stdout != "" {
			t.Errorf("%s: exit code %d, want %d with %q\n%s%s", name, got, code, text, stdout, stderr)
		}
	}
	expect("as it is", check.ExitFindings, "SC101")
	expect("--exit-zero", check.ExitClean, "SC101", "--exit-zero")
	expect("--ignore", check.ExitClean, "", "--ignore", "SC1,SC2")
	expect("--select", check.ExitClean, "", "--select", "SC2")
	expect("a bad selector", check.ExitUsage, "neither a code", "--select", "E1")
	expect("--baseline without a file", check.ExitUsage, "--write-baseline makes it", "--baseline", base)
	expect("--write-baseline", check.ExitClean, "1 finding written", "--write-baseline", base)
	expect("--baseline", check.ExitClean, "", "--baseline", base)
	expect("--baseline", check.ExitClean, "shapecheck: 1 hidden by the baseline\n", "--baseline", base)
	expect("--cache of a baseline", check.ExitClean, "1 hidden by", "--baseline", base, "--cache="+filepath.Join(dir, "kept"))
	expect("--cache of a baseline, again", check.ExitClean, "1 hidden by", "--baseline", base, "--cache="+filepath.Join(dir, "kept"))
	write("# a new line\n" + strings.ReplaceAll(faulty, "x @ x", "(x @ x) @ x"))
	expect("--baseline with a changed line", check.ExitClean, "1 hidden by", "--baseline", base)
	write("# a new line\n" + strings.ReplaceAll(faulty, "x @ x", "x @ x[:2]"))
	expect("--baseline with another fault", check.ExitFindings, "SC101", "--baseline", base)
	write(strings.ReplaceAll(faulty, "x @ x", "x @ x  # shapecheck: ignore[SC101]"))
	expect("a comment", check.ExitClean, "")
	write(strings.ReplaceAll(faulty, "x @ x", "x + x  # shapecheck: ignore[SC101]"))
	expect("a comment without effect", check.ExitFindings, "SC690")
}

func TestMisspeltCommentsAreWarningsInAllKindsOfRuns(t *testing.T) {
	dir := t.TempDir()
	file, conf := filepath.Join(dir, "net.py"), filepath.Join(dir, "shapecheck.toml")
	text := "# shapecheck: chekc forward x:f32[3,4]\n# shapecheck: check forward x\n" +
		strings.ReplaceAll(faulty, "x @ x", "x @ x  # shapecheck: ignore SC101") +
		"\n\nif __name__ == '__main__':\n    forward(torch.ones(3, 4))\n"
	entries := "[[entries]]\nname = 'a'\nfile = 'net.py'\nentry = 'forward'\nargs = ['x:f32[3,4]']\n"
	for name, text := range map[string]string{file: text, conf: entries + strings.Replace(entries, "'a'", "'b'", 1)} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, args := range map[string][]string{
		"FILE": {file, "--arg", "x:f32[3,4]"}, "--script": {"--script", file}, "configured": {"--config", conf}, "discovery": {dir},
	} {
		code, stdout, stderr := run(append([]string{"--output-format", "concise"}, args...)...)
		for _, at := range []string{"net.py:1:1: warning[SC692]", "net.py:2:1: warning[SC692]", "net.py:7:19: warning[SC692]",
			"net.py:7:12: error[SC101]"} {
			if strings.Count(stdout, at) != 1 {
				t.Errorf("%s: not once %q\n%s%s", name, at, stdout, stderr)
			}
		}
		if code != check.ExitFindings {
			t.Errorf("%s: exit code %d", name, code)
		}
	}
}

func TestStandardInputStandsForAFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "blocks.py"), []byte("def double(x):\n    return x + x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "net.py")
	var out, err bytes.Buffer
	text := "from blocks import double\n\n\ndef forward(x):\n    return double(x) @ x\n"
	code := Run([]string{"-", "--stdin-filename", name, "--arg", "x:f32[3,4]", "--output-format", "concise"}, strings.NewReader(text), &out,
		&err)
	if code != check.ExitFindings || !strings.Contains(out.String(), "net.py:5:12: error[SC101]") {
		t.Errorf("exit code %d\n%s%s", code, &out, &err)
	}
	if code := Run([]string{"-", "--entry", "3"}, strings.NewReader(""), &out, &err); code == check.ExitInternal {
		t.Errorf("empty input: exit code %d\n%s", code, &err)
	}
	if code, _, stderr := run(model, "--stdin-filename", "x.py"); code != check.ExitUsage || !strings.Contains(stderr, "needs the FILE -") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// A run of all entries says also how many of the findings in the baseline are gone.
func TestABaselineSaysWhatItHidesAndWhatIsGone(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	entry := "[[entries]]\nname = '%'\nfile = '%.py'\nentry = 'forward'\nargs = ['x:f32[3,4]']\n"
	write("shapecheck.toml", strings.ReplaceAll(entry, "%", "a")+strings.ReplaceAll(entry, "%", "b"))
	write("a.py", faulty)
	write("b.py", faulty)
	for _, c := range []struct {
		what, says string
		args       []string
		code       int
	}{
		{"written", "2 findings written", []string{"--write-baseline", "base.json"}, check.ExitClean},
		{"all hidden", "2 hidden by the baseline\n", []string{"--baseline", "base.json"}, check.ExitClean},
		{"one gone", "1 hidden by the baseline, 1 of its findings are gone", []string{"--baseline", "base.json"}, check.ExitClean},
		{"a part of all", "", []string{"--baseline", "base.json", "--shard", "2/2"}, check.ExitClean},
		{"folders", "1 hidden by the baseline, 1 of its findings are gone", []string{".", "--baseline", "base.json"}, check.ExitClean},
	} {
		if c.what == "one gone" {
			write("b.py", strings.ReplaceAll(faulty, "x @ x", "x + x"))
		}
		if c.what == "folders" {
			write("a.py", "# shapecheck: check forward x:f32[3,4]\n"+faulty)
			write("b.py", "# shapecheck: check forward x:f32[3,4]\n"+strings.ReplaceAll(faulty, "x @ x", "x + x"))
		}
		code, stdout, stderr := run(c.args...)
		if code != c.code || !strings.Contains(stderr, c.says) || c.says == "" && strings.Contains(stderr, "gone") {
			t.Errorf("%s: exit code %d\n%s%s", c.what, code, stdout, stderr)
		}
	}
}

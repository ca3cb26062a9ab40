package cli

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// --new-since hides what the same check finds at a revision, of entries, folders and a file.
func TestNewSince(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing")
	}
	t.Chdir(t.TempDir())
	for _, name := range []string{"GIT_AUTHOR", "GIT_COMMITTER"} {
		t.Setenv(name+"_NAME", "n")
		t.Setenv(name+"_EMAIL", "e@example.org")
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	const f = "# shapecheck: check f x:f32[B,4]\nimport torch\n\n\ndef f(x):\n    return x @ torch.zeros(5, 3)\n"
	write("old.py", f)
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "one")
	write("old.py", "# moved\n\n"+f)
	expect := func(what string, code int, says, not string, args ...string) {
		t.Helper()
		got, out, stderr := run(append(args, "--new-since", "HEAD")...)
		if got != code || !strings.Contains(out+stderr, says) || not != "" && strings.Contains(out, not) {
			t.Errorf("%s: exit code %d\n%s%s", what, got, out, stderr)
		}
	}
	expect("nothing new in a folder", 0, "1 hidden by --new-since HEAD\n", "SC101", ".", "--output-format", "concise")
	expect("nothing new in a file", 0, "1 hidden by --new-since HEAD\n", "SC101", "old.py",
		"--entry", "f", "--arg", "x:f32[B,4]", "--output-format", "concise")
	write("old.py", strings.Replace(f, "5, 3", "6, 3", 1))
	expect("another size", 1, "SC101", "", ".", "--output-format", "concise")
	write("old.py", "# moved\n\n"+f)
	write("new.py", strings.Replace(strings.ReplaceAll(f, "f(x)", "g(x)"), "check f", "check g", 1))
	expect("a new file", 1, "new.py:6", "old.py", ".", "--output-format", "github")
	expect("a new file alone", 1, "new.py:6", "", "new.py", "--output-format", "concise")
	write("shapecheck.toml", "[[entries]]\nname = 'old'\nfile = 'old.py'\nentry = 'f'\nargs = ['x:f32[B,4]']\n")
	expect("entries that are new", 1, "SC101", "", "--output-format", "concise")
	git("add", ".")
	git("commit", "-q", "-m", "two")
	expect("entries", 0, "1 hidden by --new-since HEAD\n", "SC101", "--output-format", "concise")
	if code, _, stderr := run(".", "--new-since", "nowhere"); code != 2 || !strings.Contains(stderr, "nowhere") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	if code, _, stderr := run(".", "--new-since", "HEAD", "--write-baseline", "b.json"); code != 2 || !strings.Contains(stderr, "either") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}

package cli

// This file tests shapecheck diff in a repository.

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const diffNet = `from torch import nn

class Net(nn.Module):
    def __init__(self, n=10):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.fc = nn.Linear(8, n)

    def forward(self, x):
        return self.fc(self.conv(x).mean((2, 3)))
`

// diffed makes an empty folder the working directory, with a way to run git and one to write files in it.
func diffed(t *testing.T) (git func(args ...string), write func(name, text string)) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing")
	}
	if _, err := schemas(); err != nil { // they are named from here
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	git = func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=e@example.org"}, args...)...)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write = func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return git, write
}

func TestDiff(t *testing.T) {
	git, write := diffed(t)
	runCLI(t, 2, "diff") // no repository
	git("init", "-q")
	write("net.py", diffNet)
	git("add", "-A")
	git("commit", "-qm", "first")
	git("tag", "v1")
	if out, _ := runCLI(t, 0, "diff"); out != "HEAD..working tree: 1 entry, nothing changed\n" {
		t.Errorf("%q", out)
	}
	write("net.py", strings.ReplaceAll(diffNet, "n=10", "n=20"))
	if _, said := runCLI(t, 2, "diff", "--at", "B=1,Q=8"); !strings.Contains(said, "no entry has a size Q; there are B, H, W") {
		t.Errorf("says %q", said)
	}
	const state = "fc.weight f32[10,8] → f32[20,8], fc.bias f32[10] → f32[20]"
	for _, args := range [][]string{{}, {"HEAD"}, {"v1"}, {"v1", "."}, {"HEAD..", "net.py"}, {"--at", "B=1,H=8,W=8"}} {
		out, _ := runCLI(t, 0, append([]string{"diff"}, args...)...)
		if !strings.Contains(out, "Net()  net.py\n  result        f32[B,10] → f32[B,20]\n") || !strings.Contains(out, state) {
			t.Errorf("%v:\n%s", args, out)
		}
	}
	git("commit", "-qam", "second")
	if out, _ := runCLI(t, 0, "diff", "v1..HEAD"); !strings.Contains(out, state) {
		t.Errorf("%s", out)
	}
	if out, _ := runCLI(t, 0, "diff", "HEAD..v1"); !strings.Contains(out, "f32[B,20] → f32[B,10]") {
		t.Errorf("%s", out)
	}
	out, _ := runCLI(t, 0, "diff", "v1", "--output-format", "markdown")
	if !strings.Contains(out, "| result | `f32[B,10] → f32[B,20]` |\n") {
		t.Errorf("%s", out)
	}
	write("more.py", strings.ReplaceAll(diffNet, "Linear(8",
		"Linear(9")+"\n\nclass Fine(nn.Module):\n    def forward(self, x):\n        return x + 1\n")
	out, _ = runCLI(t, 0, "diff", "v1", "--output-format", "json")
	validate(t, "diff-schema.json", out)
	for _, c := range []struct {
		on   string
		code int
	}{{"result", 1}, {"state-dict", 1}, {"contract", 0}, {"findings", 0}, {"contract,result", 1}} {
		runCLI(t, c.code, "diff", "v1", "net.py", "--fail-on", c.on)
	}
	write("net.py", strings.ReplaceAll(diffNet, "Linear(8", "Linear(9"))
	out, _ = runCLI(t, 1, "diff", "--fail-on", "findings", "--output-format", "json")
	validate(t, "diff-schema.json", out)
	write("shapecheck.toml", "[[entries]]\nname = \"net\"\nfile = \"net.py\"\nentry = \"Net()\"\nargs = [\"x:f32[B,3,H,W]\"]\n")
	out, _ = runCLI(t, 1, "diff", "--fail-on", "findings", "--output-format", "json")
	validate(t, "diff-schema.json", out)
	if out, _ := runCLI(t, 0, "diff"); !strings.Contains(out, "findings      1 new, 0 fixed\n    + net.py:10: error[SC101] linear") {
		t.Errorf("%s", out)
	}
	// From a folder below, and with another folder's files.
	if err := os.Mkdir("sub", 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir("sub")
	if out, _ := runCLI(t, 0, "diff"); !strings.Contains(out, "net  net.py\n") {
		t.Errorf("%s", out)
	}
	if out, _ := runCLI(t, 0, "diff", "HEAD", filepath.Join("..", "more.py"), "--no-config"); !strings.Contains(out, "more.py\n") {
		t.Errorf("%s", out)
	}
	for _, c := range []struct{ args, says string }{
		{"none", "none: no such revision"},
		{"HEAD nothing.py", "nothing.py"},
		{"--output-format xml", "text, markdown or json"},
		{"--fail-on all", "findings, contract, state-dict or result"},
		{"--at H", "--at"},
	} {
		if _, said := runCLI(t, 2, append([]string{"diff", "--no-config"}, strings.Fields(c.args)...)...); !strings.Contains(said, c.says) {
			t.Errorf("%s: says %q, want %q", c.args, said, c.says)
		}
	}
}

// A file whose content is missing in the repository is a fault, and not one that was added.
func TestDiffWithoutContent(t *testing.T) {
	git, write := diffed(t)
	git("init", "-q")
	write("net.py", diffNet)
	write("shapecheck.toml", "[[entries]]\nname = \"net\"\nfile = \"net.py\"\nentry = \"Net()\"\nargs = [\"x:f32[B,3,H,W]\"]\n")
	git("add", "-A")
	git("commit", "-qm", "first")
	write("net.py", diffNet+"\n")
	git("commit", "-qam", "second")
	for _, name := range []string{"net.py", "shapecheck.toml"} {
		id, err := exec.Command("git", "rev-parse", "HEAD~1:"+name).Output()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(".git", "objects", string(id[:2]), strings.TrimSpace(string(id[2:])))); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"HEAD~1"}, {"HEAD~1..HEAD"}, {"HEAD..HEAD~1"}, {"HEAD~1", "--no-config", "--fail-on", "result"}} {
			out, said := runCLI(t, 2, append([]string{"diff"}, args...)...)
			if out != "" || !strings.Contains(said, "git has no content of") {
				t.Errorf("%v: %s%s", args, out, said)
			}
		}
	}
}

// Three dots compare with the commit at which a branch began, as git diff does.
func TestDiffOfABranch(t *testing.T) {
	git, write := diffed(t)
	git("init", "-q", "-b", "master")
	write("net.py", diffNet)
	git("add", "-A")
	git("commit", "-qm", "first")
	git("checkout", "-qb", "side")
	write("other.py", diffNet)
	git("add", "-A")
	git("commit", "-qm", "the branch's")
	git("checkout", "-q", "master")
	write("net.py", strings.ReplaceAll(diffNet, "n=10", "n=20"))
	git("commit", "-qam", "master goes on")
	for _, c := range []struct {
		revisions  string
		has, hasNo string
	}{
		{"master..side", "net.py\n", "nothing at all"},
		{"master...side", "..side: 2 entries, 1 added", "net.py\n"},
		{"...side", "other.py\n", "net.py\n"},
		{"side...", "f32[B,10] → f32[B,20]", "other.py"}, // what master, and the working tree, did since
		{"side...master", "..master: 1 entry, 1 changed", "other.py"},
	} {
		if out, _ := runCLI(t, 0, "diff", c.revisions); !strings.Contains(out, c.has) || strings.Contains(out, c.hasNo) {
			t.Errorf("%s:\n%s", c.revisions, out)
		}
	}
	git("checkout", "-q", "--orphan", "apart")
	git("commit", "-qm", "of its own")
	for args, says := range map[string]string{
		"master...apart": "master...apart: git knows no commit that both come from",
		"none...side":    "none: no such revision",
		"side...none":    "none: no such revision",
		"side....master": ".master: no such revision",
	} {
		if _, said := runCLI(t, 2, "diff", args); !strings.Contains(said, says) {
			t.Errorf("%s: says %q, want %q", args, said, says)
		}
	}
}

// With a configuration, paths choose among its entries and among the files that it does not name.
func TestDiffOfPaths(t *testing.T) {
	git, write := diffed(t)
	git("init", "-q")
	const all = "[[entries]]\nname = \"a\"\nfile = \"a.py\"\nentry = \"Net()\"\nargs = [\"x:f32[B,3,H,W]\"]\n" +
		"[[entries]]\nname = \"b\"\nfile = \"sub/b.py\"\nentry = \"Net()\"\nargs = [\"x:f32[B,3,H,W]\"]\n"
	if err := os.Mkdir("sub", 0o777); err != nil {
		t.Fatal(err)
	}
	files := []string{"a.py", "free.py", filepath.Join("sub", "b.py"), filepath.Join("sub", "free.py")}
	for _, f := range files {
		write(f, diffNet)
	}
	write("shapecheck.toml", all)
	git("add", "-A")
	git("commit", "-qm", "first")
	for _, f := range files {
		write(f, strings.ReplaceAll(diffNet, "n=10", "n=20"))
	}
	check := func(args, want string) {
		t.Helper()
		out, _ := runCLI(t, 0, append([]string{"diff"}, strings.Fields(args)...)...)
		var names []string
		for line := range strings.Lines(out) {
			if name, file, ok := strings.Cut(strings.TrimSpace(line), "  "); ok && strings.HasSuffix(file, ".py") {
				names = append(names, name+" "+filepath.ToSlash(file))
			}
		}
		if got := strings.Join(names, ", "); got != want {
			t.Errorf("%s: %s, want %s\n%s", args, got, want, out)
		}
	}
	check("HEAD", "a a.py, b sub/b.py")
	check("HEAD a.py", "a a.py")
	check("HEAD sub", "b sub/b.py, Net() sub/free.py")
	check("HEAD free.py", "Net() free.py")
	check("HEAD .", "a a.py, Net() free.py, b sub/b.py, Net() sub/free.py")
	write("shapecheck.toml", "discover = false\n"+all)
	check("HEAD sub", "b sub/b.py")
	if _, said := runCLI(t, 2, "diff", "HEAD", "nothing.py"); !strings.Contains(said, "nothing.py") {
		t.Errorf("says %q", said)
	}
}

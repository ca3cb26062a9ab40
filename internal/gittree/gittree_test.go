package gittree

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/internal/reads"
)

var _ reads.FS = (*Tree)(nil)

// repository makes one whose first commit has the files; a text that begins with "-> " is a link.
func repository(t *testing.T, files map[string]string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q")
	put(t, dir, files)
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "first")
	return dir
}

func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		var err error
		if to, ok := strings.CutPrefix(text, "-> "); ok {
			err = os.Symlink(to, name)
		} else {
			err = os.WriteFile(name, []byte(text), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=e@example.org"}, args...)...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func open(t *testing.T, dir, revision string) *Tree {
	t.Helper()
	tree, err := Open(context.Background(), dir, revision)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tree.Close(); err != nil {
			t.Error(err)
		}
	})
	return tree
}

func TestTree(t *testing.T) {
	dir := repository(t, map[string]string{
		"net.py": "old\n", "pkg/a.py": "a\n", "pkg/ü b.py": "b\n", "link.py": "-> pkg/a.py", "lib": "-> pkg", "out.py": "-> /nowhere/x.py",
		"loop": "-> loop", "empty.py": "",
	})
	put(t, dir, map[string]string{"net.py": "new\n", "untracked.py": "u\n", ".venv/pyvenv.cfg": "", ".venv/lib/x.py": "x\n"})
	outside := filepath.Join(t.TempDir(), "o.py")
	put(t, filepath.Dir(outside), map[string]string{"o.py": "o\n"})
	t.Chdir(filepath.Join(dir, "pkg"))
	tree := open(t, ".", "HEAD")
	for name, want := range map[string]string{
		"../net.py": "old\n", filepath.Join(dir, "net.py"): "old\n", "a.py": "a\n", "ü b.py": "b\n", "../link.py": "a\n", "../lib/a.py": "a\n",
		"../.venv/lib/x.py": "x\n", outside: "o\n", "../empty.py": "",
	} {
		got, err := tree.ReadFile(name)
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
		if info, err := tree.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(want)) {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	for _, name := range []string{"../untracked.py", "../out.py", "../loop", "../pkg/none.py", "../net.py/x"} {
		if _, err := tree.ReadFile(name); err == nil {
			t.Errorf("%s can be read", name)
		}
		if _, err := tree.Stat(name); err == nil {
			t.Errorf("%s is there", name)
		}
		if _, err := tree.EvalSymlinks(name); err == nil {
			t.Errorf("%s has a real name", name)
		}
	}
	if _, err := tree.ReadFile(".."); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a folder: %v", err)
	}
	var names []string
	list, err := tree.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Type().String()+" "+e.Name())
	}
	want := "---------- empty.py|L--------- lib|L--------- link.py|L--------- loop|---------- net.py|L--------- out.py|d--------- pkg"
	if got := strings.Join(names, "|"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if real, err := tree.EvalSymlinks("../lib/a.py"); err != nil || real != filepath.Join(dir, "pkg", "a.py") {
		t.Errorf("%s, %v", real, err)
	}
}

func TestRevisions(t *testing.T) {
	dir := repository(t, map[string]string{"net.py": "1\n"})
	put(t, dir, map[string]string{"net.py": "2\n"})
	git(t, dir, "commit", "-qam", "second")
	git(t, dir, "tag", "-a", "v2", "-m", "v2")
	for revision, want := range map[string]string{"HEAD": "2\n", "HEAD~1": "1\n", "v2": "2\n"} {
		if got, err := open(t, dir, revision).ReadFile(filepath.Join(dir, "net.py")); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", revision, got, err)
		}
	}
	for _, revision := range []string{"none", "--help", "HEAD:net.py", ""} {
		if _, err := Open(t.Context(), dir, revision); err == nil || !strings.Contains(err.Error(), "no such revision") {
			t.Errorf("%q: %v", revision, err)
		}
	}
	if _, err := Open(t.Context(), t.TempDir(), "HEAD"); err == nil || !strings.Contains(err.Error(), "not a git repository") {
		t.Errorf("no repository: %v", err)
	}
}

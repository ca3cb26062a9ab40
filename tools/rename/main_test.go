package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// compare reports which files of a folder are not those.
func compare(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		name, _ := filepath.Rel(dir, p)
		got[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestRename(t *testing.T) {
	dir := t.TempDir()
	before := map[string]string{
		"go.mod":          "module tool\n\ngo 1.26.0\n",
		"a/a.go":          "package a\n\nimport (\n\t\"fmt\"\n\n\tx \"tool/b\"\n\t\"toolbox/c\"\n)\n\n// tool/b stays.\nvar text = \"tool/b\"\n\nvar _ = fmt.Sprint(x.B, c.C, text)\n",
		"a/testdata/t.go": "package t\n\nimport \"tool/b\"\n",
		"b/b.go":          "package b\n\nconst B = 1\n",
		"b/ugly.go":       "package b\nimport _ \"tool\"\n",
		"tool.go":         "package tool\n",
	}
	after := map[string]string{
		"go.mod":    "module example.org/team/tool\n\ngo 1.26.0\n",
		"a/a.go":    "package a\n\nimport (\n\t\"fmt\"\n\n\tx \"example.org/team/tool/b\"\n\t\"toolbox/c\"\n)\n\n// tool/b stays.\nvar text = \"tool/b\"\n\nvar _ = fmt.Sprint(x.B, c.C, text)\n",
		"b/ugly.go": "package b\nimport _ \"example.org/team/tool\"\n",
	}
	write(t, dir, before)
	if n, err := rename(dir, "example.org/team/tool"); err != nil || n != 3 {
		t.Fatalf("rename: %d files, %v; want 3", n, err)
	}
	maps.Copy(before, after)
	compare(t, dir, before)
	if _, err := rename(dir, "no path/"); err == nil {
		t.Error("a path with a blank is taken")
	}
}

func TestRenamePython(t *testing.T) {
	dir := t.TempDir()
	before := map[string]string{
		".ci/release":                "python -m oldname # oldname-1.0.whl, oldnames, my_oldname\n",
		".git/config":                "oldname\n",
		"docs/python.md":             "import oldname\n\nr = oldname.check()\n",
		"python/oldname/__init__.py": "from oldname import a\n",
		"python/tests/test_a.py":     "import oldname\n",
		"testdata/tensor.npy":        "\x93oldname",
		"version/version.go":         "package version\n\nconst (\n\toldname = 1 // a\n\tb       = 2 // b\n)\n",
	}
	after := map[string]string{
		".ci/release":                 "python -m another1 # another1-1.0.whl, oldnames, my_oldname\n",
		".git/config":                 "oldname\n",
		"docs/python.md":              "import another1\n\nr = another1.check()\n",
		"python/another1/__init__.py": "from another1 import a\n",
		"python/tests/test_a.py":      "import another1\n",
		"testdata/tensor.npy":         "\x93oldname",
		"version/version.go":          "package version\n\nconst (\n\tanother1 = 1 // a\n\tb        = 2 // b\n)\n",
	}
	write(t, dir, before)
	for _, name := range []string{"", "Name", "a-name", "a_name", "a/b", "../a", "1name", "a.b", "a b", "oldname", "import", "tests",
		"oldnames"} {
		if _, err := renamePython(dir, "oldname", name); err == nil {
			t.Errorf("the name %q is taken", name)
		}
	}
	compare(t, dir, before)
	if n, err := renamePython(dir, "oldname", "another1"); err != nil || n != 5 {
		t.Fatalf("%d files, %v; want 5", n, err)
	}
	compare(t, dir, after)
	if _, err := renamePython(dir, "oldname", "another2"); err == nil {
		t.Error("a package that is not there has another name")
	}
}

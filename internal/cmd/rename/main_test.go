package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
	for name, text := range before {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := rename(dir, "example.org/team/tool"); err != nil || n != 3 {
		t.Fatalf("rename: %d files, %v; want 3", n, err)
	}
	for name, want := range before {
		if w, ok := after[name]; ok {
			want = w
		}
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, string(got)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	if _, err := rename(dir, "no path/"); err == nil {
		t.Error("a path with a blank is taken")
	}
}

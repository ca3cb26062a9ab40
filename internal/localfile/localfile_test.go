package localfile

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func tree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"outside.bin": "secret", "model/a.bin": "a", "model/sub/b.bin": "b"} {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	must := func(err error) {
		if err != nil {
			t.Skip(err)
		}
	}
	model := filepath.Join(dir, "model")
	must(os.Symlink("../outside.bin", filepath.Join(model, "link.bin")))
	must(os.Symlink("a.bin", filepath.Join(model, "inside.bin")))
	must(os.Symlink("sub", filepath.Join(model, "linked")))
	must(os.Link(filepath.Join(dir, "outside.bin"), filepath.Join(model, "hard.bin")))
	return dir
}

func TestFilesBesideAreOpened(t *testing.T) {
	dir := tree(t)
	for name, want := range map[string]string{"a.bin": "a", "sub/b.bin": "b"} {
		f, err := Open(filepath.Join(dir, "model"), name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(f)
		if err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v", name, got, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestNamesThatLeadElsewhereAreRefused(t *testing.T) {
	dir := tree(t)
	for name, want := range map[string]string{
		"":                                "is empty",
		filepath.Join(dir, "outside.bin"): "absolute",
		"C:a.bin":                         "absolute",
		"../outside.bin":                  `".." is not allowed`,
		"sub/../../outside.bin":           `".." is not allowed`,
		"sub/..":                          `".." is not allowed`,
		"..":                              `".." is not allowed`,
		`..\outside.bin`:                  "backslashes",
		"./a.bin":                         "not a plain relative path",
		"sub//b.bin":                      "not a plain relative path",
		".":                               "not a plain relative path",
		"sub/":                            "not a plain relative path",
		"a.bin\x00.txt":                   "zero byte",
		strings.Repeat("a", 5000):         "longer than",
		"link.bin":                        `"link.bin" is a symbolic link`,
		"inside.bin":                      `"inside.bin" is a symbolic link`,
		"linked/b.bin":                    `"linked" is a symbolic link`,
		"hard.bin":                        "hard links",
		"sub":                             "not a regular file",
		"none.bin":                        "no such file",
		"a.bin/b":                         "not a directory",
	} {
		f, err := Open(filepath.Join(dir, "model"), name)
		if err == nil {
			t.Errorf("%q is opened", name)
			f.Close()
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", name, err, want)
		}
	}
}

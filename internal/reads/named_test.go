package reads

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// namedTree has a folder m with files and links, and files beside it.
func namedTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"outside.bin": "secret", "m/a.bin": "a", "m/sub/b.bin": "b", "m/.env": "secret",
		"m/.aws/c": "secret", "out/d.bin": "secret"} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"link.bin": "../outside.bin", "absolute.bin": filepath.Join(dir, "outside.bin"),
		"folder": "../out", "two.bin": "link.bin", "lost.bin": "../none",
		"loop": "loop", "settings.bin": ".env", "inside.bin": "a.bin", "linked": "sub", "back.bin": filepath.Join(dir, "m", "sub", "b.bin"),
		"again.bin": "linked/../a.bin"} {
		if err := os.Symlink(filepath.FromSlash(to), filepath.Join(dir, "m", name)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Link(filepath.Join(dir, "outside.bin"), filepath.Join(dir, "m", "hard.bin")); err != nil {
		t.Skip(err)
	}
	return dir
}

func TestNamedFilesAreOpened(t *testing.T) {
	dir := filepath.Join(namedTree(t), "m")
	g := NewGate(nil, Root{dir, Everything})
	for name, want := range map[string]string{"a.bin": "a", "sub/b.bin": "b", "inside.bin": "a", "linked/b.bin": "b", "back.bin": "b",
		"again.bin": "a"} {
		f, size, err := g.OpenIn(dir, name)
		if err != nil {
			t.Error(err)
			continue
		}
		got, err := io.ReadAll(io.NewSectionReader(f, 0, size))
		if err := errors.Join(err, f.Close()); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v", name, got, err)
		}
	}
}

func TestNamesThatLeadElsewhereAreRefused(t *testing.T) {
	top := namedTree(t)
	dir := filepath.Join(top, "m")
	g := NewGate(nil, Root{dir, Everything})
	for name, want := range map[string]string{
		"":                                "is empty",
		filepath.Join(top, "outside.bin"): "absolute",
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
		"link.bin":                        `"link.bin": leads to what is not read: it is outside`,
		"absolute.bin":                    `"absolute.bin": leads to what is not read`,
		"two.bin":                         `"two.bin": leads to what is not read`,
		"folder/d.bin":                    `"folder/d.bin": leads to what is not read`,
		"folder/none":                     `"folder/none": leads to what is not read`,
		"lost.bin":                        `"lost.bin": leads to what is not read`,
		"loop":                            `"loop": leads to what is not read`,
		"settings.bin":                    `"settings.bin": leads to what is not read`,
		".env":                            `".env": leads to what is not read`,
		".aws/c":                          `".aws/c": leads to what is not read`,
		"hard.bin":                        `"hard.bin": the file has other names (hard links)`,
		"sub":                             `"sub": is a directory, not a regular file`,
		"none.bin":                        `"none.bin": no such file`,
		"a.bin/b":                         "not a directory",
	} {
		f, _, err := g.OpenIn(dir, name)
		if err == nil {
			t.Errorf("%q is opened", name)
			f.Close()
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", name, err, want)
		} else if strings.Contains(err.Error(), top) && !strings.Contains(name, top) {
			t.Errorf("%q: the error has a path: %v", name, err)
		}
	}
	inner := NewGate(NewGate(nil, Root{top, Everything}), Root{dir, Everything})
	for _, name := range []string{"link.bin", "absolute.bin", "two.bin", "folder/d.bin"} { // which the outer gate reads
		if _, _, err := inner.OpenIn(dir, name); !errors.Is(err, ErrOutside) {
			t.Errorf("%s through two gates: %v", name, err)
		}
	}
	if f, _, err := inner.OpenIn(dir, "again.bin"); err != nil {
		t.Error(err)
	} else {
		f.Close()
	}
	if _, _, err := g.OpenIn("", "a.bin"); err == nil {
		t.Error("a file is opened in no folder")
	}
	if _, _, err := g.OpenIn(top, "outside.bin"); !errors.Is(err, ErrOutside) {
		t.Errorf("a folder that is no root: %v", err)
	}
}

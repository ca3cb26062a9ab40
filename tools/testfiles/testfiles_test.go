package testfiles

import (
	"os"
	"path/filepath"
	"testing"
)

func TestUnpackGivesAllFilesOfASubject(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{Archive: "of a test\n-- a.py --\nx = 1\n-- b/c.py --\n", "named.py": "y = 2\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := Unpack(t, dir)
	for name, want := range map[string]string{"a.py": "x = 1\n", "b/c.py": "", "named.py": "y = 2\n"} {
		if got, err := os.ReadFile(filepath.Join(out, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := os.Stat(filepath.Join(out, Archive)); err == nil {
		t.Error("the archive is among its files")
	}
}

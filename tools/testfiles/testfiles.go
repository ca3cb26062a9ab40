// Package testfiles unpacks the small files of a subject for tests. A folder of testdata has them in
// one archive, programs.txtar; beside it are the files that documents and commands name.
// tools/txtar.py is the same for scripts.
package testfiles

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

// Archive is the name of the archive in a folder.
const Archive = "programs.txtar"

// Unpack gives a folder with the files of dir and those of its archive, which goes with the test.
func Unpack(t testing.TB, dir string) string {
	t.Helper()
	out := t.TempDir()
	if err := os.CopyFS(out, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(out, Archive)
	ar, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(archive); err != nil {
		t.Fatal(err)
	}
	for _, f := range ar.Files {
		path := filepath.Join(out, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

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
	if err := UnpackTo(dir, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// UnpackTo writes the files of dir and those of its archive to the folder out. The error is that of
// a file that cannot be read or written; out must have none of them.
func UnpackTo(dir, out string) error {
	if err := os.CopyFS(out, os.DirFS(dir)); err != nil {
		return err
	}
	archive := filepath.Join(out, Archive)
	ar, err := txtar.ParseFile(archive)
	if err != nil {
		return err
	}
	if err := os.Remove(archive); err != nil {
		return err
	}
	for _, f := range ar.Files {
		path := filepath.Join(out, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

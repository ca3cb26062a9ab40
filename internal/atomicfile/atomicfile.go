// Package atomicfile writes files so that a reader sees the old or the new
// content, never a part: to a temporary file beside, which is then renamed.
// Check and Write are in atomicfile.go, writing in pieces in together.go; interrupt.go
// removes what is not finished when the program is interrupted.
package atomicfile

// This file holds Check, to be asked before the work, Write, and Append.

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Check reports why a file could not be written at path: an error before the
// work is better than one after it.
func Check(path string) error {
	if path == "" {
		return errors.New("empty file name")
	}
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s: is a directory", path)
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return err
	}
	dir := filepath.Dir(path)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return fmt.Errorf("%s: no such directory: %s", path, dir)
	}
	return nil
}

// Write replaces the file at path, as Create says. It returns an error if Create refuses the path, or if the data
// cannot be written; the old file is then as before.
func Write(path string, data []byte) error {
	f, err := Create(path)
	return write(f, data, err)
}

// Replace puts a new file in the place of whatever is at path: a link or a pipe that
// somebody put there is not written to. It returns an error if the file cannot be made, written or renamed.
func Replace(path string, data []byte) error {
	f, err := temporary(path, 0o666)
	return write(f, data, err)
}

// Append adds data to the file at path, in one write, and makes it where it is missing: for
// files that several programs add to, such as the summary of a CI job. It returns an error if the file cannot be opened
// or written.
func Append(path string, data []byte) error {
	f, err := OpenLog(path)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// Folder makes a folder of one's own among the system's temporary ones; whoever asks for it removes it. It returns the
// system's error if it cannot be made.
func Folder() (string, error) { return os.MkdirTemp("", "shapecheck-") }

// OpenLog opens the file at path, which is made where it is missing, for lines at its end. It returns the system's
// error if the file can be neither opened nor made.
func OpenLog(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
}

func write(f *File, data []byte, err error) error {
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return errors.Join(err, f.Discard())
	}
	return f.Commit()
}

// create opens a new file beside path. os.CreateTemp would make it readable by
// its owner alone.
func create(path string, mode os.FileMode) (*os.File, error) {
	const tries = 100
	var err error
	for range tries {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%08x.tmp", filepath.Base(path), rand.Uint32()))
		var f *os.File
		if f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode); err == nil {
			return f, nil
		}
		if !errors.Is(err, os.ErrExist) {
			break
		}
	}
	return nil, err
}

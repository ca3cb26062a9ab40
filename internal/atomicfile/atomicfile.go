// Package atomicfile writes files so that a reader sees the old or the new
// content, never a part: to a temporary file beside, which is then renamed.
package atomicfile

// This file holds Check, to be asked before the work, and Write.

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

// Write replaces the file at path. A link is followed; the mode of an existing
// file is kept. What is no regular file, such as a pipe, is written directly.
func Write(path string, data []byte) (err error) {
	mode := os.FileMode(0o666)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, statErr := os.Stat(path)
	if statErr == nil {
		if !info.Mode().IsRegular() {
			return writeTo(path, data)
		}
		mode = info.Mode().Perm()
	}
	f, err := create(path, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name()) // what failed is in err; the left-over cannot be helped
		}
	}()
	if statErr == nil { // the mode asked for is reduced by the umask
		if err := f.Chmod(mode); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	if _, err := f.Write(data); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func writeTo(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
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

package atomicfile

// This file writes in pieces: what is written is seen once Commit is called.

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// A File is written beside the one that it will replace. Nothing is seen before
// Commit; Discard, which does nothing after Commit, removes what was written.
type File struct {
	path string // what is replaced; its links were followed
	name string // what is written; path itself when that is no regular file
	f    *os.File
	w    *bufio.Writer
	done bool
}

// bufferSize is the size of the pieces that are written.
const bufferSize = 1 << 18

// Create starts a file that will replace path: the mode of an existing file is kept,
// and what is no regular file, such as a pipe, is written directly. A link is
// followed to a file that lies in its folder or below; one that leads elsewhere is
// refused, for its target is not what was named.
func Create(path string) (*File, error) {
	mode := os.FileMode(0o666)
	info, statErr := os.Stat(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		if info != nil && info.Mode().IsRegular() {
			if err := checkInside(path, real); err != nil {
				return nil, err
			}
		}
		path = real
	}
	if statErr == nil {
		if !info.Mode().IsRegular() {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return nil, err
			}
			return &File{path: path, name: path, f: f, w: bufio.NewWriterSize(f, bufferSize)}, nil
		}
		mode = info.Mode().Perm()
	}
	out, err := temporary(path, mode)
	if err == nil && statErr == nil { // the mode asked for is reduced by the umask
		if err := out.f.Chmod(mode); err != nil {
			return nil, errors.Join(err, out.Discard())
		}
	}
	return out, err
}

// temporary starts a file that will replace whatever is at path.
func temporary(path string, mode os.FileMode) (*File, error) {
	f, err := unfinished.make(func() (*os.File, error) { return create(path, mode) })
	if err != nil {
		return nil, err
	}
	return &File{path: path, name: f.Name(), f: f, w: bufio.NewWriterSize(f, bufferSize)}, nil
}

// checkInside reports a link that leads out of its folder.
func checkInside(path, real string) error {
	dir, err := filepath.Abs(filepath.Dir(path))
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return err
	}
	if rel, err := filepath.Rel(dir, real); err != nil || !filepath.IsLocal(rel) {
		return fmt.Errorf("%s: is a link to a file outside of its folder, which is not written; name the file itself", path)
	}
	return nil
}

// Write adds to the file. The error of an earlier write is returned again.
func (f *File) Write(b []byte) (int, error) { return f.w.Write(b) }

// Finish writes what is buffered and closes the file. Of several files that belong
// together all are finished before the first is committed. It returns the first error of writing, and that of closing.
func (f *File) Finish() error {
	if f.f == nil {
		return nil
	}
	err := errors.Join(f.w.Flush(), f.f.Close())
	f.f = nil
	return err
}

// Commit replaces the file. If the file cannot be finished or renamed it is discarded, and the error is returned.
func (f *File) Commit() error {
	if err := f.Finish(); err != nil {
		return errors.Join(err, f.Discard())
	}
	if f.name != f.path {
		if err := unfinished.commit(f.name, f.path); err != nil {
			return errors.Join(err, f.Discard())
		}
	}
	f.done = true
	return nil
}

// Discard gives up. It returns an error if the file cannot be closed or removed.
func (f *File) Discard() error {
	if f.done {
		return nil
	}
	f.done = true
	var err error
	if f.f != nil {
		err = f.f.Close()
		f.f = nil
	}
	if f.name != f.path {
		err = errors.Join(err, os.Remove(f.name))
		unfinished.remove(f.name)
	}
	return err
}

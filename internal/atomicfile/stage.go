package atomicfile

// This file writes in pieces: what is written is seen once Commit is called.

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
)

// A File is written beside the one that it will replace. Nothing is seen before
// Commit; Discard, which does nothing after Commit, removes what was written.
type File struct {
	path string // what is replaced
	name string // what is written; path itself when that is no regular file
	f    *os.File
	w    *bufio.Writer
	done bool
}

// bufferSize is the size of the pieces that are written.
const bufferSize = 1 << 18

// Create starts a file that will replace path: a link is followed, the mode of an
// existing file is kept, and what is no regular file is written directly.
func Create(path string) (*File, error) {
	mode := os.FileMode(0o666)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, statErr := os.Stat(path)
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
	f, err := create(path, mode)
	if err != nil {
		return nil, err
	}
	out := &File{path: path, name: f.Name(), f: f, w: bufio.NewWriterSize(f, bufferSize)}
	if statErr == nil { // the mode asked for is reduced by the umask
		if err := f.Chmod(mode); err != nil {
			return nil, errors.Join(err, out.Discard())
		}
	}
	return out, nil
}

// Write adds to the file.
func (f *File) Write(b []byte) (int, error) { return f.w.Write(b) }

// Finish writes what is buffered and closes the file. Of several files that belong
// together all are finished before the first is committed.
func (f *File) Finish() error {
	if f.f == nil {
		return nil
	}
	err := errors.Join(f.w.Flush(), f.f.Close())
	f.f = nil
	return err
}

// Commit replaces the file.
func (f *File) Commit() error {
	if err := f.Finish(); err != nil {
		return errors.Join(err, f.Discard())
	}
	if f.name != f.path {
		if err := os.Rename(f.name, f.path); err != nil {
			return errors.Join(err, f.Discard())
		}
	}
	f.done = true
	return nil
}

// Discard gives up.
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
	}
	return err
}

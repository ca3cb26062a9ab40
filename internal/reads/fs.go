package reads

// This file defines where files come from, and the disk.

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"shapecheck/internal/localfile"
)

// An FS is where files come from: the disk, an editor's open buffers over it, a
// browser's memory, an archive. Paths are the operating system's; relative ones
// start at Getwd. Errors are those of package io/fs. An FS is safe for concurrent
// use.
type FS interface {
	// ReadFile reads a regular file, also after links are followed; see File.
	ReadFile(path string) ([]byte, error)
	// Stat says what a path is after links are followed.
	Stat(path string) (fs.FileInfo, error)
	// Lstat says what a path is where a link is one; see Gate for what needs it.
	Lstat(path string) (fs.FileInfo, error)
	// ReadDir gives what is in a folder, in the order of names.
	ReadDir(path string) ([]fs.DirEntry, error)
	// EvalSymlinks gives the path without links; it must exist.
	EvalSymlinks(path string) (string, error)
	Abs(path string) (string, error)
	Getwd() (string, error)
}

// File reads a file that may have limit bytes. What is no regular file is refused by
// the name of its kind.
func File(f FS, path string, limit int64) ([]byte, error) {
	switch f := f.(type) {
	case Disk: // which looks at what it reads
		return localfile.Read(path, limit)
	case *Gate:
		name, err := f.file(path)
		if err != nil {
			return nil, err
		}
		return File(f.fs, name, limit)
	}
	info, err := f.Stat(path)
	if err == nil {
		err = localfile.Check(path, info, limit)
	}
	if err != nil {
		return nil, err
	}
	data, err := f.ReadFile(path)
	if err == nil && int64(len(data)) > limit {
		err = localfile.TooLarge(path, int64(len(data)), limit)
	}
	return data, err
}

// A Part is an open file of which parts are read.
type Part interface {
	io.ReaderAt
	io.Closer
}

// An Opener is an FS that can open a file without reading all of it.
type Opener interface {
	// Open opens a regular file, also after links are followed.
	Open(path string) (f Part, size int64, err error)
}

// Open opens a file of which parts are read: its header. Where f is no Opener, the file is read
// as a whole, up to the limit that f has. It returns an error if the file does not exist, is no regular one, or is
// larger than that limit.
func Open(f FS, path string) (Part, int64, error) {
	if o, ok := Or(f).(Opener); ok {
		return o.Open(path)
	}
	data, err := f.ReadFile(path)
	if err != nil {
		return nil, 0, err
	}
	return whole{bytes.NewReader(data)}, int64(len(data)), nil
}

type whole struct{ *bytes.Reader }

// Close does nothing and has no error: the bytes are in memory.
func (whole) Close() error { return nil }

// Or is f, or the disk where f is nil.
func Or(f FS) FS {
	if f == nil {
		return Disk{}
	}
	return f
}

// Disk is the file system of the operating system.
type Disk struct{}

// maxRead bounds what is read from the disk whatever it is. File has a bound for each use.
const maxRead = 64 << 20

// ReadFile fails for what is no regular file, and wraps localfile.ErrTooLarge for one of more than 64 MB. The other
// errors are those of package os. The methods below are functions of os and path/filepath, with
// their errors.
func (Disk) ReadFile(path string) ([]byte, error)       { return localfile.Read(path, maxRead) }
func (Disk) Stat(path string) (fs.FileInfo, error)      { return os.Stat(path) }
func (Disk) Lstat(path string) (fs.FileInfo, error)     { return os.Lstat(path) }
func (Disk) ReadDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(path) }
func (Disk) EvalSymlinks(path string) (string, error)   { return filepath.EvalSymlinks(path) }
func (Disk) Abs(path string) (string, error)            { return filepath.Abs(path) }
func (Disk) Getwd() (string, error)                     { return os.Getwd() }

// Open implements Opener. It returns an error if the file cannot be opened or is no regular one.
func (Disk) Open(path string) (Part, int64, error) {
	f, info, err := localfile.OpenRegular(path)
	if err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
}

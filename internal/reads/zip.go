package reads

// This file reads the files of a zip archive.

import (
	"archive/zip"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// maxZipped bounds a file of an archive, in bytes: its length is what the archive
// says, and what it holds may be longer.
const maxZipped = 64 << 20

// A Zip is a file system in an archive, without links. Its paths have slashes, its
// root and working directory is "/".
type Zip struct{ r *zip.Reader }

// NewZip reads the table of an archive of the given size in bytes. It returns an error if r has no valid zip archive of
// that size.
func NewZip(r io.ReaderAt, size int64) (*Zip, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, err
	}
	return &Zip{z}, nil
}

// inside is a path as the archive has it.
func inside(name string) string {
	if name = strings.TrimPrefix(absolute(name), "/"); name == "" {
		return "."
	}
	return name
}

// ReadFile gives a file's content, up to 64 MB. It returns an error if there is no such file, if it cannot be unpacked,
// or if it has more.
func (z *Zip) ReadFile(name string) (data []byte, err error) {
	f, err := z.r.Open(inside(name))
	if err != nil {
		return nil, err
	}
	defer func() {
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}()
	if data, err = io.ReadAll(io.LimitReader(f, maxZipped+1)); err == nil && len(data) > maxZipped {
		return nil, fmt.Errorf("%s: the file has more than %d bytes", name, maxZipped)
	}
	return data, err
}

// Stat says what a path is. The error wraps fs.ErrNotExist if there is nothing, or a link.
func (z *Zip) Stat(name string) (fs.FileInfo, error) {
	x, err := fs.Stat(z.r, inside(name))
	if err == nil && !x.Mode().IsRegular() && !x.IsDir() { // a link is no file here
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return x, err
}

// Lstat is Stat: links are no files here. The error is that of Stat.
func (z *Zip) Lstat(name string) (fs.FileInfo, error) { return z.Stat(name) }

// ReadDir lists a folder. It returns an error if there is no such folder.
func (z *Zip) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(z.r, inside(name)) }

// EvalSymlinks cleans a path that exists. The error wraps fs.ErrNotExist if it does not.
func (z *Zip) EvalSymlinks(name string) (string, error) {
	if _, err := z.Stat(name); err != nil {
		return "", err
	}
	if !strings.HasPrefix(filepath.ToSlash(name), "/") {
		return path.Clean(filepath.ToSlash(name)), nil
	}
	return absolute(name), nil
}

// Abs makes a path absolute. It returns no error.
func (z *Zip) Abs(name string) (string, error) { return absolute(name), nil }

// Getwd is the root. It returns no error.
func (z *Zip) Getwd() (string, error) { return "/", nil }

package reads

// This file keeps files in memory: for a browser, and for tests.

import (
	"io/fs"
	"path"
	"path/filepath"
	"sort"
	"strings"
)

// A Memory is a file system in memory, without links. Its paths have slashes,
// its root and working directory is "/". It does not change once it is made.
type Memory struct {
	files map[string]string   // by absolute path
	dirs  map[string][]string // the names in a folder, in order
}

// NewMemory makes a file system of texts by their paths; the folders are those
// that the paths need.
func NewMemory(files map[string]string) *Memory {
	m := &Memory{files: map[string]string{}, dirs: map[string][]string{"/": nil}}
	for name, text := range files {
		m.files[absolute(name)] = text
	}
	known := map[string]bool{}
	for name := range m.files {
		for name != "/" && !known[name] {
			known[name] = true
			dir := path.Dir(name)
			m.dirs[dir] = append(m.dirs[dir], path.Base(name))
			name = dir
		}
	}
	for _, names := range m.dirs {
		sort.Strings(names)
	}
	return m
}

// absolute is a path of a Memory: with slashes, from the root.
func absolute(name string) string { return path.Clean("/" + filepath.ToSlash(name)) }

// ReadFile gives a copy of a file's content. The error wraps fs.ErrNotExist if there is nothing, fs.ErrInvalid if it is
// a folder.
func (m *Memory) ReadFile(name string) ([]byte, error) {
	text, ok := m.files[absolute(name)]
	if !ok {
		return nil, m.missing("open", name)
	}
	return []byte(text), nil
}

// missing is the error for a path that is no file.
func (m *Memory) missing(op, name string) error {
	err := fs.ErrNotExist
	if _, dir := m.dirs[absolute(name)]; dir {
		err = fs.ErrInvalid
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// Stat says whether a path is a file or a folder. The error wraps fs.ErrNotExist if there is neither.
func (m *Memory) Stat(name string) (fs.FileInfo, error) {
	at := absolute(name)
	if text, ok := m.files[at]; ok {
		return info{path.Base(at), int64(len(text)), 0o444}, nil
	}
	if _, ok := m.dirs[at]; ok {
		return info{path.Base(at), 0, fs.ModeDir | 0o555}, nil
	}
	return nil, m.missing("stat", name)
}

// Lstat is Stat: there are no links. The error is that of Stat.
func (m *Memory) Lstat(name string) (fs.FileInfo, error) { return m.Stat(name) }

// ReadDir lists a folder. The error wraps fs.ErrNotExist if there is no such folder.
func (m *Memory) ReadDir(name string) ([]fs.DirEntry, error) {
	at := absolute(name)
	names, ok := m.dirs[at]
	if !ok {
		return nil, m.missing("open", name)
	}
	out := make([]fs.DirEntry, len(names))
	for i, n := range names {
		x, err := m.Stat(path.Join(at, n))
		if err != nil {
			return nil, err
		}
		out[i] = fs.FileInfoToDirEntry(x)
	}
	return out, nil
}

// EvalSymlinks cleans a path that exists. The error wraps fs.ErrNotExist if it does not.
func (m *Memory) EvalSymlinks(name string) (string, error) {
	if _, err := m.Stat(name); err != nil {
		return "", err
	}
	if !strings.HasPrefix(filepath.ToSlash(name), "/") { // as filepath.EvalSymlinks does
		return path.Clean(filepath.ToSlash(name)), nil
	}
	return absolute(name), nil
}

// Abs makes a path absolute. It returns no error.
func (m *Memory) Abs(name string) (string, error) { return absolute(name), nil }

// Getwd is the root. It returns no error.
func (m *Memory) Getwd() (string, error) { return "/", nil }

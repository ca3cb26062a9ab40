package reads

// This file asks a file system once.

import (
	"io/fs"
	"sync"
)

// A Once asks another file system once: what that answered it answers again, however the files change
// in the meantime. So the checks of a folder see one state of it, and look at each file once. What
// callers are given they must not change.
type Once struct {
	base  FS
	texts memo[[]byte]
	infos memo[fs.FileInfo]
	names memo[fs.FileInfo]
	dirs  memo[[]fs.DirEntry]
	links memo[string]
	abs   memo[string]
	wd    memo[string]

	mu   sync.Mutex
	left int // bytes of files that may still be kept
}

// maxKept bounds the bytes of files that a Once keeps; others are read again.
const maxKept = 64 << 20

// NewOnce gives a file system that asks base once.
func NewOnce(base FS) *Once { return &Once{base: base, left: maxKept} }

// A memo keeps what was answered for a path.
type memo[T any] struct{ known sync.Map }

type answer[T any] struct {
	v   T
	err error
}

func (m *memo[T]) get(path string, ask func(string) (T, error)) (T, error) {
	if a, ok := m.known.Load(path); ok {
		a := a.(answer[T])
		return a.v, a.err
	}
	v, err := ask(path)
	a, _ := m.known.LoadOrStore(path, answer[T]{v, err}) // two may ask at the same time: the first answer counts
	return a.(answer[T]).v, a.(answer[T]).err
}

// ReadFile reads a file. It is one file whether it is named from the working directory or from the root; an error
// names it as it was asked for.
func (o *Once) ReadFile(path string) ([]byte, error) {
	key := path
	if abs, err := o.Abs(path); err == nil {
		key = abs
	}
	for _, name := range [...]string{path, key} {
		if a, ok := o.texts.known.Load(name); ok {
			if a := a.(answer[[]byte]); a.err == nil || name == path {
				return a.v, a.err
			}
		}
	}
	data, err := o.base.ReadFile(path)
	if err != nil {
		key = path
	}
	o.mu.Lock()
	keep := len(data) <= o.left
	if keep {
		o.left -= len(data)
	}
	o.mu.Unlock()
	if !keep {
		return data, err
	}
	return o.texts.get(key, func(string) ([]byte, error) { return data, err })
}

// Open opens a file of which parts are read; these are read each time. The error is that of the other file system.
func (o *Once) Open(path string) (Part, int64, error) { return Open(o.base, path) }

// Stat says what a path is after links are followed. An error is kept like an answer: a file that is made later is not
// seen.
func (o *Once) Stat(path string) (fs.FileInfo, error) { return o.infos.get(path, o.base.Stat) }

// Lstat says what a path is where a link is one. An error is kept, as of Stat.
func (o *Once) Lstat(path string) (fs.FileInfo, error) { return o.names.get(path, o.base.Lstat) }

// ReadDir gives what is in a folder. An error is kept, as of Stat.
func (o *Once) ReadDir(path string) ([]fs.DirEntry, error) { return o.dirs.get(path, o.base.ReadDir) }

// EvalSymlinks gives the path without links. An error is kept, as of Stat.
func (o *Once) EvalSymlinks(path string) (string, error) {
	return o.links.get(path, o.base.EvalSymlinks)
}

// Abs gives the absolute path. An error is kept, as of Stat.
func (o *Once) Abs(path string) (string, error) { return o.abs.get(path, o.base.Abs) }

// Getwd is the working directory. An error is kept, as of Stat.
func (o *Once) Getwd() (string, error) {
	return o.wd.get("", func(string) (string, error) { return o.base.Getwd() })
}

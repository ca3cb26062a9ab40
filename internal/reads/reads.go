// Package reads says where files come from (FS: fs.go for the disk, overlay.go, memory.go,
// zip.go; info.go describes files that are on no disk; once.go asks another once), which of them
// a run may read (gate.go, secret.go; named.go for names in data), and keeps a log of what was
// looked at (reads.go): contents,
// what is no file, the names in a folder, where links lead. A result that a run
// gave is still right when every look gives the same again (Holds); a program
// that waits for changes waits for one that does not.
package reads

// This file holds the log.

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"shapecheck/internal/localfile"
)

// A Kind is what was asked of a path.
type Kind string

// The kinds.
const (
	Text  Kind = "text"  // its content: Got is a hash
	State Kind = "state" // what it is: Got is file, dir, other or none
	Names Kind = "names" // what a folder holds: Got is a hash
	Stamp Kind = "stamp" // its size and time, where parts of it are read
	Real  Kind = "real"  // where it is after links are followed: Got is a path
)

// A Read is a look at a path and what it gave; empty when it failed.
type Read struct {
	Kind Kind   `json:"kind"`
	Path string `json:"path"`
	Got  string `json:"got"`
}

// A Log is a file system that keeps each look at another one once. It is safe for
// concurrent use. A nil *Log keeps nothing and is no file system.
type Log struct {
	// FS is what is looked at; nil: the disk.
	FS FS

	mu   sync.Mutex
	list []Read
	met  map[Read]bool
}

func (l *Log) add(kind Kind, path, got string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	r := Read{kind, path, got}
	if l.met[r] {
		return
	}
	if l.met == nil {
		l.met = map[Read]bool{}
	}
	l.met[r] = true
	l.list = append(l.list, r)
}

// List gives the looks in their order. A path that changed in between is in it
// twice, and holds never.
func (l *Log) List() []Read {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.list)
}

// Add takes over the looks of another log.
func (l *Log) Add(list []Read) {
	for _, r := range list {
		l.add(r.Kind, r.Path, r.Got)
	}
}

// ReadFile reads a file. An error is recorded like a text, and returned as it is.
func (l *Log) ReadFile(path string) ([]byte, error) {
	data, err := Or(l.FS).ReadFile(path)
	l.add(Text, path, textOf(data, err))
	return data, err
}

// Open opens a file of which parts are read. Of one that is not read as a whole by the file
// system either, size and time stand for what it holds. An error is recorded, and returned as it is.
func (l *Log) Open(path string) (Part, int64, error) {
	if _, ok := Or(l.FS).(Opener); !ok {
		data, err := l.ReadFile(path)
		return whole{bytes.NewReader(data)}, int64(len(data)), err
	}
	f, size, err := Open(l.FS, path)
	l.add(Stamp, path, stampOf(Or(l.FS).Stat(path)))
	return f, size, err
}

// Look notes what is in a file that somebody else reads; an empty path is none.
func (l *Log) Look(path string) {
	if l != nil && path != "" {
		l.add(Text, path, look(Or(l.FS), path))
	}
}

// Stat says what a path is; neither time nor size is kept of it. An error is recorded, and returned as it is.
func (l *Log) Stat(path string) (fs.FileInfo, error) {
	info, err := Or(l.FS).Stat(path)
	l.add(State, path, stateOf(info, err))
	return info, err
}

// Lstat says what a path is where a link is one. Of a link the log has where it leads, as soon as somebody
// follows it. An error is recorded, and returned as it is.
func (l *Log) Lstat(path string) (fs.FileInfo, error) {
	info, err := Or(l.FS).Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		l.add(State, path, stateOf(info, err))
	}
	return info, err
}

// ReadDir lists a folder. An error is recorded, and returned as it is.
func (l *Log) ReadDir(path string) ([]fs.DirEntry, error) {
	list, err := Or(l.FS).ReadDir(path)
	l.add(Names, path, namesOf(list, err))
	return list, err
}

// EvalSymlinks follows links. An error is recorded, and returned as it is.
func (l *Log) EvalSymlinks(path string) (string, error) {
	real, err := Or(l.FS).EvalSymlinks(path)
	l.add(Real, path, realOf(real, err))
	return real, err
}

// Abs is that of the file system; it looks at no file. It fails if the working directory is not
// known.
func (l *Log) Abs(path string) (string, error) { return Or(l.FS).Abs(path) }

// Getwd is that of the file system; a record that depends on it has it in its key. The error is
// the file system's.
func (l *Log) Getwd() (string, error) { return Or(l.FS).Getwd() }

// look is what is in a file. Of one that is too large to be read, weights, its size
// and time stand for it.
func look(f FS, path string) string {
	data, err := f.ReadFile(path)
	if errors.Is(err, localfile.ErrTooLarge) {
		if s := stampOf(f.Stat(path)); s != "" {
			return s
		}
	}
	return textOf(data, err)
}

func stampOf(info fs.FileInfo, err error) string {
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d bytes of %s", info.Size(), info.ModTime().UTC().Format(time.RFC3339Nano))
}

func textOf(data []byte, err error) string {
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Sum is what a look at a text gives.
func Sum(data []byte) string { return textOf(data, nil) }

func stateOf(info fs.FileInfo, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "none"
	case err != nil:
		return ""
	case info.Mode().IsRegular():
		return "file"
	case info.IsDir():
		return "dir"
	}
	return "other"
}

func namesOf(list []fs.DirEntry, err error) string {
	if err != nil {
		return ""
	}
	var b strings.Builder
	for _, e := range list { // in order already
		b.WriteString(e.Name() + "\x00" + e.Type().String() + "\x00")
	}
	return textOf([]byte(b.String()), nil)
}

func realOf(real string, err error) string {
	if err != nil {
		return ""
	}
	return real
}

// Now is what the same look gives now; nil is the disk.
func (r Read) Now(f FS) string {
	f = Or(f)
	switch r.Kind {
	case Text:
		return look(f, r.Path)
	case Stamp:
		return stampOf(f.Stat(r.Path))
	case State:
		return stateOf(f.Stat(r.Path))
	case Names:
		return namesOf(f.ReadDir(r.Path))
	case Real:
		return realOf(f.EvalSymlinks(r.Path))
	}
	return "unknown kind"
}

// A Checker compares looks with what is there now, each path once.
type Checker struct {
	// FS is what is looked at; nil: the disk.
	FS FS
	// Contents is what files and folders are read from; nil: FS.
	Contents FS
	mu       sync.Mutex
	now      map[Read]string
}

// Holds reports whether every look gives now what it gave.
func (c *Checker) Holds(list []Read) bool {
	for _, r := range list {
		if c.get(r) != r.Got {
			return false
		}
	}
	return true
}

func (c *Checker) get(r Read) string {
	key := Read{Kind: r.Kind, Path: r.Path}
	c.mu.Lock()
	defer c.mu.Unlock()
	if got, ok := c.now[key]; ok {
		return got
	}
	if c.now == nil {
		c.now = map[Read]string{}
	}
	from := c.FS
	if c.Contents != nil && (r.Kind == Text || r.Kind == Names || r.Kind == Stamp) {
		from = c.Contents
	}
	got := r.Now(from)
	c.now[key] = got
	return got
}

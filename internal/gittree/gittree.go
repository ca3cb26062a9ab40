// Package gittree has the files of a commit as a reads.FS: what is tracked comes from git, what
// lies outside of the repository, and Python environments in it, from the disk. git.go starts git,
// and nothing that a repository configures.
package gittree

// This file holds the file system.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"sync"

	"shapecheck/internal/localfile"
	"shapecheck/internal/reads"
)

// maxFile bounds a file that is read, in bytes.
const maxFile = 64 << 20

// maxLinks bounds the links that a path may follow.
const maxLinks = 40

// A Tree is the tree of a commit. It is safe for concurrent use.
type Tree struct {
	// Commit is its full name.
	Commit string

	disk   reads.Disk
	tops   []string // the repository's folder, as the working directory spells it and without links
	files  map[string]object
	dirs   map[string][]string // the names in a folder, in order; "" is the root
	linked bool                // there are links
	reader *reader

	revision string
	partial  bool // the repository leaves out objects

	mu    sync.Mutex
	fault error
}

// Fault is why a file of the commit could not be read; nil: none was asked for in vain. What was made of the tree is of no
// use then: who reads it takes the file as missing.
func (t *Tree) Fault() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.fault
}

// remedy says what to do about objects that are missing.
func remedy(partial bool) string {
	if partial {
		return "this is a partial clone, from which objects were left out (--filter): `git fetch --refetch --no-filter` fetches them, or clone without --filter"
	}
	return "the repository is damaged: `git fsck` tells more"
}

// commitOf is the full name of a revision's commit.
func commitOf(ctx context.Context, dir, revision string) (string, error) {
	commit, err := ask(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		if _, inside := ask(ctx, dir, "rev-parse", "--git-dir"); inside != nil {
			return "", inside
		}
		if shallow, err := ask(ctx, dir, "rev-parse", "--is-shallow-repository"); err == nil && strings.TrimSpace(shallow) == "true" {
			return "", fmt.Errorf(
				"%s: no such revision in this shallow clone: `git fetch --unshallow` fetches all, or clone with the whole history", revision)
		}
		return "", fmt.Errorf("%s: no such revision", revision)
	}
	return strings.TrimSpace(commit), nil
}

// Fork is the last commit that two revisions share, git's OLD...NEW: a name that is long enough. It returns an error if
// one of them is no revision, if they share no commit, or if git fails.
func Fork(ctx context.Context, dir, old, now string) (string, error) {
	a, err := commitOf(ctx, dir, old)
	if err != nil {
		return "", err
	}
	b, err := commitOf(ctx, dir, now)
	if err != nil {
		return "", err
	}
	base, err := ask(ctx, dir, "merge-base", a, b)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		return "", fmt.Errorf("%s...%s: git knows no commit that both come from", old, now)
	}
	if err != nil {
		return "", err
	}
	short, err := ask(ctx, dir, "rev-parse", "--short", strings.TrimSpace(base))
	return strings.TrimSpace(short), err
}

// Open finds a revision of the repository around a folder. It is to be closed. It returns an error if there is no
// repository or no such revision, if objects of the commit are missing, or if the context ends.
func Open(ctx context.Context, dir, revision string) (*Tree, error) {
	commit, err := commitOf(ctx, dir, revision)
	if err != nil {
		return nil, err
	}
	t := &Tree{Commit: commit, revision: revision, partial: partial(ctx, dir), dirs: map[string][]string{"": nil}}
	if err := t.locate(ctx, dir); err != nil {
		return nil, err
	}
	if t.files, err = list(ctx, dir, t.Commit, !t.partial); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%s: the folders of the commit cannot be read (%w): %s", revision, err, remedy(t.partial))
	}
	known := map[string]bool{}
	for name, o := range t.files {
		t.linked = t.linked || o.mode == modeLink
		if o.mode == modeSubmodule { // an empty folder
			delete(t.files, name)
			t.dirs[name] = nil
		}
		for name != "" && !known[name] {
			known[name] = true
			dir, base := path.Split(name)
			dir = strings.TrimSuffix(dir, "/")
			t.dirs[dir] = append(t.dirs[dir], base)
			name = dir
		}
	}
	for _, names := range t.dirs {
		sort.Strings(names)
	}
	t.reader = &reader{start: func() *exec.Cmd { return command(ctx, dir, "cat-file", "--batch") }}
	return t, nil
}

// locate finds the repository's folder.
func (t *Tree) locate(ctx context.Context, dir string) error {
	prefix, err := ask(ctx, dir, "rev-parse", "--show-prefix")
	if err != nil {
		return err
	}
	abs, err := t.disk.Abs(dir)
	if err != nil {
		return err
	}
	for range strings.Count(prefix, "/") {
		abs = filepath.Dir(abs)
	}
	t.tops = []string{abs}
	real, err := t.disk.EvalSymlinks(abs)
	if err != nil {
		return err
	}
	if real != abs {
		t.tops = append(t.tops, real)
	}
	return nil
}

// Close ends the reading. It returns the error of git's process, unless a reading has reported it.
func (t *Tree) Close() error { return t.reader.close() }

// Files are the paths of the files, from the root of the repository.
func (t *Tree) Files() map[string]string {
	out := make(map[string]string, len(t.files))
	for name, o := range t.files {
		out[name] = o.id
	}
	return out
}

// Top is the repository's folder.
func (t *Tree) Top() string { return t.tops[0] }

// A place is where a path leads: into the tree, or to the disk.
type place struct {
	rel  string // in the tree
	disk string // not empty: the path on the disk
}

// find follows a path to its end, through links.
func (t *Tree) find(name string) (place, error) {
	for range maxLinks {
		abs, err := t.disk.Abs(name)
		if err != nil {
			return place{}, err
		}
		rel, ok := t.inside(abs)
		if !ok {
			return place{disk: name}, nil
		}
		if rel == "" {
			return place{}, nil
		}
		next, link, err := t.follow(rel)
		if err != nil {
			return place{}, err
		}
		if !link {
			if !t.has(rel) && t.environment(rel) {
				return place{disk: name}, nil
			}
			return place{rel: rel}, nil
		}
		name = next
	}
	return place{}, errors.New("too many links")
}

// inside is an absolute path from the root of the repository.
func (t *Tree) inside(abs string) (string, bool) {
	for _, top := range t.tops {
		rel, err := filepath.Rel(top, abs)
		if err == nil && filepath.IsLocal(rel) {
			if rel = filepath.ToSlash(rel); rel == "." {
				rel = ""
			}
			return rel, true
		}
	}
	return "", false
}

// follow resolves the first link on a path.
func (t *Tree) follow(rel string) (next string, link bool, err error) {
	if !t.linked {
		return "", false, nil
	}
	for i := 0; i <= len(rel); i++ {
		if i < len(rel) && rel[i] != '/' {
			continue
		}
		if o, ok := t.files[rel[:i]]; ok && o.mode == modeLink {
			target, err := t.content(rel[:i], o)
			if err != nil {
				return "", false, err
			}
			to := filepath.FromSlash(string(target))
			if !filepath.IsAbs(to) {
				to = filepath.Join(t.tops[0], filepath.FromSlash(path.Dir(rel[:i])), to)
			}
			return filepath.Join(to, filepath.FromSlash(strings.TrimPrefix(rel[i:], "/"))), true, nil
		}
	}
	return "", false, nil
}

func (t *Tree) has(rel string) bool {
	_, file := t.files[rel]
	_, dir := t.dirs[rel]
	return file || dir
}

// environment reports whether a path that is not tracked lies in a Python environment.
func (t *Tree) environment(rel string) bool {
	for i := 0; i <= len(rel); i++ {
		if i < len(rel) && rel[i] != '/' || t.has(rel[:i]) {
			continue
		}
		folder := filepath.Join(t.tops[0], filepath.FromSlash(rel[:i]))
		for _, mark := range []string{"pyvenv.cfg", "conda-meta"} {
			if _, err := t.disk.Stat(filepath.Join(folder, mark)); err == nil {
				return true
			}
		}
	}
	return false
}

func (t *Tree) content(name string, o object) ([]byte, error) {
	if o.size > maxFile {
		return nil, localfile.TooLarge(name, o.size, maxFile)
	}
	data, err := t.reader.read(o)
	if err != nil {
		err = fmt.Errorf("%s: git has no content of %s (%w): %s", t.revision, name, err, remedy(t.partial))
		t.mu.Lock()
		if t.fault == nil {
			t.fault = err
		}
		t.mu.Unlock()
	}
	return data, err
}

// ReadFile reads a file of the commit. It returns an *fs.PathError if the commit has no such file or links lead in a
// circle, an error if git has no content of it, which Fault keeps, and one that wraps localfile.ErrTooLarge above
// maxFile.
func (t *Tree) ReadFile(name string) ([]byte, error) {
	p, err := t.find(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	if p.disk != "" {
		return t.disk.ReadFile(p.disk)
	}
	o, ok := t.files[p.rel]
	if !ok {
		return nil, t.missing("open", name, p.rel)
	}
	return t.content(name, o)
}

func (t *Tree) missing(op, name, rel string) error {
	err := fs.ErrNotExist
	if _, dir := t.dirs[rel]; dir {
		err = fs.ErrInvalid
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// Stat says what a path is after links are followed. The error is an *fs.PathError: the commit has nothing there, or
// links lead in a circle.
func (t *Tree) Stat(name string) (fs.FileInfo, error) {
	p, err := t.find(name)
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	if p.disk != "" {
		return t.disk.Stat(p.disk)
	}
	if o, ok := t.files[p.rel]; ok {
		return reads.FileInfo(path.Base(p.rel), max(o.size, 0), 0o444), nil
	}
	if _, ok := t.dirs[p.rel]; ok {
		return reads.FileInfo(path.Base(p.rel), 0, fs.ModeDir|0o555), nil
	}
	return nil, t.missing("stat", name, p.rel)
}

// Lstat says what a path is where a link is one. The error is an *fs.PathError: the commit has nothing there.
func (t *Tree) Lstat(name string) (fs.FileInfo, error) {
	if p, err := t.find(filepath.Dir(name)); err == nil && p.disk != "" {
		return t.disk.Lstat(filepath.Join(p.disk, filepath.Base(name)))
	} else if err == nil {
		if o, ok := t.files[path.Join(p.rel, filepath.Base(name))]; ok && o.mode == modeLink {
			return reads.FileInfo(filepath.Base(name), o.size, fs.ModeSymlink|0o777), nil
		}
	}
	if p, err := t.find(name); err == nil && p.disk != "" { // an environment that is not tracked
		return t.disk.Lstat(p.disk)
	}
	return t.Stat(name)
}

// ReadDir lists a folder of the commit. A link is listed as one. The error is an *fs.PathError: the commit has no
// such folder, or links lead in a circle.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	p, err := t.find(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	if p.disk != "" {
		return t.disk.ReadDir(p.disk)
	}
	names, ok := t.dirs[p.rel]
	if !ok {
		return nil, t.missing("open", name, p.rel)
	}
	out := make([]fs.DirEntry, len(names))
	for i, n := range names {
		full := strings.TrimPrefix(p.rel+"/"+n, "/")
		x := reads.FileInfo(n, 0, fs.ModeDir|0o555)
		if o, ok := t.files[full]; ok {
			mode := fs.FileMode(0o444)
			if o.mode == modeLink {
				mode = fs.ModeSymlink | 0o777
			}
			x = reads.FileInfo(n, max(o.size, 0), mode)
		}
		out[i] = fs.FileInfoToDirEntry(x)
	}
	return out, nil
}

// EvalSymlinks gives the path without links; it must exist. Else the error is an *fs.PathError, as also where links
// lead in a circle.
func (t *Tree) EvalSymlinks(name string) (string, error) {
	p, err := t.find(name)
	if err != nil {
		return "", &fs.PathError{Op: "lstat", Path: name, Err: err}
	}
	if p.disk != "" {
		return t.disk.EvalSymlinks(p.disk)
	}
	if !t.has(p.rel) {
		return "", t.missing("lstat", name, p.rel)
	}
	if !filepath.IsAbs(name) { // as filepath.EvalSymlinks does
		if abs, err := t.disk.Abs(name); err == nil {
			if rel, ok := t.inside(abs); ok && rel == p.rel {
				return filepath.Clean(name), nil
			}
		}
	}
	return filepath.Join(t.tops[len(t.tops)-1], filepath.FromSlash(p.rel)), nil
}

// Abs and Getwd are the disk's. Their errors are those of package os.
func (t *Tree) Abs(name string) (string, error) { return t.disk.Abs(name) }

// Getwd is the working directory. The error is that of package os.
func (t *Tree) Getwd() (string, error) { return t.disk.Getwd() }

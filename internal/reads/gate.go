package reads

// This file says which files a run may read. What is checked may be a stranger's: it names
// files in calls, in imports, in links and in data, and none of them may lead out of the folders
// that the user has given.
//
// The file system refuses paths by itself, since a function that readers have to call is one that some of them forget.
// os.Root is not used: it refuses an absolute link inside of its own root, and knows neither archives nor commits nor
// an editor's buffers.

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
)

// ErrOutside is what the error of a path wraps that leads out of the roots of a Gate. Whether anything
// is there is not known then.
var ErrOutside = errors.New("outside of the checked folders")

// A Reach says which files below a root may be read.
type Reach uint8

// The reaches.
const (
	// Everything below the root, but what secret.go lists.
	Everything Reach = iota + 1
	// Sources are the Python files and the names in folders.
	Sources
)

// A Root is a folder, or a file, that may be read with what is below it.
type Root struct {
	Path  string
	Reach Reach
}

// A Gate is a file system that reads from another one what lies below its roots, after links are
// followed, and nothing else: other paths give ErrOutside, and are not looked at. It asks the
// other file system for paths without links. What it found out about a path it keeps.
type Gate struct {
	fs FS
	wd string // absolute; empty where it is not known

	mu    sync.Mutex
	roots []Root
	seeds map[string]*place // the roots as they are named and without links
	known map[string]*place // by absolute path
}

// A place is what a Gate knows of a path.
type place struct {
	real  string // the path without links; where nothing is there, what it would be
	reach Reach  // 0: it may not be read
	info  fs.FileInfo
	err   error // why there is no info
}

// NewGate gives the part of a file system that lies below roots. Roots that do not exist count
// for nothing.
func NewGate(fsys FS, roots ...Root) *Gate {
	g := &Gate{fs: Or(fsys), seeds: map[string]*place{}, known: map[string]*place{}}
	if wd, err := g.fs.Getwd(); err == nil {
		g.wd = wd
	}
	g.Add(roots...)
	return g
}

// Over is the same gate before another file system.
func (g *Gate) Over(fsys FS) *Gate {
	return NewGate(fsys, g.Roots()...)
}

// Roots gives the roots in the order in which they were added.
func (g *Gate) Roots() []Root {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.roots
}

// Ungated is the file system behind the gate, for who looks for a project and its environment, where no
// program decides what is looked at.
func (g *Gate) Ungated() FS { return g.fs }

// Add adds roots.
func (g *Gate) Add(roots ...Root) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, r := range roots {
		abs, err := g.fs.Abs(r.Path)
		if err != nil || strings.ContainsRune(abs, 0) {
			continue
		}
		if p := g.find(abs); p.info != nil && p.reach != 0 && p.reach <= r.Reach {
			continue // it lies below a root that reaches as far
		}
		real, err := g.fs.EvalSymlinks(abs)
		if err != nil {
			continue
		}
		info, err := g.fs.Stat(real)
		p := &place{real: real, reach: r.Reach, info: info, err: err}
		if old := g.seeds[real]; old != nil && old.reach < p.reach {
			p.reach = old.reach
		}
		g.seeds[abs], g.seeds[real] = p, p
		g.roots = append(g.roots[:len(g.roots):len(g.roots)], r)
		clear(g.known)
	}
}

// at finds out about a path. What is at it is not looked at unless it is below a root by its name.
func (g *Gate) at(path string) *place {
	if strings.ContainsRune(path, 0) {
		return &place{err: fs.ErrInvalid}
	}
	upwards := strings.Contains(path, "..")
	if !filepath.IsAbs(path) {
		if g.wd == "" {
			return &place{err: ErrOutside}
		}
		path = g.wd + string(filepath.Separator) + path
	}
	clean := filepath.Clean(path)
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.find(clean)
	if upwards && p.reach != 0 { // the folder above a link is that of what it leads to
		switch real, err := g.fs.EvalSymlinks(path); {
		case err != nil:
			return &place{real: p.real, reach: p.reach, err: err}
		case real != p.real:
			return g.find(real)
		}
	}
	return p
}

// find is at for an absolute path without dots.
func (g *Gate) find(path string) *place {
	if p := g.met(path); p != nil {
		return p
	}
	at, p := path, (*place)(nil)
	if parent := filepath.Dir(path); parent != path { // most often another name in a folder that is known
		at, p = parent, g.met(parent)
	}
	if p == nil {
		at = ""
		for seed := range g.seeds {
			if len(seed) > len(at) && liesIn(path, seed) {
				at, p = seed, g.seeds[seed]
			}
		}
	}
	if p == nil {
		p = &place{err: ErrOutside}
		g.known[path] = p
		return p
	}
	for len(at) < len(path) && p.info != nil {
		from := len(at)
		if at[from-1] != filepath.Separator {
			from++
		}
		end := len(path)
		if i := strings.IndexByte(path[from:], filepath.Separator); i >= 0 {
			end = from + i
		}
		next := g.met(path[:end])
		if next == nil {
			next = g.in(p, path[from:end])
			g.known[path[:end]] = next
		}
		at, p = path[:end], next
	}
	if len(at) < len(path) && p.reach != 0 { // nothing is there
		for name := range strings.SplitSeq(path[len(at):], string(filepath.Separator)) {
			if isSecret("", name) || isSettings(name) {
				return &place{err: ErrOutside}
			}
		}
	}
	return p
}

// met is what is known of a path.
func (g *Gate) met(path string) *place {
	if p := g.seeds[path]; p != nil {
		return p
	}
	return g.known[path]
}

// liesIn reports whether an absolute path lies in a folder.
func liesIn(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && rest != "" && (rest[0] == filepath.Separator || folder[len(folder)-1] == filepath.Separator)
}

// in is what has a name in a folder that is there.
func (g *Gate) in(dir *place, name string) *place {
	if dir.reach == 0 {
		return dir
	}
	if isSecret(filepath.Base(dir.real), name) {
		return &place{err: ErrOutside}
	}
	p := &place{real: filepath.Join(dir.real, name), reach: dir.reach}
	if s := g.seeds[p.real]; s != nil {
		return s
	}
	p.info, p.err = g.fs.Lstat(p.real)
	if isDir := p.err == nil && p.info.IsDir(); !isDir && isSettings(name) {
		return &place{err: ErrOutside}
	}
	_, nested := g.fs.(*Gate) // which tells no links
	if p.err != nil || !nested && (p.info.IsDir() || p.info.Mode().IsRegular()) {
		return p
	}
	// A link, or what a system has in place of one. Of one that leads nowhere it is not said that it does.
	real, err := g.fs.EvalSymlinks(p.real)
	if err != nil {
		return &place{err: ErrOutside}
	}
	if real != p.real {
		return g.find(real)
	}
	p.info, p.err = g.fs.Stat(real)
	return p
}

// Allow reports whether a path may be read, which need not exist: of one that does not the part that does counts.
// The error wraps ErrOutside.
func (g *Gate) Allow(path string) error {
	if p := g.at(path); p.reach == 0 {
		return &fs.PathError{Op: "open", Path: path, Err: p.err}
	}
	return nil
}

// look finds out about a path that is there and may be read.
func (g *Gate) look(op, path string) (*place, error) {
	p := g.at(path)
	err := p.err
	if p.reach == Sources && !IsSource(p.real) && (err != nil || !p.info.IsDir()) {
		err = ErrOutside
	}
	if err != nil {
		return nil, &fs.PathError{Op: op, Path: path, Err: reason(err)}
	}
	return p, nil
}

// file gives the path under which something is read.
func (g *Gate) file(path string) (string, error) {
	p, err := g.look("open", path)
	if err != nil {
		return "", err
	}
	return g.named(path, p.real), nil
}

// named is the path as it was given, where a text is laid over it or it has no links: then errors and
// logs have it as it was given.
func (g *Gate) named(path, real string) string {
	if path == real || filepath.Join(g.wd, path) == real {
		return path
	}
	if _, over := TextOf(g.fs, path); over {
		return path
	}
	return real
}

// reason is an error without the operation and the path, which another one has.
func reason(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// IsSource reports whether a file has the name of Python code or of a notebook.
func IsSource(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".py", ".pyi", ".ipynb":
		return true
	}
	return false
}

// ReadFile reads a file. The error wraps ErrOutside if the path leads out of the roots.
func (g *Gate) ReadFile(path string) ([]byte, error) {
	name, err := g.file(path)
	if err != nil {
		return nil, err
	}
	return g.fs.ReadFile(name)
}

// Open opens a file of which parts are read. The error wraps ErrOutside if the path leads out of the roots.
func (g *Gate) Open(path string) (Part, int64, error) {
	name, err := g.file(path)
	if err != nil {
		return nil, 0, err
	}
	return Open(g.fs, name)
}

// Stat says what a path is after links are followed. The error wraps ErrOutside if the path leads out of the roots.
func (g *Gate) Stat(path string) (fs.FileInfo, error) {
	p, err := g.look("stat", path)
	if err != nil {
		return nil, err
	}
	return p.info, nil
}

// Lstat is Stat: links are followed, or lead out of the roots. The error is that of Stat.
func (g *Gate) Lstat(path string) (fs.FileInfo, error) { return g.Stat(path) }

// ReadDir gives what is in a folder. The error wraps ErrOutside if the path leads out of the roots.
func (g *Gate) ReadDir(path string) ([]fs.DirEntry, error) {
	name, err := g.file(path)
	if err != nil {
		return nil, err
	}
	return g.fs.ReadDir(name)
}

// EvalSymlinks gives the path without links, from the root. The error wraps ErrOutside if the path leads out of the
// roots.
func (g *Gate) EvalSymlinks(path string) (string, error) {
	p, err := g.look("lstat", path)
	if err != nil {
		return "", err
	}
	return p.real, nil
}

// Abs is that of the file system; it looks at no file. It fails only where that does.
func (g *Gate) Abs(path string) (string, error) { return g.fs.Abs(path) }

// Getwd is that of the file system. It fails only where that does.
func (g *Gate) Getwd() (string, error) { return g.fs.Getwd() }

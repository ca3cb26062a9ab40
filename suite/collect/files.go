// Package collect finds the test files of a project as pytest does, and reads what selects tests. It runs nothing.
//
//	config.go  the root folder and its configuration
//	files.go   the files, their modules and the conftest.py files around them
//	expr.go    the expressions of -k and -m
package collect

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/internal/reads"
)

// A File is a test file.
type File struct {
	// Path is absolute; ID is the node id: the path from the root folder, with slashes.
	Path, ID string
	Module   Module
	// Conftests are those of the folders around it, the widest first.
	Conftests []Conftest
	// Only are the node ids that were asked for; nil: all tests of the file.
	Only []string
}

// A Conftest is a conftest.py.
type Conftest struct {
	Path string
	// Base is the folder's node id; empty for the root.
	Base   string
	Module Module
}

// A Module is how Python imports a file.
type Module struct {
	Name string
	// Root is the folder that is put in front of sys.path; empty: none is.
	Root string
	// Packages are the packages around the module, the widest first, by name.
	Packages []string
	// IsPackage says that the file is the __init__.py of a package.
	IsPackage bool
}

// Files finds the files that the arguments name, in pytest's order; without arguments those of testpaths, else of the working directory.
// Ignored asks the conftest.py files of a folder for paths that they exclude; it may be nil.
func (c *Config) Files(fsys reads.FS, dir string, args []string) ([]*File, error) {
	w := &walker{c: c, fs: fsys, dir: dir, seen: map[string]*File{}}
	if len(args) == 0 {
		for _, p := range c.TestPaths {
			base := c.Root
			found := []string{filepath.Join(base, p)}
			if strings.ContainsAny(p, "*?[") {
				found = w.glob(base, strings.Split(filepath.ToSlash(p), "/"))
			}
			for _, f := range found {
				if _, err := fsys.Stat(f); err == nil && (dir == c.Root) {
					args = append(args, f)
				}
			}
		}
		if len(args) == 0 {
			args = []string{dir}
		}
	}
	for _, a := range args {
		path, node, _ := strings.Cut(a, "::")
		if i := strings.IndexByte(path, '['); i >= 0 && node == "" {
			if _, err := fsys.Stat(w.absolute(path)); err != nil {
				path = path[:i]
			}
		}
		abs := w.absolute(path)
		info, err := fsys.Stat(abs)
		if err != nil {
			return nil, fmt.Errorf("%s: no such file or folder", path)
		}
		if info.IsDir() {
			w.folder(abs, true)
			continue
		}
		if f := w.add(abs); f != nil {
			switch {
			case node == "":
				f.Only, f.whole = nil, true
			case !f.whole:
				f.Only = append(f.Only, f.ID+"::"+node)
			}
		}
	}
	out := make([]*File, len(w.files))
	for i, f := range w.files {
		out[i] = &f.File
	}
	return out, nil
}

type walkedFile struct {
	File
	whole bool
}

type walker struct {
	c     *Config
	fs    reads.FS
	dir   string
	files []*walkedFile
	seen  map[string]*File
	byAbs map[string]*walkedFile
}

func (w *walker) absolute(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(w.dir, path)
	}
	return filepath.Clean(path)
}

// glob expands a pattern of folders.
func (w *walker) glob(base string, parts []string) []string {
	if len(parts) == 0 {
		return []string{base}
	}
	if !strings.ContainsAny(parts[0], "*?[") {
		return w.glob(filepath.Join(base, parts[0]), parts[1:])
	}
	entries, err := w.fs.ReadDir(base)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if ok, _ := filepath.Match(parts[0], e.Name()); ok && (len(parts) == 1 || e.IsDir()) {
			out = append(out, w.glob(filepath.Join(base, e.Name()), parts[1:])...)
		}
	}
	return out
}

// add adds a file; nil where it is no Python file.
func (w *walker) add(path string) *walkedFile {
	if w.byAbs == nil {
		w.byAbs = map[string]*walkedFile{}
	}
	if f := w.byAbs[path]; f != nil {
		return f
	}
	if !strings.HasSuffix(path, ".py") {
		return nil
	}
	f := &walkedFile{File: File{Path: path, ID: w.c.ID(path), Module: w.c.module(w.fs, path)}}
	f.Conftests = w.c.conftests(w.fs, filepath.Dir(path))
	w.byAbs[path] = f
	w.files = append(w.files, f)
	return f
}

// ID is the node id of a path.
func (c *Config) ID(path string) string {
	rel, err := filepath.Rel(c.Root, path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	if rel == "." {
		return ""
	}
	return filepath.ToSlash(rel)
}

// maxDepth bounds how deep folders with tests are nested.
const maxDepth = 64

// folder adds the test files of a folder, files and folders by their names.
func (w *walker) folder(dir string, named bool) {
	if !named && w.skips(dir) || strings.Count(dir, string(filepath.Separator)) > maxDepth {
		return
	}
	entries, err := w.fs.ReadDir(dir)
	if err != nil {
		return
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int {
		first := func(e fs.DirEntry) int {
			if e.Name() == "__init__.py" {
				return 0
			}
			return 1
		}
		if d := first(a) - first(b); d != 0 {
			return d
		}
		return strings.Compare(a.Name(), b.Name())
	})
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		isDir := e.IsDir()
		regular := e.Type().IsRegular()
		if !isDir && !regular { // a link
			info, err := w.fs.Stat(path)
			if err != nil {
				continue
			}
			isDir, regular = info.IsDir(), info.Mode().IsRegular()
		}
		switch {
		case w.ignored(path):
		case isDir:
			if e.Name() != "__pycache__" {
				w.folder(path, false)
			}
		case regular && strings.HasSuffix(e.Name(), ".py") && w.isTestFile(path):
			if f := w.add(path); f.Only != nil {
				f.Only, f.whole = nil, true
			}
		}
	}
}

// skips reports whether a folder is not looked into.
func (w *walker) skips(dir string) bool {
	if _, err := w.fs.Stat(filepath.Join(dir, "pyvenv.cfg")); err == nil {
		return true
	}
	if _, err := w.fs.Stat(filepath.Join(dir, "conda-meta", "history")); err == nil {
		return true
	}
	return slices.ContainsFunc(w.c.NoRecurse, func(p string) bool { return matchesPath(p, dir) })
}

// ignored reports whether --ignore or --ignore-glob exclude a path.
func (w *walker) ignored(path string) bool {
	for _, p := range w.c.Ignore {
		if w.absolute(p) == path {
			return true
		}
	}
	return slices.ContainsFunc(w.c.IgnoreGlob, func(p string) bool { return fnmatch(w.absolute(p), path) })
}

func (w *walker) isTestFile(path string) bool {
	patterns := w.c.PythonFiles
	if filepath.Base(path) == "__init__.py" {
		return slices.ContainsFunc(patterns, func(p string) bool { return matchesPath(p, path) })
	}
	return slices.ContainsFunc(patterns, func(p string) bool { return matchesPath(p, path) })
}

// matchesPath matches a pattern with the name of a path, or, where the pattern has a slash, with the end of the path.
func matchesPath(pattern, path string) bool {
	pattern, path = filepath.ToSlash(pattern), filepath.ToSlash(path)
	if !strings.Contains(pattern, "/") {
		return fnmatch(pattern, path[strings.LastIndexByte(path, '/')+1:])
	}
	if !strings.HasPrefix(pattern, "/") {
		pattern = "*/" + pattern
	}
	return fnmatch(pattern, path)
}

// fnmatch matches a shell pattern in which * matches slashes, too.
func fnmatch(pattern, name string) bool {
	p, s := []rune(pattern), []rune(name)
	star, mark := -1, 0
	i, j := 0, 0
	for j < len(s) {
		if i < len(p) {
			if p[i] == '*' {
				star, mark = i, j
				i++
				continue
			}
			if n, ok := matchOne(p[i:], s[j]); ok {
				i, j = i+n, j+1
				continue
			}
		}
		if star < 0 {
			return false
		}
		mark++
		i, j = star+1, mark
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}

// matchOne matches one character with the beginning of a pattern, of which it takes n characters.
func matchOne(p []rune, r rune) (n int, ok bool) {
	switch p[0] {
	case '?':
		return 1, true
	case '[':
		end := slices.Index(p[1:], ']')
		if end < 1 {
			return 1, r == '['
		}
		set := p[1 : end+1]
		not := set[0] == '!'
		if not {
			set = set[1:]
		}
		found := false
		for k := 0; k < len(set); k++ {
			if k+2 < len(set) && set[k+1] == '-' {
				found = found || set[k] <= r && r <= set[k+2]
				k += 2
			} else {
				found = found || set[k] == r
			}
		}
		return end + 2, found != not
	}
	return 1, p[0] == r
}

// module says how Python imports a file.
func (c *Config) module(fsys reads.FS, path string) Module {
	dir, name := filepath.Dir(path), strings.TrimSuffix(filepath.Base(path), ".py")
	m := Module{IsPackage: name == "__init__"}
	var parts []string
	root := dir
	for isIdentifier(filepath.Base(root)) && exists(fsys, filepath.Join(root, "__init__.py")) && root != filepath.Dir(root) {
		parts = append([]string{filepath.Base(root)}, parts...)
		root = filepath.Dir(root)
	}
	if c.ImportMode == "importlib" {
		if rel, err := filepath.Rel(c.Root, path); err == nil && filepath.IsLocal(rel) && len(parts) == 0 {
			m.Name = strings.ReplaceAll(strings.TrimSuffix(filepath.ToSlash(rel), ".py"), "/", ".")
			return m
		}
	}
	m.Root = root
	for i := range parts {
		m.Packages = append(m.Packages, strings.Join(parts[:i+1], "."))
	}
	if m.IsPackage && len(parts) > 0 {
		m.Name = strings.Join(parts, ".")
		m.Packages = m.Packages[:len(parts)-1]
	} else {
		m.Name = strings.Join(append(parts, name), ".")
	}
	if c.ImportMode == "importlib" {
		m.Root = ""
	}
	return m
}

func isIdentifier(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r < 128 && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// conftests are the conftest.py files from the root folder to a folder.
func (c *Config) conftests(fsys reads.FS, dir string) []Conftest {
	var out []Conftest
	for d := dir; ; d = filepath.Dir(d) {
		if path := filepath.Join(d, "conftest.py"); exists(fsys, path) {
			out = append([]Conftest{{Path: path, Base: c.ID(d), Module: c.module(fsys, path)}}, out...)
		}
		if d == c.Root || d == filepath.Dir(d) {
			break
		}
	}
	return out
}

// Selected reports whether the arguments ask for a test of the file.
func (f *File) Selected(id string) bool {
	if f.Only == nil {
		return true
	}
	return slices.ContainsFunc(f.Only, func(o string) bool {
		rest, ok := strings.CutPrefix(id, o)
		return ok && (rest == "" || strings.HasPrefix(rest, "::") || rest[0] == '[' && !strings.HasSuffix(o, "]"))
	})
}

// Matches reports whether a path matches a shell pattern in which * matches slashes, too.
func Matches(pattern, path string) bool {
	return fnmatch(filepath.ToSlash(pattern), filepath.ToSlash(path))
}

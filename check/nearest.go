package check

// This file finds the configuration that rules a file, where several projects lie below one folder.

import (
	"cmp"
	"path/filepath"
	"sync"

	"shapecheck/internal/source"
	"shapecheck/project/config"
	"shapecheck/project/suppress"
)

// A folder is a project: a session, its configured entries by the absolute path of their file, and its filter.
type folder struct {
	session    *Session
	configured map[string][]*Target
	filter     *suppress.Filter
	merger     *merger // nil until a part needs it
}

// folders are the projects of a run, each made for its first file. They are safe for concurrent use, but for their mergers, which
// are of one goroutine.
type folders struct {
	first   *folder   // that of the run
	root    string    // no configuration is looked for above it
	mergers []*merger // of projects with a part, that of the run first, the others in the order of their first parts

	mu    sync.Mutex
	byDir map[string]*folder // by absolute path
	fault map[string]error   // of the configuration that rules a folder
}

func newFolders(s *Session, fs *source.FileSet) (*folders, error) {
	first, err := newFolder(s)
	if err != nil {
		return nil, err
	}
	first.merger = newMerger(fs, first.filter)
	return &folders{first: first, root: s.abs(cmp.Or(s.base(), ".")), mergers: []*merger{first.merger}, byDir: map[string]*folder{},
		fault: map[string]error{}}, nil
}

func newFolder(s *Session) (*folder, error) {
	filter, err := s.filter()
	if err != nil {
		return nil, err
	}
	configured, err := s.configured()
	if err != nil {
		return nil, err
	}
	return &folder{session: s, configured: configured, filter: filter}, nil
}

// of is the project of a file: that of the nearest configuration in its folder and those above it, up to that of the run. An error
// is one of that configuration.
func (x *folders) of(file string) (*folder, error) {
	if x.first.session.Nearest == nil {
		return x.first, nil
	}
	dir := filepath.Dir(x.first.session.abs(file))
	if rel, err := filepath.Rel(x.root, dir); err != nil || !filepath.IsLocal(rel) {
		return x.first, nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.ofDir(dir)
}

func (x *folders) ofDir(dir string) (*folder, error) {
	if dir == x.root {
		return x.first, nil
	}
	if f := x.byDir[dir]; f != nil || x.fault[dir] != nil {
		return f, x.fault[dir]
	}
	f, err := x.in(dir)
	if f == nil && err == nil {
		f, err = x.ofDir(filepath.Dir(dir))
	}
	x.byDir[dir], x.fault[dir] = f, err
	return f, err
}

// in is the project whose configuration lies in dir itself; nil: there is none.
func (x *folders) in(dir string) (*folder, error) {
	first := x.first.session
	name, err := config.In(first.FS, dir)
	if name == "" || err != nil {
		return nil, err
	}
	c, err := config.Read(first.FS, name)
	if c == nil || err != nil {
		return nil, err
	}
	s, err := first.Nearest(c)
	if err != nil {
		return nil, err
	}
	one := *s
	one.FS, one.Cache, one.Modules, one.Stage, one.Kept, one.Keep = first.FS, first.Cache, first.Modules, first.Stage, first.Kept, first.Keep
	one.Limits.ProcessMemory, one.Jobs, one.Nearest = first.Limits.ProcessMemory, first.Jobs, nil
	one.Base = cmp.Or(first.base(), ".")
	f, err := newFolder(&one)
	if err != nil {
		return nil, err
	}
	if below, err := filepath.Rel(x.root, dir); err == nil {
		filter := *f.filter
		filter.Folder = filepath.ToSlash(below)
		if filter.Baseline != x.first.filter.Baseline {
			filter.Baseline = filter.Baseline.In(filter.Folder)
		}
		f.filter, one.Filter = &filter, &filter
	}
	return f, nil
}

// mergerOf is what filters and merges the findings of a project's files, which knows those of all.
func (x *folders) mergerOf(f *folder) *merger {
	if f.merger == nil {
		f.merger = x.first.merger.sibling(f.filter)
		x.mergers = append(x.mergers, f.merger)
	}
	return f.merger
}

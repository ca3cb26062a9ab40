package infer

// This file keeps parsed files between runs.

import (
	"maps"
	"sync"
	"sync/atomic"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/internal/timing"
	"shapecheck/parser/ast"
)

// A Cache holds parsed files for the runs of one process. An entry depends on
// the file's name and text alone. It is safe for concurrent use.
type Cache struct {
	files  *source.FileSet
	mu     sync.Mutex
	units  map[unitKey]*unit
	places map[string]*unit // the units that were made or offered last, by their places
	// jobs are the files that a worker parses (ahead.go); queue those that it has
	// not begun.
	jobs    map[string]*job
	queue   []*job
	working bool
	runs    atomic.Int32 // that are under way
	idle    idle         // interpreters between two files
	pieces  sync.Map     // of files, by *source.File; see ran.go
}

// A unitKey is a file and what a run calls it, which depends on the folder of the run's entry: its tree has the positions
// of the file of that name.
type unitKey struct{ place, name, shown string }

func keyOf(file *source.File) unitKey { return unitKey{file.Place(), file.Name, file.Shown} }

// NewCache returns an empty cache.
func NewCache() *Cache {
	return &Cache{files: source.NewFileSet(), units: map[unitKey]*unit{}, places: map[string]*unit{}, jobs: map[string]*job{}}
}

// Files holds the files of all runs that share the cache.
func (c *Cache) Files() *source.FileSet { return c.files }

// unit parses and resolves a file, or returns what an earlier run made of the
// same text. It may leave out functions when the whole is not wanted. time measures the parsing.
func (c *Cache) unit(file *source.File, whole bool, time *timing.Track) (*unit, error) {
	c.mu.Lock()
	u := c.units[keyOf(file)]
	c.mu.Unlock()
	if u != nil && (u.outline == nil || !whole) && sameFile(u.file, file) {
		return u, nil
	}
	defer time.Begin(timing.Phase, timing.Parsing).End()
	if u = c.take(file, whole); u == nil {
		if !file.Base().IsValid() { // an outline of it may have been made before
			if err := c.files.Add(file); err != nil {
				return nil, err
			}
		}
		u = parseUnit(file, whole)
	}
	c.mu.Lock()
	c.units[keyOf(file)], c.places[file.Place()] = u, u
	c.mu.Unlock()
	return u, nil
}

// text is the text of a file that was parsed before with these bytes.
func (c *Cache) text(path string, data []byte) (string, bool) {
	c.mu.Lock()
	u := c.places[path]
	c.mu.Unlock()
	if u != nil && u.file.Text() == string(data) {
		return u.file.Text(), true
	}
	return "", false
}

// A Parsed is what was made of a file's text, for who reads it before it runs.
type Parsed struct{ unit *unit }

// Parse parses a file, or gives what was made of it before. The cache keeps the tree only when it is
// offered: most files of a folder are never run. An error says that the file is too large.
func (c *Cache) Parse(file *source.File) (*Parsed, error) {
	c.mu.Lock()
	u := c.units[keyOf(file)]
	c.mu.Unlock()
	if u != nil && u.outline == nil && sameFile(u.file, file) {
		return &Parsed{u}, nil
	}
	if err := c.files.Add(file); err != nil {
		return nil, err
	}
	return &Parsed{parseUnit(file, true)}, nil
}

// Offer keeps a tree for the runs to come.
func (c *Cache) Offer(p *Parsed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.units[keyOf(p.unit.file)], c.places[p.unit.file.Place()] = p.unit, p.unit
}

// Kept is the tree of the file at a place where it was parsed with this text, else nil.
func (c *Cache) Kept(place, text string) *Parsed {
	c.mu.Lock()
	defer c.mu.Unlock()
	if u := c.places[place]; u != nil && u.outline == nil && u.file.Text() == text {
		return &Parsed{u}
	}
	return nil
}

// File is what was parsed, perhaps an equal file of before. Tree is complete also after errors; Faults are those of
// syntax and of names.
func (p *Parsed) File() *source.File         { return p.unit.file }
func (p *Parsed) Tree() *ast.Module          { return p.unit.tree }
func (p *Parsed) Faults() []*diag.Diagnostic { return p.unit.diags }

// sameFile reports whether two files give the same tree.
func sameFile(a, b *source.File) bool {
	return a.Name == b.Name && a.Shown == b.Shown && a.Text() == b.Text() && a.OnDisk() == b.OnDisk() && a.Prelude == b.Prelude
}

// Shed forgets the trees of the project's files and of packages, and reports whether there were any. Runs that are under way keep
// theirs; who needs one later parses the file again.
func (c *Cache) Shed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	shed := func(u *unit) bool { return !u.file.Prelude }
	before := len(c.units)
	maps.DeleteFunc(c.units, func(_ unitKey, u *unit) bool { return shed(u) })
	maps.DeleteFunc(c.places, func(_ string, u *unit) bool { return shed(u) })
	idle := c.idle.shed()
	return len(c.units) < before || idle
}

// unit is that of the cache, which the run keeps: the cache may forget it, and the bodies of an outline's functions are read later.
func (f *finder) unit(file *source.File, whole bool) (*unit, error) {
	u, err := f.cfg.Cache.unit(file, whole, f.cfg.Time)
	if err == nil {
		if f.units == nil {
			f.units = map[*source.File]*unit{}
		}
		f.units[u.file] = u
	}
	return u, err
}

// parsed returns the tree of a file that was parsed before, or nil.
func (f *finder) parsed(file *source.File) *unit {
	if u := f.cfg.Cache.parsed(file); u != nil {
		return u
	}
	return f.units[file]
}

// parsed returns the tree that is kept of a file, or nil.
func (c *Cache) parsed(file *source.File) *unit {
	c.mu.Lock()
	defer c.mu.Unlock()
	if u := c.units[keyOf(file)]; u != nil && u.file == file {
		return u
	}
	return nil
}

package infer

// This file keeps parsed files between runs.

import (
	"sync"
	"sync/atomic"

	"shapecheck/internal/source"
)

// A Cache holds parsed files for the runs of one process. An entry depends on
// the file's name and text alone. It is safe for concurrent use.
type Cache struct {
	files *source.FileSet
	mu    sync.Mutex
	units map[string]*unit
	// jobs are the files that a worker parses (ahead.go); queue those that it has
	// not begun.
	jobs    map[string]*job
	queue   []*job
	working bool
	runs    atomic.Int32 // that are under way
}

// NewCache returns an empty cache.
func NewCache() *Cache {
	return &Cache{files: source.NewFileSet(), units: map[string]*unit{}, jobs: map[string]*job{}}
}

// Files holds the files of all runs that share the cache.
func (c *Cache) Files() *source.FileSet { return c.files }

// unit parses and resolves a file, or returns what an earlier run made of the
// same text. It may leave out functions when the whole is not wanted.
func (c *Cache) unit(file *source.File, whole bool) (*unit, error) {
	c.mu.Lock()
	u := c.units[file.Place()]
	c.mu.Unlock()
	if u != nil && (u.outline == nil || !whole) && sameFile(u.file, file) {
		return u, nil
	}
	if u = c.take(file, whole); u == nil {
		if !file.Base().IsValid() { // an outline of it may have been made before
			if err := c.files.Add(file); err != nil {
				return nil, err
			}
		}
		u = parseUnit(file, whole)
	}
	c.mu.Lock()
	c.units[file.Place()] = u
	c.mu.Unlock()
	return u, nil
}

// text is the text of a file that was parsed before with these bytes.
func (c *Cache) text(path string, data []byte) (string, bool) {
	c.mu.Lock()
	u := c.units[path]
	c.mu.Unlock()
	if u != nil && u.file.Text() == string(data) {
		return u.file.Text(), true
	}
	return "", false
}

// sameFile reports whether two files give the same tree.
func sameFile(a, b *source.File) bool {
	return a.Name == b.Name && a.Shown == b.Shown && a.Text() == b.Text() && a.OnDisk() == b.OnDisk() && a.Prelude == b.Prelude
}

// parsed returns the tree of a file that was parsed before, or nil.
func (c *Cache) parsed(file *source.File) *unit {
	c.mu.Lock()
	defer c.mu.Unlock()
	if u := c.units[file.Place()]; u != nil && u.file == file {
		return u
	}
	return nil
}

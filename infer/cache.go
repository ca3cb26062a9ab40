package infer

// This file keeps parsed files between runs.

import (
	"sync"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/resolve"
)

// A Cache holds parsed files for the runs of one process. An entry depends on
// the file's name and text alone. It is safe for concurrent use.
type Cache struct {
	files *source.FileSet
	mu    sync.Mutex
	units map[string]*unit
}

// NewCache returns an empty cache.
func NewCache() *Cache { return &Cache{files: source.NewFileSet(), units: map[string]*unit{}} }

// Files holds the files of all runs that share the cache.
func (c *Cache) Files() *source.FileSet { return c.files }

// unit parses and resolves a file, or returns what an earlier run made of the
// same text.
func (c *Cache) unit(file *source.File) (*unit, error) {
	c.mu.Lock()
	u := c.units[file.Place()]
	c.mu.Unlock()
	if u != nil && u.file.Name == file.Name && u.file.Text() == file.Text() && u.file.Prelude == file.Prelude {
		return u, nil
	}
	if err := c.files.Add(file); err != nil {
		return nil, err
	}
	tree, diags := parser.Parse(file)
	info, more := resolve.Resolve(tree)
	u = &unit{file: file, tree: tree, info: info, diags: append(diags, more...)}
	diag.Sort(u.diags)
	c.mu.Lock()
	c.units[file.Place()] = u
	c.mu.Unlock()
	return u, nil
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

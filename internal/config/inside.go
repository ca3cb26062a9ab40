package config

// This file keeps the paths of a configuration below its folder: a configuration is
// a part of what is checked, and must not say what else is read or written. What
// lies elsewhere is given on the command line.

import (
	"errors"
	"fmt"
	"path/filepath"

	"shapecheck/internal/reads"
)

// inside reports paths that lead out of the folder of the file, by themselves or
// through links.
func (c *Config) inside(fsys reads.FS) error {
	dir := filepath.Dir(c.file)
	list := []struct{ key, path, flag string }{
		{"baseline", c.Baseline, "--baseline"}, {"cache", c.Cache, "--cache"},
	}
	for _, p := range c.Paths {
		list = append(list, struct{ key, path, flag string }{"paths", p, "--path"})
	}
	for i, e := range c.Entries {
		list = append(list, struct{ key, path, flag string }{fmt.Sprintf("entry %d: file", i+1), e.File, "FILE"})
	}
	met := map[string]bool{}
	for _, x := range list {
		if x.path == "" || met[x.path] {
			continue
		}
		met[x.path] = true
		if err := below(fsys, dir, x.path); err != nil {
			return fmt.Errorf("%s: %q %w; give it on the command line (%s)", x.key, x.path, err, x.flag)
		}
	}
	return nil
}

var errOutside = errors.New("leads out of the folder of the configuration")

// below reports whether path, from dir, is in dir or below it. Of a path that does
// not exist the part that does counts.
func below(fsys reads.FS, dir, path string) error {
	if !filepath.IsAbs(path) {
		if !filepath.IsLocal(filepath.Clean(path)) {
			return errOutside
		}
		path = filepath.Join(dir, path)
	}
	dir, err := fsys.Abs(dir)
	if err == nil {
		path, err = fsys.Abs(path)
	}
	if err == nil {
		dir, err = fsys.EvalSymlinks(dir)
	}
	if err != nil {
		return err
	}
	for {
		real, err := fsys.EvalSymlinks(path)
		if err == nil {
			if rel, err := filepath.Rel(dir, real); err != nil || !filepath.IsLocal(rel) {
				return errOutside
			}
			return nil
		}
		parent := filepath.Dir(path)
		if parent == path {
			return err
		}
		list, _ := fsys.ReadDir(parent) // where there is no folder, there is no link
		for _, e := range list {
			if e.Name() == filepath.Base(path) { // a link to nowhere
				return errOutside
			}
		}
		path = parent
	}
}

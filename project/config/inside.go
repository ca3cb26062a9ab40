package config

// This file keeps the paths of a configuration below its folder: a configuration is
// a part of what is checked, and must not say what else is read or written. What
// lies elsewhere is given on the command line.

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"shapecheck/internal/reads"
	"shapecheck/project/pyenv"
)

// maxPath bounds the bytes of a path, as systems do.
const maxPath = 4096

// inside reports paths that lead out of the folder of the file, by themselves or
// through links.
func (c *Config) inside(fsys reads.FS) error {
	list := []struct{ key, path, flag string }{
		{"baseline", c.Baseline, "--baseline"}, {"cache", c.Cache, "--cache"},
	}
	if c.Python != pyenv.None {
		list = append(list, struct{ key, path, flag string }{"python", c.Python, "--python"})
	}
	for _, p := range c.Paths {
		list = append(list, struct{ key, path, flag string }{"paths", p, "--path"})
	}
	for _, p := range c.Stubs {
		list = append(list, struct{ key, path, flag string }{"stubs", p, "--stubs"})
	}
	for i, e := range c.Entries {
		list = append(list, struct{ key, path, flag string }{fmt.Sprintf("entry %d: file", i+1), e.File, "FILE"})
	}
	dir := filepath.Dir(c.file)
	gate := reads.NewGate(fsys, reads.Root{Path: dir, Reach: reads.Everything})
	met := map[string]bool{}
	for _, x := range list {
		if x.path == "" || met[x.path] {
			continue
		}
		met[x.path] = true
		if len(x.path) > maxPath {
			return fmt.Errorf("%s: a path of more than %d bytes", x.key, maxPath)
		}
		if err := checkInside(gate, dir, x.path); err != nil {
			return fmt.Errorf("%s: %q %w; give it on the command line (%s)", x.key, x.path, err, x.flag)
		}
	}
	return nil
}

var errOutside = errors.New("leads out of the folder of the configuration")

// checkInside reports whether a path, from the folder of the configuration, may be read.
func checkInside(gate *reads.Gate, dir, path string) error {
	if !filepath.IsAbs(path) {
		path = dir + string(filepath.Separator) + path // a link may stand before ".."
	}
	err := gate.Allow(path)
	if errors.Is(err, reads.ErrOutside) {
		return errOutside
	}
	return err
}

// inFolder reports whether a file is what it is called: a link must lead to a file
// below its folder.
func inFolder(fsys reads.FS, file string) error {
	if info, err := fsys.Lstat(file); err == nil && info.Mode().IsRegular() || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	dir := filepath.Dir(file)
	return checkInside(reads.NewGate(fsys, reads.Root{Path: dir, Reach: reads.Everything}), dir, filepath.Base(file))
}

package config

// This file keeps the paths of a configuration below its folder: a configuration is
// a part of what is checked, and must not say what else is read or written. What
// lies elsewhere is given on the command line.

import (
	"errors"
	"fmt"
	"path/filepath"

	"shapecheck/internal/pyenv"
	"shapecheck/internal/reads"
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
	f, err := newFolder(fsys, filepath.Dir(c.file))
	if err != nil {
		return err
	}
	met := map[string]bool{}
	for _, x := range list {
		if x.path == "" || met[x.path] {
			continue
		}
		met[x.path] = true
		if len(x.path) > maxPath {
			return fmt.Errorf("%s: a path of more than %d bytes", x.key, maxPath)
		}
		if err := f.below(x.path); err != nil {
			return fmt.Errorf("%s: %q %w; give it on the command line (%s)", x.key, x.path, err, x.flag)
		}
	}
	return nil
}

var errOutside = errors.New("leads out of the folder of the configuration")

// A folder is where the paths of a configuration must stay, with what the file system
// said so far: it is asked once for each path and each part of one.
type folder struct {
	fsys      reads.FS
	dir, real string                     // absolute; real without links
	exists    map[string]bool            // after links are followed
	verdict   map[string]error           // on paths that exist
	names     map[string]map[string]bool // what is in a folder, links to nowhere too
}

func newFolder(fsys reads.FS, dir string) (*folder, error) {
	f := &folder{fsys: fsys, exists: map[string]bool{}, verdict: map[string]error{}, names: map[string]map[string]bool{}}
	var err error
	if f.dir, err = fsys.Abs(dir); err == nil {
		f.real, err = fsys.EvalSymlinks(f.dir)
	}
	return f, err
}

// below reports whether path, from the folder, is in it or below it. Of a path that
// does not exist the part that does counts.
func (f *folder) below(path string) error {
	if !filepath.IsAbs(path) {
		if !filepath.IsLocal(filepath.Clean(path)) {
			return errOutside
		}
		path = filepath.Join(f.dir, path)
	}
	path, err := f.fsys.Abs(path)
	if err != nil {
		return err
	}
	there := f.existing(path)
	if there == "" {
		return errOutside
	}
	verdict, known := f.verdict[there]
	if !known {
		verdict = f.contains(there)
		f.verdict[there] = verdict
	}
	return verdict
}

// contains reports whether a path that exists is in the folder after links are followed.
func (f *folder) contains(path string) error {
	real, err := f.fsys.EvalSymlinks(path)
	if err != nil {
		return err
	}
	if rel, err := filepath.Rel(f.real, real); err != nil || !filepath.IsLocal(rel) {
		return errOutside
	}
	return nil
}

// existing is the longest part of an absolute path that exists. It is empty where what
// follows is a link to nowhere, or nothing exists.
func (f *folder) existing(path string) string {
	there := path[:len(filepath.VolumeName(path))+1] // with the separator
	for start := len(there); start < len(path); {
		end := start
		for end < len(path) && path[end] != filepath.Separator {
			end++
		}
		if !f.has(path[:end]) {
			if f.in(there)[path[start:end]] {
				return ""
			}
			break
		}
		there, start = path[:end], end+1
	}
	return there
}

// has reports whether a path exists.
func (f *folder) has(path string) bool {
	yes, known := f.exists[path]
	if !known {
		_, err := f.fsys.Stat(path)
		yes = err == nil
		f.exists[path] = yes
	}
	return yes
}

// in gives the names in a folder. Where there is no folder, there is no link.
func (f *folder) in(path string) map[string]bool {
	names, known := f.names[path]
	if !known {
		list, _ := f.fsys.ReadDir(path)
		names = make(map[string]bool, len(list))
		for _, e := range list {
			names[e.Name()] = true
		}
		f.names[path] = names
	}
	return names
}

// inFolder reports whether a file is what it is called: a link must lead to a file
// below its folder.
func inFolder(fsys reads.FS, file string) error {
	f, err := newFolder(fsys, filepath.Dir(file))
	if err != nil {
		return err
	}
	return f.below(filepath.Base(file))
}

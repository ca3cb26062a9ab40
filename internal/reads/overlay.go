package reads

// This file lays texts over another file system: an editor's open buffers, and
// programs as they would be with a change.

import (
	"io/fs"
	"path/filepath"
	"sort"
)

// An Overlay is a file system in which some files have other texts, or exist
// although they do not below. The texts are characters already: the encoding that
// a file declares is not theirs, so that TextOf gives them as they are.
type Overlay struct {
	base FS
	top  *Memory // by the absolute paths of base
}

// NewOverlay lays texts over base, by absolute path; nil is the disk.
func NewOverlay(base FS, texts map[string]string) *Overlay {
	return &Overlay{Or(base), NewMemory(texts)}
}

// over reports whether the texts have a path, and where.
func (o *Overlay) over(path string) (abs string, file bool) {
	abs, err := o.base.Abs(path)
	if err != nil {
		return "", false
	}
	_, file = o.top.files[absolute(abs)]
	return abs, file
}

// ReadFile gives a text in UTF-8. For a path without a text the error is that of base.
func (o *Overlay) ReadFile(path string) ([]byte, error) {
	if abs, ok := o.over(path); ok {
		return o.top.ReadFile(abs)
	}
	return o.base.ReadFile(path)
}

// Open gives a text, or opens a file of base. For a path without a text the error is that of base.
func (o *Overlay) Open(path string) (Part, int64, error) {
	if abs, ok := o.over(path); ok {
		return Open(o.top, abs)
	}
	return Open(o.base, path)
}

// Stat prefers the texts, then base, then the folders that the texts need. The error is that of base, where neither has
// the path.
func (o *Overlay) Stat(path string) (fs.FileInfo, error) {
	abs, file := o.over(path)
	if file {
		return o.top.Stat(abs)
	}
	x, err := o.base.Stat(path)
	if err != nil && abs != "" {
		if dir, derr := o.top.Stat(abs); derr == nil {
			return dir, nil
		}
	}
	return x, err
}

// Lstat is Stat where the texts have a path or base has none. The error is that of Stat.
func (o *Overlay) Lstat(path string) (fs.FileInfo, error) {
	if _, file := o.over(path); !file {
		if x, err := o.base.Lstat(path); err == nil {
			return x, nil
		}
	}
	return o.Stat(path)
}

// ReadDir lists what is in a folder of base and what the texts add. The error is that of base, where the texts do not
// need the folder.
func (o *Overlay) ReadDir(path string) ([]fs.DirEntry, error) {
	list, err := o.base.ReadDir(path)
	abs, _ := o.over(path)
	more, merr := o.top.ReadDir(abs)
	if abs == "" || merr != nil {
		return list, err
	}
	known := map[string]bool{}
	for _, e := range list {
		known[e.Name()] = true
	}
	for _, e := range more {
		if !known[e.Name()] {
			list = append(list, e)
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name() < list[j].Name() })
	return list, nil
}

// EvalSymlinks follows the links of base; a path that only the texts have is
// followed as far as base has it. The error is that of base, where neither has the path.
func (o *Overlay) EvalSymlinks(path string) (string, error) {
	real, err := o.base.EvalSymlinks(path)
	if err == nil {
		return real, nil
	}
	abs, _ := o.over(path)
	if _, terr := o.top.Stat(abs); abs == "" || terr != nil {
		return "", err
	}
	if dir := filepath.Dir(abs); dir != abs {
		if real, err = o.EvalSymlinks(dir); err != nil {
			return "", err
		}
		return filepath.Join(real, filepath.Base(abs)), nil
	}
	return abs, nil
}

// Abs and Getwd are those of base. Abs fails if the working directory is not known.
func (o *Overlay) Abs(path string) (string, error) { return o.base.Abs(path) }

// Getwd is base's. It fails where base does.
func (o *Overlay) Getwd() (string, error) { return o.base.Getwd() }

// TextOf gives the text that stands for a file in an Overlay, also in one that a
// Log or a Gate looks at. false: the file has bytes, to be read and decoded.
func TextOf(f FS, path string) (string, bool) {
	switch f := f.(type) {
	case *Overlay:
		abs, ok := f.over(path)
		if !ok {
			return TextOf(f.base, path)
		}
		return f.top.files[absolute(abs)], true
	case *Gate:
		if name, err := f.file(path); err == nil {
			return TextOf(f.fs, name)
		}
	case *Log:
		text, ok := TextOf(Or(f.FS), path)
		if ok {
			f.add(Text, path, textOf([]byte(text), nil))
		}
		return text, ok
	}
	return "", false
}

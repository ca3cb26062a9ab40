package reads

// This file opens the files that data names: the shards of an index of weights, the external data of a model, the segments
// of a program. Such a name is the word of whoever made that data.

import (
	"errors"
	"fmt"
	"path/filepath"

	"shapecheck/internal/localfile"
)

// Beside gives the roots of the files that a file names which the user has named: its folder, and that of the file after links
// are followed. In the cache of huggingface_hub a file and those beside it are links into one folder of another name.
func Beside(fsys FS, file string) []Root {
	roots := []Root{{Path: filepath.Dir(file), Reach: Everything}}
	if real, err := Or(fsys).EvalSymlinks(file); err == nil {
		roots = append(roots, Root{Path: filepath.Dir(real), Reach: Everything})
	}
	return roots
}

// OpenIn opens the file with a plain name in a folder: no absolute name, no "..", no other spelling of a path. Links are
// followed below the roots. A file that has further names is refused: a hard link made by an archive may be one to a file
// outside, and nothing in the file system says which of its names was the first. Errors have the name.
func (g *Gate) OpenIn(folder, name string) (Part, int64, error) {
	if err := localfile.CheckName(name); err != nil {
		return nil, 0, err
	}
	f, size, err := g.openIn(folder, name)
	if errors.Is(err, ErrOutside) {
		err = fmt.Errorf("leads to what is not read: it is %w", ErrOutside)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%q: %w", name, reason(err))
	}
	return f, size, nil
}

func (g *Gate) openIn(folder, name string) (Part, int64, error) {
	if folder == "" {
		return nil, 0, errors.New("it is not known in which folder the file is")
	}
	path := filepath.Join(folder, filepath.FromSlash(name))
	info, err := g.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if localfile.Links(info) > 1 && !info.IsDir() {
		return nil, 0, errors.New("the file has other names (hard links), which may be outside of the folder: make a copy")
	}
	return g.Open(path)
}

package pyenv

// This file finds the environment that poetry keeps for a project in its cache. Its name
// is made of the project's name and a hash of the project's folder.

import (
	"crypto/sha256"
	"encoding/base64"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"

	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/reads"
)

// poetryEnvironment is the one environment that poetry made for the project in dir;
// empty: there is none, or there are several, of which poetry's settings choose one.
func (s *Search) poetryEnvironment(fsys reads.FS, dir string) string {
	if s.Poetry == "" {
		return ""
	}
	path := filepath.Join(dir, "pyproject.toml")
	if info, err := fsys.Lstat(path); err != nil || !info.Mode().IsRegular() { // nobody may say what a link leads to
		return ""
	}
	data, err := reads.File(fsys, path, maxText)
	if err != nil {
		return ""
	}
	var file struct {
		Project struct {
			Name string `toml:"name"`
		} `toml:"project"`
		Tool struct {
			Poetry struct {
				Name string `toml:"name"`
			} `toml:"poetry"`
		} `toml:"tool"`
	}
	if _, err := toml.Decode(string(data), &file); err != nil {
		return ""
	}
	name := file.Project.Name
	if name == "" {
		name = file.Tool.Poetry.Name
	}
	real, err := fsys.EvalSymlinks(dir)
	if err != nil || name == "" {
		return ""
	}
	prefix := poetryName(name, real) + "-py"
	entries, err := fsys.ReadDir(s.Poetry)
	if err != nil {
		return ""
	}
	found := ""
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), prefix) {
			continue
		}
		if found != "" {
			return ""
		}
		found = filepath.Join(s.Poetry, e.Name())
	}
	return found
}

// separators are written as one hyphen in the normal form of a project's name (PEP 503).
var separators = lazyregexp.New("[-_.]+")

// poetryName is the name of an environment without the version of Python: of the normal
// form of the project's name, in which poetry replaces what shells take for their own.
func poetryName(project, dir string) string {
	name := strings.Map(func(c rune) rune {
		if strings.ContainsRune(" $`!*@\"\\\r\n\t", c) {
			return '_'
		}
		return c
	}, separators.ReplaceAllString(strings.ToLower(project), "-"))
	if r := []rune(name); len(r) > 42 {
		name = string(r[:42])
	}
	sum := sha256.Sum256([]byte(dir))
	return name + "-" + base64.URLEncoding.EncodeToString(sum[:])[:8]
}

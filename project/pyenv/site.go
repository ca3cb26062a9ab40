package pyenv

// This file lists the folders of modules of an environment, as the module site does. Nothing of the
// environment is run: .pth files are read as text, and finders of editable installations are looked
// at for the folders that they name.

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/internal/reads"
	"shapecheck/parser"
)

// Bounds on what an environment may have.
const (
	maxText    = 1 << 20 // bytes of a file that is read
	maxPaths   = 256     // folders and modules that .pth files name
	maxPthFile = 256     // files .pth of one folder
)

// A reader collects an environment. It is for one environment.
type reader struct {
	// It was found in the project and not named by the user, and has to prove that it is one by its
	// pyvenv.cfg or conda-meta.
	fsys reads.FS // of one that was found in a project: what lies in that
	// The result, to which folders are added.
	found bool
	// The folders that were added already.
	env *Environment
	met map[string]bool
}

// environment adds the folders of an environment; of one made with
// --system-site-packages also those of the Python that it was made from. depth is 1 for the Python
// that it was made from, which ends the recursion.
func (r *reader) environment(dir string, depth int) {
	cfg, err := r.text(filepath.Join(dir, "pyvenv.cfg"))
	if r.found && err != nil && !exists(r.fsys, filepath.Join(dir, "conda-meta")) {
		return // a folder of the project that is only called so
	}
	r.each(dir, "lib", "python3", "site-packages")
	r.each(dir, "lib64", "python3", "site-packages")
	// Windows has one folder, without a version.
	if site := filepath.Join(dir, "Lib", "site-packages"); isDir(r.fsys, site) {
		r.site(site)
	}
	if err == nil {
		values := settings(cfg)
		// home is the folder of the interpreter: on other systems than Windows that is the bin of
		// the prefix.
		if home := values["home"]; depth == 0 && home != "" && strings.EqualFold(values["include-system-site-packages"], "true") {
			if b := filepath.Base(home); b == "bin" {
				home = filepath.Dir(home)
			}
			r.environment(home, 1)
		}
		return
	}
	// Debian keeps the packages of its own Python apart.
	r.each(filepath.Join(dir, "local"), "lib", "python3", "dist-packages")
	if site := filepath.Join(dir, "lib", "python3", "dist-packages"); isDir(r.fsys, site) {
		r.site(site)
	}
}

// each adds dir/lib/python3.X/packages, the newest first. Versions are compared by length first, as
// 3.10 is longer than 3.9. A folder that cannot be read has none.
func (r *reader) each(dir, lib, python, packages string) {
	entries, err := r.fsys.ReadDir(filepath.Join(dir, lib))
	if err != nil {
		return
	}
	var sites []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), python+".") {
			if site := filepath.Join(dir, lib, e.Name(), packages); isDir(r.fsys, site) {
				sites = append(sites, site)
			}
		}
	}
	slices.SortFunc(sites, func(a, b string) int { // 3.9 before 3.10
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(b, a)
	})
	for _, site := range sites {
		r.site(site)
	}
}

// settings reads the lines "key = value" of a pyvenv.cfg. Keys are in lower case; lines without =
// are left out.
func settings(text string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(line, "="); ok {
			out[strings.ToLower(strings.TrimSpace(key))] = strings.TrimSpace(value)
		}
	}
	return out
}

// site adds a folder of packages and what its .pth files name.
func (r *reader) site(dir string) {
	if !r.add(dir) {
		return
	}
	entries, err := r.fsys.ReadDir(dir)
	if err != nil {
		return
	}
	files, unread := 0, false
	for _, e := range entries { // in the order of names, as site does
		name := e.Name()
		switch {
		case strings.HasPrefix(name, "__editable___") && strings.HasSuffix(name, "_finder.py"):
			r.finder(filepath.Join(dir, name))
		case strings.HasSuffix(name, ".pth") && !strings.HasPrefix(name, ".") && files < maxPthFile:
			files++
			if r.pth(dir, name) {
				unread = true
			}
		}
	}
	if unread {
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".dist-info") {
				r.editable(filepath.Join(dir, e.Name()))
			}
		}
	}
}

// pth adds the folders that a .pth file names. It reports whether the file runs code
// that makes a package in editable form known, other than the finders that are read.
func (r *reader) pth(dir, name string) (code bool) {
	text, err := r.text(filepath.Join(dir, name))
	if err != nil {
		return false
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		switch {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "import\t"):
			code = code || strings.Contains(strings.ToLower(name+line), "editable") && !strings.Contains(line, "__editable___")
		default:
			if !filepath.IsAbs(line) {
				line = filepath.Join(dir, line)
			}
			r.add(line)
		}
	}
	return code
}

// add adds a folder of modules.
func (r *reader) add(dir string) bool {
	real, ok := r.allowed(dir)
	if !ok || !isDir(r.fsys, real) || r.met[real] || len(r.met) >= maxPaths {
		return false
	}
	r.met[real] = true
	r.env.Paths = append(r.env.Paths, filepath.Clean(dir))
	return true
}

// allowed gives a path without links, if it may be looked at.
func (r *reader) allowed(path string) (real string, ok bool) {
	if strings.ContainsRune(path, 0) {
		return "", false
	}
	real, err := r.fsys.EvalSymlinks(path)
	if err == nil {
		real, err = r.fsys.Abs(real)
	}
	if errors.Is(err, reads.ErrOutside) {
		r.env.Outside = true
	}
	return real, err == nil
}

// text reads a small file.
func (r *reader) text(path string) (string, error) {
	data, err := reads.File(r.fsys, path, maxText)
	if err != nil {
		return "", err
	}
	return parser.Decode(data)
}

package text

// This file finds the Python files and notebooks that paths name.

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/internal/reads"
	"shapecheck/project/notebook"
)

// skipped are folders that hold no code of the project, but for those that are packages.
var skipped = []string{".bzr", ".direnv", ".eggs", ".git", ".git-rewrite", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox", ".pants.d",
	".pyenv", ".pytest_cache",
	".pytype", ".ruff_cache", ".svn", ".tox", ".venv", ".vscode", "__pypackages__", "__pycache__", "_build", "buck-out", "build", "dist",
	"node_modules", "site-packages", "venv"}

// Bounds of what is looked at below a folder.
const (
	maxFiles  = 100_000
	maxDepth  = 64
	maxIgnore = 1 << 20 // bytes of a .gitignore
)

// A Walk finds files.
type Walk struct {
	FS reads.FS
	// Exclude are patterns as in a .gitignore, of the folder Root.
	Exclude []string
	Root    string
	// Excludes are such patterns of a folder on the way, beside its .gitignore; nil: there are none.
	Excludes func(dir string) []string

	out  []string
	seen map[string]bool
}

// Files are the Python files and notebooks that words name, each once and in the order of the words: a file
// is itself, a folder all that is below it, a pattern what it matches. What lies in a folder
// that was named, or that a pattern begins with, is left out where .gitignore, Exclude or the list of skipped folders says so.
// It returns an error for a word that names nothing, for a pattern that matches no file, for a folder that cannot be
// read, and where there are more than maxFiles.
func (w *Walk) Files(words []string) ([]string, error) {
	w.seen = map[string]bool{}
	for _, word := range words {
		paths := []found{{path: word}}
		if _, err := w.FS.Stat(word); err == nil {
			paths[0].outer = w.outer(word)
		} else {
			if !strings.ContainsAny(word, "*?[") {
				return nil, fmt.Errorf("%s: no such file or folder", word)
			}
			if paths, err = w.glob(word); err != nil {
				return nil, err
			}
			if len(paths) == 0 {
				return nil, fmt.Errorf("%s: no file matches that is not left out", word)
			}
		}
		for _, p := range paths {
			info, err := w.FS.Stat(p.path)
			switch {
			case err != nil:
				return nil, err
			case info.IsDir():
				err = w.folder(p.path, p.outer, 0)
			default:
				w.add(p.path)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return w.out, nil
}

// A found is a file or folder, with the rules of what lies above it.
type found struct {
	path  string
	outer []rules
}

func (w *Walk) add(file string) {
	if !w.seen[file] {
		w.seen[file] = true
		w.out = append(w.out, file)
	}
}

// outer are the rules of a folder that was named: those of Exclude and of the .gitignore of
// folders above it, up to the one that holds .git.
func (w *Walk) outer(dir string) []rules {
	var out []rules
	if len(w.Exclude) > 0 {
		out = append(out, rules{base: w.abs(w.Root), list: parseRules(strings.Join(w.Exclude, "\n"))})
	}
	var above []rules
	for at := w.abs(dir); ; at = filepath.Dir(at) {
		if at != w.abs(dir) {
			if r, ok := w.ignored(at); ok {
				above = append(above, r)
			}
		}
		if _, err := w.FS.Stat(filepath.Join(at, ".git")); err == nil {
			slices.Reverse(above)
			return append(out, above...)
		}
		if at == filepath.Dir(at) {
			return out // of no repository
		}
	}
}

func (w *Walk) abs(p string) string {
	if abs, err := w.FS.Abs(p); err == nil {
		return abs
	}
	return p
}

// ignored are the rules of a folder's .gitignore.
func (w *Walk) ignored(dir string) (rules, bool) {
	file := filepath.Join(dir, ".gitignore")
	if info, err := w.FS.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return rules{}, false // there is none, or none that git would read: it follows no link here
	}
	data, err := reads.File(w.FS, file, maxIgnore)
	if err != nil {
		return rules{}, false
	}
	return rules{base: w.abs(dir), list: parseRules(string(data))}, true
}

func (w *Walk) folder(dir string, outer []rules, depth int) error {
	if depth > maxDepth {
		return nil
	}
	entries, err := w.FS.ReadDir(dir)
	if err != nil {
		return err
	}
	outer = w.inner(dir, outer)
	for _, e := range entries {
		p := filepath.Join(dir, e.Name())
		switch {
		case w.left(e, p, outer):
		case e.IsDir():
			if err := w.folder(p, outer, depth+1); err != nil {
				return err
			}
		case e.Type().IsRegular() && isCode(e.Name()):
			if len(w.out) == maxFiles {
				return fmt.Errorf("%s: more than %d files", dir, maxFiles)
			}
			w.add(p)
		}
	}
	return nil
}

// inner are the rules of what lies in a folder.
func (w *Walk) inner(dir string, outer []rules) []rules {
	outer = outer[:len(outer):len(outer)]
	if own, ok := w.ignored(dir); ok {
		outer = append(outer, own)
	}
	if w.Excludes != nil {
		if list := w.Excludes(dir); len(list) > 0 {
			outer = append(outer, rules{base: w.abs(dir), list: parseRules(strings.Join(list, "\n"))})
		}
	}
	return outer
}

// left reports whether an entry of a folder is left out.
func (w *Walk) left(e fs.DirEntry, p string, outer []rules) bool {
	return e.IsDir() && slices.Contains(skipped, e.Name()) && !w.isPackage(p) || (e.IsDir() || isCode(p)) && w.excluded(p, e.IsDir(), outer)
}

// isPackage reports whether a folder is one of Python's packages: those have any name.
func (w *Walk) isPackage(dir string) bool {
	_, err := w.FS.Stat(filepath.Join(dir, "__init__.py"))
	return err == nil
}

// excluded reports whether the last rule that speaks of a path leaves it out.
func (w *Walk) excluded(p string, isDir bool, all []rules) bool {
	abs := w.abs(p)
	for i := len(all) - 1; i >= 0; i-- {
		rel, err := filepath.Rel(all[i].base, abs)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		if out, said := all[i].say(filepath.ToSlash(rel), isDir); said {
			return out
		}
	}
	return false
}

// glob finds what a pattern matches; ** stands for any number of folders.
func (w *Walk) glob(pattern string) ([]found, error) {
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, fmt.Errorf("%s: %w", pattern, err)
	}
	pattern = filepath.ToSlash(pattern)
	base := ""
	for part := range strings.SplitSeq(pattern, "/") {
		if strings.ContainsAny(part, "*?[") {
			break
		}
		base += part + "/"
	}
	rest := strings.Split(strings.TrimPrefix(pattern, base), "/")
	var out []found
	var visit func(dir string, rest []string, outer []rules, depth int)
	visit = func(dir string, rest []string, outer []rules, depth int) {
		entries, err := w.FS.ReadDir(cmpDir(dir))
		if err != nil || depth > maxDepth || len(out) >= maxFiles {
			return
		}
		outer = w.inner(cmpDir(dir), outer)
		for _, e := range entries {
			p := filepath.Join(dir, e.Name())
			if w.left(e, p, outer) {
				continue
			}
			if rest[0] == "**" {
				if e.IsDir() {
					visit(p, rest, outer, depth+1)
				}
				if len(rest) == 1 {
					continue
				}
				if ok, _ := path.Match(rest[1], e.Name()); ok && len(rest) == 2 {
					out = append(out, found{p, outer})
				} else if ok && e.IsDir() {
					visit(p, rest[2:], outer, depth+1)
				}
				continue
			}
			if ok, _ := path.Match(rest[0], e.Name()); !ok {
				continue
			}
			if len(rest) == 1 {
				out = append(out, found{p, outer})
			} else if e.IsDir() {
				visit(p, rest[1:], outer, depth+1)
			}
		}
	}
	dir := filepath.FromSlash(strings.TrimSuffix(base, "/"))
	visit(dir, rest, w.outer(cmpDir(dir)), 0)
	return slices.DeleteFunc(out, func(f found) bool {
		info, err := w.FS.Stat(f.path)
		return err != nil || !info.IsDir() && !isCode(f.path)
	}), nil
}

// isCode reports whether a file is looked at that lies in a folder: it is Python or a notebook.
func isCode(file string) bool { return filepath.Ext(file) == ".py" || notebook.Is(file) }

func cmpDir(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

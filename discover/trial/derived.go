package trial

// This file finds classes of the package that make a base complete: a forward that calls what they define cannot run without.

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	srctext "shapecheck/discover/text"
	"shapecheck/internal/diag"
	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
)

// Bounds of the search: classes that are tried, files that are read and folders that are looked into.
const maxDerived, maxDerivedFiles = 3, 300

// isIncomplete reports whether a run failed for want of what classes that derive from it have: a method raises NotImplementedError, or
// the class itself lacks an attribute.
func (t *trial) isIncomplete(class string) bool {
	f := t.fact()
	return f.Kind == diag.NotImplemented || f.Kind == diag.LacksAttribute && f.Of == class
}

// derived are classes that derive from one of the file, by their full names, in the package of the file: those beside
// it first.
func (p *prober) derived(class string) []string {
	return p.classes(func(text string) []string { return srctext.Deriving(text, class) })
}

// defined are classes of a name in the package of the file.
func (p *prober) defined(class string) []string {
	return p.classes(func(text string) []string {
		if text = "\n" + text; strings.Contains(text, "\nclass "+class+":") || strings.Contains(text, "\nclass "+class+"(") {
			return []string{class}
		}
		return nil
	})
}

// classes are those that in says of the texts of the package of the file, by their full names.
func (p *prober) classes(in func(text string) []string) []string {
	var out []string
	p.around(func(top, path, text string) bool {
		if !isPackage(p.s.Gate(p.file), top) {
			return false // no name leads from one file to the other
		}
		module := strings.TrimSuffix(path, ".py")
		if filepath.Base(module) == "__init__" {
			module = filepath.Dir(module)
		}
		rel, err := filepath.Rel(filepath.Dir(top), module)
		if err != nil {
			return true
		}
		for _, name := range in(text) {
			if len(out) < maxDerived {
				out = append(out, strings.ReplaceAll(filepath.ToSlash(rel), "/", ".")+"."+name)
			}
		}
		return len(out) < maxDerived
	})
	return out
}

// madeElsewhere reports whether a file around the one that is tried calls a class or function with arguments: its defaults
// may stand for nothing that runs.
func (p *prober) madeElsewhere(name string) bool {
	found := false
	call, err := regexp.Compile(`\b` + regexp.QuoteMeta(name) + `\(\s*[^)\s]`)
	if err != nil {
		return false
	}
	p.around(func(_, _, text string) bool {
		if !strings.Contains(text, name+"(") {
			return true
		}
		for rest := text; ; { // but for a class of that name
			at := call.FindStringIndex(rest)
			if at == nil {
				return true
			}
			line := rest[strings.LastIndexByte(rest[:at[0]], '\n')+1 : at[0]]
			if word := strings.TrimSpace(line); word != "class" && word != "def" {
				found = true
				return false
			}
			rest = rest[at[1]:]
		}
	})
	return found
}

// maxBases bounds through how many files the bases of a class are followed.
const maxBases = 20

// relativeImport is the module of a relative import.
var relativeImport = lazyregexp.New(`(?m)^\s*from\s+(\.+[\w.]*)\s+import\b`)

// isOfFramework reports whether a relative module of a file may define models: its text, or that of what it imports from the
// package, names a framework, or it cannot be read, or is not found in a few files.
func isOfFramework(fsys reads.FS, file, module string, seen map[string]bool) bool {
	name := strings.TrimLeft(module, ".")
	dir := filepath.Dir(file)
	for range len(module) - len(name) - 1 {
		dir = filepath.Dir(dir)
	}
	path := filepath.Join(dir, filepath.FromSlash(strings.ReplaceAll(name, ".", "/")))
	if isPackage(fsys, path) {
		path = filepath.Join(path, "__init__")
	}
	if path += ".py"; seen[path] {
		return false
	}
	seen[path] = true
	data, err := reads.File(fsys, path, source.MaxFileSize)
	if err != nil || strings.Contains(string(data), "torch") || strings.Contains(string(data), "chainer") || len(seen) == maxBases {
		return true
	}
	return slices.ContainsFunc(relativeImport.FindAllStringSubmatch(string(data), -1), func(m []string) bool {
		return isOfFramework(fsys, path, m[1], seen)
	})
}

// maxCallsAround bounds the calls of other files that are tried.
const maxCallsAround = 2

// callsAround are calls of a class or function in the files around the one that is tried, with arguments that are all literals.
func (p *prober) callsAround(name string) []string {
	call, err := regexp.Compile(`(?:^|[^\w.])((?:\w+\.)?` + regexp.QuoteMeta(name) + `)\(`)
	if err != nil {
		return nil
	}
	var out []string
	p.around(func(_, _, text string) bool {
		if !strings.Contains(text, name+"(") {
			return true
		}
		for _, at := range call.FindAllStringSubmatchIndex(text, -1) {
			line := text[strings.LastIndexByte(text[:at[2]], '\n')+1 : at[2]]
			args := srctext.LiteralArguments(text[at[1]:])
			if one := name + "(" + args + ")"; args != "" && !strings.ContainsAny(line, "#") && strings.TrimSpace(line) != "def" &&
				!slices.Contains(out, one) {
				out = append(out, one)
			}
			if len(out) == maxCallsAround {
				return false
			}
		}
		return true
	})
	return out
}

// maxNamespaces is how many folders without an __init__.py lie between the folders of a package.
const maxNamespaces = 1

// A neighbour is a file of the package of the one that is tried.
type neighbour struct{ top, path, text string }

// around gives the files of the package of the one that is tried, those beside it and below first; only those where it is
// in none. Top is the folder of the package. It ends where look is false. The files are read once for all that look.
func (p *prober) around(look func(top, path, text string) bool) {
	if p.neighbours == nil {
		p.neighbours = []neighbour{}
		p.readAround(func(top, path, text string) bool {
			p.neighbours = append(p.neighbours, neighbour{top, path, text})
			return true
		})
	}
	for _, n := range p.neighbours {
		if !look(n.top, n.path, n.text) {
			return
		}
	}
}

// readAround calls look for the Python files around the one that is tried, nearest folder first, up to the outermost
// package, until look is false. At most maxDerivedFiles are read.
func (p *prober) readAround(look func(top, path, text string) bool) {
	fsys := p.s.Gate(p.file)
	file, err := fsys.Abs(p.file)
	if err != nil {
		return
	}
	top := filepath.Dir(file)
	for dir, without := top, 0; without <= maxNamespaces && filepath.Dir(dir) != dir; {
		if dir = filepath.Dir(dir); isPackage(fsys, dir) {
			top, without = dir, 0
		} else {
			without++
		}
	}
	seen, n := map[string]bool{}, 0
	var through func(dir string, entries []fs.DirEntry, deep bool) bool
	through = func(dir string, entries []fs.DirEntry, deep bool) bool {
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			if n == maxDerivedFiles {
				return false
			}
			if e.IsDir() {
				if deep && holdsModules(fsys, path) {
					n++
					below, err := fsys.ReadDir(path)
					if err == nil && !through(path, below, true) {
						return false
					}
				}
				continue
			}
			if !strings.HasSuffix(e.Name(), ".py") || seen[path] || path == file {
				continue
			}
			seen[path] = true
			n++
			data, err := reads.File(fsys, path, maxBesideText)
			if err != nil {
				continue // it is too large, or gone: another may have one
			}
			if !look(top, path, string(data)) {
				return false
			}
		}
		return true
	}
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		entries, err := fsys.ReadDir(dir)
		if err != nil || !through(dir, entries, dir == top || dir == filepath.Dir(file)) || dir == top {
			return
		}
	}
}

// holdsModules reports whether a folder may be a part of what is around it: it is neither hidden nor an environment.
func holdsModules(fsys reads.FS, dir string) bool {
	_, err := fsys.Stat(filepath.Join(dir, "pyvenv.cfg"))
	return err != nil && !strings.HasPrefix(filepath.Base(dir), ".")
}

func isPackage(fsys reads.FS, dir string) bool {
	info, err := fsys.Stat(filepath.Join(dir, "__init__.py"))
	return err == nil && info.Mode().IsRegular()
}

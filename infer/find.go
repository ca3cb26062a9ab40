package infer

// This file finds the files of modules under the roots, and looks at folders.

import (
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/infer/lib"
	"shapecheck/internal/source"
	"shapecheck/project/pyenv"
)

// A finder finds modules and their files: in the user's folders, in those of the environment, and among our stubs. It
// reads their texts and runs none.
type finder struct {
	*base
	// packaged is the folder of the entry's file, where that is a part of a package; above are the directories above
	// the entry in which its project's modules are looked for.
	packaged string
	above    []string
	abs      map[string]string      // paths made absolute; see filename.go
	units    map[*source.File]*unit // that the run asked for
	ownFiles map[*source.File]bool  // see own.go
	env      *pyenv.Environment     // nil: it was not looked for; see environment.go
	follows  map[string]bool        // packages of the environment that are followed
	// dists are the installed distributions by their normal names, distOrder in the
	// order of the roots; see installed.go.
	dists     map[string]*distribution
	distOrder []*distribution
	// sources are what the sources of packages' parts declare, by path; see lazynames.go.
	sources map[string]*declared
	// tops are what the top levels of files do, listings the names in folders; see waiting.go.
	tops     map[string]*topState
	listings map[string]map[string]fs.FileMode
	// shadows says which names of libraries may be the user's own modules.
	shadows map[string]bool
}

// copied is a copy for the state after a load.
func (f finder) copied() finder {
	f.above, f.tops = slices.Clip(f.above), maps.Clone(f.tops)
	for path, t := range f.tops {
		x := *t
		f.tops[path] = &x
	}
	return f
}

// shadowed reports whether a library name may be the user's own module: only
// names that no framework or standard module uses are looked up first, so a
// local file random.py next to the model does shadow as in Python. What is built in
// is known better than what the sources of an installed package say; torchvision is
// there in parts.
func (f *finder) shadowed(name string) bool {
	top, _, _ := strings.Cut(name, ".")
	switch top {
	case "torch", "numpy", "chainer", "builtins", "_shapecheck", "typing", "collections", "abc", "enum", "dataclasses", "functools":
		return false
	case "torchvision":
		// Sources of data sets read files, of which nothing is known.
		return name != "torchvision.datasets" && !strings.HasPrefix(name, "torchvision.datasets.")
	}
	shadowed, ok := f.shadows[top]
	if !ok {
		path, dirs, found := f.findLocal(top)
		shadowed = !found || !installed(path) && !f.insidePackage(path, dirs)
		if f.shadows == nil {
			f.shadows = map[string]bool{}
		}
		f.shadows[top] = shadowed
	}
	return shadowed
}

// insidePackage reports whether a module that was found lies in the folder of a package:
// there Python finds it as a part of that package only.
func (f *finder) insidePackage(path string, dirs []string) bool {
	dir := filepath.Dir(path)
	if len(dirs) > 0 {
		dir = filepath.Dir(dirs[0])
	}
	_, err := f.fs.Stat(filepath.Join(dir, "__init__.py"))
	return err == nil
}

// findUser finds the file of a module under the roots; of a package dirs are where
// its modules are.
func (f *finder) findUser(name string) (path string, dirs []string, ok bool) {
	if path, dirs, ok = f.findLocal(name); ok {
		return path, dirs, true
	}
	if last := name[strings.LastIndexByte(name, '.')+1:]; !isIdentifier(last) {
		return "", nil, false
	}
	if lib.Known(name) && name != "torchvision" { // which is built in as parts
		return "", nil, false
	}
	return f.findInstalled(name)
}

// findLocal is findUser without what the environment has.
func (f *finder) findLocal(name string) (path string, dirs []string, ok bool) {
	last, roots := f.rootsOf(name)
	return f.findIn(roots, last)
}

// findIn finds the file of a module in folders.
func (f *finder) findIn(roots []string, last string) (path string, dirs []string, ok bool) {
	for _, root := range roots {
		dir := filepath.Join(root, last)
		if path := filepath.Join(dir, "__init__.py"); f.readable(path) {
			return path, []string{dir}, true
		}
		if path := dir + ".py"; f.readable(path) && !f.isPackagedScript(path) {
			return path, nil, true
		}
	}
	return "", nil, false
}

// isPackagedScript reports whether a file is the script that runs, in the folder of a package, or lies beside it and has the
// package's name: what the script imports by that name is another package, as python -m finds it.
func (f *finder) isPackagedScript(path string) bool {
	if f.cfg.Script == nil || !f.readable(filepath.Join(filepath.Dir(path), "__init__.py")) {
		return false
	}
	main := f.mainFile.Place()
	if path == main {
		return true
	}
	dir, err := f.fs.Abs(filepath.Dir(path))
	return err == nil && filepath.Dir(path) == filepath.Dir(main) && filepath.Base(path) == filepath.Base(dir)+".py"
}

// rootsOf gives the folders in which a module may be, and its name there; none when
// it is in no package of the user.
func (f *finder) rootsOf(name string) (last string, roots []string) {
	parts := strings.Split(name, ".")
	roots = f.cfg.Roots
	if len(parts) == 1 && f.packaged != "" { // that is no folder of sys.path
		roots = slices.DeleteFunc(slices.Clone(roots), func(r string) bool { return r == f.packaged })
	}
	if len(parts) == 1 && !lib.Known(name) {
		roots = append(roots[:len(roots):len(roots)], f.above...)
	}
	if len(parts) > 1 {
		p := f.modules[strings.Join(parts[:len(parts)-1], ".")]
		if p == nil || p.Prelude {
			return "", nil
		}
		roots = p.Dirs
	}
	if last = parts[len(parts)-1]; !isIdentifier(last) {
		return "", nil
	}
	return last, roots
}

// hasCompiled reports whether a module of a folder is an extension module, such as
// _C.cpython-311-x86_64-linux-gnu.so.
func (f *finder) hasCompiled(dir, name string) bool {
	entries, err := f.fs.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		ext := filepath.Ext(e.Name())
		return strings.HasPrefix(e.Name(), name+".") && (ext == ".so" || ext == ".pyd")
	})
}

func isIdentifier(s string) bool {
	return s != "" && !strings.ContainsAny(s, "/\\.:\x00")
}

// hasPython tells a namespace package from any folder: Python takes both, and a folder without code is seldom
// meant.
func (f *finder) hasPython(dir string) bool {
	entries, err := f.fs.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".py") || e.IsDir() && isIdentifier(e.Name()) {
			return true
		}
	}
	return false
}

// readable reports whether path is a regular file that may be read.
func (f *finder) readable(path string) bool {
	if dir := filepath.Dir(path); installed(dir) { // few look-ups of the file system, for many modules
		switch kind, ok := f.listing(dir)[filepath.Base(path)]; {
		case !ok:
			return false
		case kind.IsRegular():
			return true
		}
	}
	info, err := f.fs.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// liesIn reports whether an absolute path is dir or lies in it.
func liesIn(path, dir string) bool {
	if rest, ok := strings.CutPrefix(path, dir); ok && rest != "" && rest[0] == filepath.Separator {
		return true
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

package infer

// This file finds the files of modules under the roots, and looks at folders.
//
// It also says what files are called. The same project has the same names on every
// machine: they are relative to its folder.
//
// It also tells the project's own files from those of libraries. A comment with
// wrong sizes in a library that somebody else maintains is no finding of the
// project that uses it.

import (
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/infer/lib"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
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
	abs      map[string]string      // paths made absolute
	units    map[*source.File]*unit // that the run asked for
	ownFiles map[*source.File]bool  // see isProjectFile
	env      *pyenv.Environment     // nil: it was not looked for; see environment.go
	follows  map[string]bool        // packages of the environment that are followed
	// dists are the installed distributions by their normal names, distOrder in the
	// order of the roots; see environment.go.
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

// newFile makes the file that was opened at path.
func (f *finder) newFile(name, path, text string) *source.File {
	return f.asShown(source.NewFile(name, text), path)
}

// sourceFile is newFile for a file of the disk, of which lines are printed if it has the name of Python code.
func (f *finder) sourceFile(name, path, text string) *source.File {
	file := f.newFile(name, path, text)
	file.Hidden = !reads.IsSource(path)
	return file
}

// asShown gives a file its path and what findings call it.
func (f *finder) asShown(file *source.File, path string) *source.File {
	if path != file.Name {
		file.Path = path
	}
	if shown := f.shown(path); shown != path {
		file.Shown = shown
	}
	return file
}

// shown is what findings call a file: relative to the project's folder, else to the
// working directory; a file outside of both is called as it was opened.
func (f *finder) shown(path string) string {
	abs := f.absolute(path)
	for _, dir := range []string{f.cfg.Base, "."} {
		if dir == "" {
			continue
		}
		if rel, err := filepath.Rel(f.absolute(dir), abs); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return path
}

// displayName is what a file is called in its module's terms: relative to a root
// where possible.
func (f *finder) displayName(path string) string {
	best, abs := f.shown(path), f.absolute(path)
	for _, root := range f.packageRoots() {
		if rel, err := filepath.Rel(f.absolute(root), abs); err == nil && filepath.IsLocal(rel) && len(rel) < len(best) {
			best = rel
		}
	}
	return filepath.ToSlash(best)
}

// absolute is a path from the root; a path that cannot be made one stays as it is.
func (f *finder) absolute(path string) string {
	if abs, ok := f.abs[path]; ok {
		return abs
	}
	abs, err := f.fs.Abs(path)
	if err != nil {
		abs = path
	}
	if f.abs == nil {
		f.abs = map[string]string{}
	}
	f.abs[path] = abs
	return abs
}

// isProjectFile reports whether a file belongs to the project: the file that is checked, or
// one below its folder or below the working directory, and no installed package.
func (f *finder) isProjectFile(file *source.File) bool {
	if own, ok := f.ownFiles[file]; ok {
		return own
	}
	if f.ownFiles == nil {
		f.ownFiles = map[*source.File]bool{}
	}
	own := file == f.mainFile && f.cfg.Module == "" || f.belowProject(file.Place())
	f.ownFiles[file] = own
	return own
}

// belowProject tells the project's own files from installed ones, whose findings are not reported.
func (f *finder) belowProject(path string) bool {
	abs, err := f.fs.Abs(path)
	if err != nil {
		return false
	}
	if f.installed(abs) {
		return false
	}
	dirs := []string{"."}
	if f.cfg.File != "" {
		dirs = append(dirs, filepath.Dir(f.cfg.File))
	}
	return slices.ContainsFunc(dirs, func(dir string) bool {
		base, err := f.fs.Abs(dir)
		return err == nil && liesIn(abs, base)
	})
}

// foreign are the files of installed packages that findings name.
func (f *finder) foreign(list []*diag.Diagnostic) map[*source.File]bool {
	out, known := map[*source.File]bool{}, map[*source.File]bool{}
	note := func(at source.Span) {
		file := f.files.File(at.Start)
		if file == nil || file.Prelude || known[file] {
			return
		}
		known[file] = true
		if f.installed(file.Place()) || f.ofEnvironment(at) {
			out[file] = true
		}
	}
	for _, d := range list {
		note(d.At)
		for _, r := range d.Related {
			note(r.At)
		}
	}
	return out
}

// installed reports whether a path is in a folder of installed packages, and in no package of which the file that is checked is a part:
// that package is the project, wherever it lies.
func (f *finder) installed(path string) bool {
	if !installed(path) {
		return false
	}
	if f.mainFile == nil {
		return true
	}
	own := packageOf(f.absolute(f.mainFile.Place()))
	return own == "" || packageOf(f.absolute(path)) != own
}

// packageOf is the path of the outermost folder or file of an installed package in which a file lies; empty: it lies in none.
func packageOf(path string) string {
	parts := strings.Split(filepath.ToSlash(path), "/")
	for i := len(parts) - 2; i >= 0; i-- {
		if installed(parts[i]) {
			return strings.Join(parts[:i+2], "/")
		}
	}
	return ""
}

// installed reports whether a path is in a folder of installed packages.
func installed(path string) bool {
	parts := strings.Split(filepath.ToSlash(path), "/")
	return slices.Contains(parts, "site-packages") || slices.Contains(parts, "dist-packages")
}

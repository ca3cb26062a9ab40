// Command rename gives the module another path (main.go): it sets go.mod, rewrites the imports of
// the module's own packages and formats what it changed. With --python it gives the Python package
// another name (python.go): its folder, its metadata and what documents and tests say. Run it from
// the root of the repository:
//
//	go run ./tools/rename example.org/team/shapecheck
//	go run ./tools/rename --python NAME
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"shapecheck/internal/version"
)

func main() {
	python := flag.String("python", "", "the new name of the Python package, in place of "+version.Distribution)
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: rename [--python NAME] [NEWPATH]")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 1 || flag.NArg() == 0 && *python == "" {
		flag.Usage()
		os.Exit(2)
	}
	n := 0
	var err error
	if *python != "" {
		n, err = renamePython(".", version.Distribution, *python)
	}
	if err == nil && flag.NArg() == 1 {
		var more int
		more, err = rename(".", flag.Arg(0))
		n += more
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "rename:", err)
		os.Exit(1)
	}
	fmt.Printf("%d files rewritten\n", n)
}

// rename gives the module of a directory a path, and returns how many files it rewrote.
func rename(dir, path string) (int, error) {
	if err := module.CheckPath(path); err != nil {
		return 0, err
	}
	name := filepath.Join(dir, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	mod, err := modfile.Parse(name, data, nil)
	if err != nil {
		return 0, err
	}
	if mod.Module == nil {
		return 0, errors.New("go.mod names no module")
	}
	old := mod.Module.Mod.Path
	if err := mod.AddModuleStmt(path); err != nil {
		return 0, err
	}
	if data, err = mod.Format(); err != nil {
		return 0, err
	}
	n := 1
	err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != dir && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(p, ".go"):
			return nil
		}
		changed, err := rewrite(p, old, path)
		if changed {
			n++
		}
		return err
	})
	if err != nil {
		return n, err
	}
	return n, os.WriteFile(name, data, 0o666)
}

// rewrite replaces the module's path in the imports of a file, and in nothing else. It
// reports whether there were any.
func rewrite(name, old, path string) (bool, error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return false, err
	}
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, name, src, parser.ImportsOnly)
	if err != nil {
		return false, err
	}
	specs := slices.DeleteFunc(slices.Clone(f.Imports), func(s *ast.ImportSpec) bool {
		p, err := strconv.Unquote(s.Path.Value)
		return err != nil || p != old && !strings.HasPrefix(p, old+"/")
	})
	if len(specs) == 0 {
		return false, nil
	}
	formatted := isFormatted(src)
	for _, s := range slices.Backward(specs) {
		at := files.Position(s.Path.Pos()).Offset + 1 // behind the quote
		src = slices.Concat(src[:at], []byte(path), src[at+len(old):])
	}
	if formatted { // the order of imports may have changed
		if src, err = format.Source(src); err != nil {
			return false, err
		}
	}
	return true, os.WriteFile(name, src, 0o666)
}

func isFormatted(src []byte) bool {
	out, err := format.Source(src)
	return err == nil && bytes.Equal(out, src)
}

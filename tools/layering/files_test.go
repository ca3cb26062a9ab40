package layering

// This file holds that whoever analyses programs asks a reads.FS for files, and the
// operating system for none: an editor, a browser and an archive have other files.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// withoutDisk are the folders whose packages open no file.
var withoutDisk = []string{"infer", "parser", "symshape", "project/config", "project/suppress", "contract", "present/report", "check"}

// elsewhere are the packages below these that do: those of tests.
var elsewhere = []string{"infer/ops/opstest"}

// ofDisk are the functions of path/filepath that ask the operating system.
var ofDisk = map[string]bool{"Abs": true, "EvalSymlinks": true, "Glob": true, "Walk": true, "WalkDir": true}

func TestFilesComeFromTheirFileSystem(t *testing.T) {
	files := 0
	for _, dir := range withoutDisk {
		err := filepath.WalkDir("../../"+dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			for _, p := range elsewhere {
				if strings.HasPrefix(path, "../../"+p+"/") {
					return nil
				}
			}
			files++
			for _, what := range diskUses(t, path) {
				t.Errorf("%s uses %s: ask the reads.FS", path, what)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 200 {
		t.Errorf("only %d files", files)
	}
}

// diskUses lists what a file asks the operating system.
func diskUses(t *testing.T, path string) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	local := ""
	for _, i := range f.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		switch p {
		case "os", "io/ioutil", "syscall":
			out = append(out, "package "+p)
		case "path/filepath":
			if local = "filepath"; i.Name != nil {
				local = i.Name.Name
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok || local == "" {
			return true
		}
		if x, ok := s.X.(*ast.Ident); ok && x.Name == local && ofDisk[s.Sel.Name] {
			out = append(out, "filepath."+s.Sel.Name)
		}
		return true
	})
	return out
}

// directly lists who opens files itself, relative to the root: the packages that do it
// for all, what only tests and tools use, and single files with their reason.
var directly = []string{
	"internal/atomicfile/", "internal/localfile/",
	"tools/", "codegen/isa/protogen/", "infer/ops/opstest/", "onnx/eval/evaltest/",
	"internal/cache/key.go",         // the program itself
	"present/cli/shard.go",          // a file that must only exist
	"runtime/memory/limit_linux.go", // what the kernel says in /proc and /sys
}

// TestFilesAreOpenedInOnePlace checks that every file that a user or a file names is
// read through localfile, which refuses pipes, devices and what is too large, and
// written through atomicfile, which leaves nothing behind when the program is
// interrupted.
func TestFilesAreOpenedInOnePlace(t *testing.T) {
	opens := map[string]bool{"Open": true, "OpenFile": true, "OpenRoot": true, "Create": true, "CreateTemp": true, "ReadFile": true,
		"WriteFile": true, "MkdirTemp": true}
	files := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		name := strings.TrimPrefix(filepath.ToSlash(path), "../../")
		for _, p := range directly {
			if strings.HasPrefix(name, p) {
				return nil
			}
		}
		files++
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && opens[s.Sel.Name] {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "os" {
					t.Errorf("%s uses os.%s: read by localfile or a reads.FS, write by atomicfile", name, s.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 500 {
		t.Errorf("only %d files", files)
	}
}

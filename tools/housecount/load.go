package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"shapecheck/internal/localfile"
)

// maxFile bounds a source file, in bytes.
const maxFile = 16 << 20

// A house is the packages of one column, without tests and without what is generated here.
type house struct {
	name  string
	ours  bool
	fset  *token.FileSet
	rooms []*room
	dir   string   // the root on disk, an absolute path
	found []string // by the row that is counted, each with its place
}

// note adds to what the row found: a text and where it is.
func (h *house) note(at token.Pos, text string) {
	p := h.fset.Position(at)
	h.found = append(h.found, fmt.Sprintf("%s:%d: %s", h.relative(p.Filename), p.Line, text))
}

// A room is one package.
type room struct {
	path  string // of ours: below the module's path
	pkg   *types.Package
	info  *types.Info
	files []*file
}

type file struct {
	name string // the path on disk
	tree *ast.File
	text string
}

// load reads packages with their types. The error says which package does not compile.
func load(name, dir, pattern string) (*house, error) {
	cfg := &packages.Config{Dir: dir,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax | packages.NeedTypes |
			packages.NeedTypesInfo | packages.NeedImports | packages.NeedModule}
	list, err := packages.Load(cfg, pattern)
	if err != nil {
		return nil, err
	}
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	h := &house{name: name, dir: root}
	for _, p := range list {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s: %v", p.PkgPath, p.Errors[0])
		}
		h.fset = p.Fset
		r := &room{path: p.PkgPath, pkg: p.Types, info: p.TypesInfo}
		if p.Module != nil {
			r.path = strings.TrimPrefix(strings.TrimPrefix(p.PkgPath, p.Module.Path), "/")
		}
		for _, tree := range p.Syntax {
			path := p.Fset.Position(tree.Pos()).Filename
			text, err := localfile.Read(path, maxFile)
			if err != nil {
				return nil, err
			}
			// Most of go/types is made from cmd/compile/internal/types2, which people write.
			if ast.IsGenerated(tree) && r.path != "go/types" || filepath.Base(filepath.Dir(path)) == "pygen" {
				continue
			}
			r.files = append(r.files, &file{path, tree, string(text)})
		}
		if len(r.files) > 0 {
			h.rooms = append(h.rooms, r)
		}
	}
	return h, nil
}

// noteLine is note of a line of a file.
func (h *house) noteLine(f *file, number int, text string) {
	h.found = append(h.found, fmt.Sprintf("%s:%d: %s", h.relative(f.name), number, text))
}

// relative gives a path as seen from the root of the house.
func (h *house) relative(path string) string {
	if rel, err := filepath.Rel(h.dir, path); err == nil {
		return rel
	}
	return path
}

// eachFunc calls do with all functions that are declared.
func (h *house) eachFunc(do func(r *room, f *file, d *ast.FuncDecl)) {
	for _, r := range h.rooms {
		for _, f := range r.files {
			for _, d := range f.tree.Decls {
				if d, ok := d.(*ast.FuncDecl); ok {
					do(r, f, d)
				}
			}
		}
	}
}

// lines gives how many lines a node has.
func (h *house) lines(n ast.Node) int {
	return h.fset.Position(n.End()).Line - h.fset.Position(n.Pos()).Line + 1
}

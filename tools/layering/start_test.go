package layering

// This file holds what a start of the program does not wait for.

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// ofTools are the packages that no program of users has.
var ofTools = []string{"tools/", "infer/ops/opstest/"}

// TestRegularExpressionsWaitForTheirUse finds those that are compiled before main: together they are a tenth of a start in a
// browser, which translates what compiles them, too.
func TestRegularExpressionsWaitForTheirUse(t *testing.T) {
	written(t, func(name string, fset *token.FileSet, f *ast.File, _ string) {
		if strings.HasSuffix(name, "_test.go") || slices.ContainsFunc(ofTools, func(p string) bool { return strings.HasPrefix(name, p) }) {
			return
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			ast.Inspect(g, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncLit:
					return false
				case *ast.SelectorExpr:
					if x, ok := n.X.(*ast.Ident); ok && x.Name == "regexp" && n.Sel.Name == "MustCompile" {
						t.Errorf("%s: write lazyregexp.New", fset.Position(n.Pos()))
					}
				}
				return true
			})
		}
	})
}

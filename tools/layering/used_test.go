package layering

// This file holds that what is declared for two sides is met on both: a trait is named by a record and asked for, an event of a run is
// told and heard, a code of findings is reported.

import (
	"go/ast"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sides are how often a name is used on each side: by who gives, and by who takes.
type sides struct{ given, taken int }

// traitFields are the fields of a record that hold traits, by the type of these.
var traitFields = map[string]string{"Form": "Form", "Traits": "Is", "TraceTraits": "Trace", "Quirks": "Quirks"}

// isTraitField reports whether a field of a record holds traits.
func isTraitField(name string) bool {
	for _, f := range traitFields {
		if f == name {
			return true
		}
	}
	return false
}

// TestEveryTraitIsGivenAndAskedFor finds a trait that no record has, and one that nothing asks for.
func TestEveryTraitIsGivenAndAskedFor(t *testing.T) {
	traits := map[string]*sides{}
	written(t, func(name string, _ *token.FileSet, f *ast.File, _ string) {
		if dir := path.Dir(name); dir == "infer/graph" || dir == "infer/ops" {
			for _, c := range constants(f, func(typ string) bool { return traitFields[typ] != "" }) {
				if c.name != "NoForm" {
					traits[f.Name.Name+"."+c.name] = &sides{}
				}
			}
		}
	})
	if len(traits) < 100 {
		t.Fatalf("only %d traits were found", len(traits))
	}
	written(t, func(file string, _ *token.FileSet, f *ast.File, _ string) {
		if strings.HasSuffix(file, "_test.go") {
			return
		}
		eachName(f, func(name string, above []ast.Node) {
			switch d := traits[name]; {
			case d == nil:
			case givesTrait(above):
				d.given++
			default:
				d.taken++
			}
		})
	})
	for name, d := range traits {
		if d.given == 0 {
			t.Errorf("no record has the trait %s", name)
		}
		if d.taken == 0 {
			t.Errorf("nothing asks for the trait %s", name)
		}
	}
}

// givesTrait reports whether a record, or a name for several traits, has what stands below these nodes.
func givesTrait(above []ast.Node) bool {
	for _, n := range slices.Backward(above) {
		switch n := n.(type) {
		case *ast.BinaryExpr, *ast.SelectorExpr, *ast.ParenExpr:
			continue
		case *ast.KeyValueExpr:
			k, ok := n.Key.(*ast.Ident)
			return ok && isTraitField(k.Name)
		case *ast.AssignStmt:
			to, ok := n.Lhs[0].(*ast.SelectorExpr)
			return ok && isTraitField(to.Sel.Name)
		case *ast.ValueSpec:
			return true
		}
		return false
	}
	return false
}

// A constant is one of a type that the file names, with its value where that is a text.
type constant struct{ name, text string }

// constants are those of a file that have a type, in which those that repeat it by iota are.
func constants(f *ast.File, wanted func(typ string) bool) []constant {
	var list []constant
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		typ := ""
		for _, s := range g.Specs {
			s := s.(*ast.ValueSpec)
			if id, ok := s.Type.(*ast.Ident); ok {
				typ = id.Name
			} else if len(s.Values) > 0 {
				typ = ""
			}
			if !wanted(typ) {
				continue
			}
			for i, id := range s.Names {
				c := constant{name: id.Name}
				if i < len(s.Values) {
					if b, ok := s.Values[i].(*ast.BasicLit); ok {
						c.text, _ = strconv.Unquote(b.Value)
					}
				}
				list = append(list, c)
			}
		}
	}
	return list
}

// eachName visits the names that a file uses, as package.Name also those of its own package, with the nodes above them.
func eachName(f *ast.File, visit func(name string, above []ast.Node)) {
	var above []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			above = above[:len(above)-1]
			return true
		}
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				visit(x.Name+"."+n.Sel.Name, above)
			}
		case *ast.Ident:
			if up, ok := above[len(above)-1].(*ast.ValueSpec); !ok || !slices.Contains(up.Names, n) {
				visit(f.Name.Name+"."+n.Name, above)
			}
		}
		above = append(above, n)
		return true
	})
}

// textOfLibrary is all Python of the library.
func textOfLibrary(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, name := range tracked(t) {
		if strings.HasPrefix(name, "infer/lib/") && strings.HasSuffix(name, ".py") {
			data, err := os.ReadFile(filepath.Join(root, name))
			if err != nil {
				t.Fatal(err)
			}
			all.Write(data)
		}
	}
	return all.String()
}

// TestEveryCodeIsReported finds a code that neither Go nor Python of the product reports.
func TestEveryCodeIsReported(t *testing.T) {
	codes := map[string]string{}
	written(t, func(name string, _ *token.FileSet, f *ast.File, _ string) {
		if name != "internal/diag/codes.go" {
			return
		}
		for _, c := range constants(f, func(typ string) bool { return typ == "Code" }) {
			codes["diag."+c.name] = c.text
		}
	})
	if len(codes) < 50 {
		t.Fatalf("only %d codes were found", len(codes))
	}
	used := map[string]bool{}
	written(t, func(file string, _ *token.FileSet, f *ast.File, _ string) {
		if path.Dir(file) != "internal/diag" && !strings.HasSuffix(file, "_test.go") {
			eachName(f, func(name string, _ []ast.Node) { used[name] = true })
		}
	})
	python := textOfLibrary(t)
	for name, code := range codes {
		if !used[name] && !strings.Contains(python, "'"+code+"'") {
			t.Errorf("nothing reports %s (%s)", name, code)
		}
	}
}

// TestEveryEventIsToldAndHeard finds an event of tracers that the engine does not tell, or that no tracer hears.
func TestEveryEventIsToldAndHeard(t *testing.T) {
	events := map[string]*sides{}
	written(t, func(name string, _ *token.FileSet, f *ast.File, _ string) {
		if name != "infer/tracer.go" {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.TypeSpec); ok && strings.HasSuffix(s.Name.Name, "Tracer") {
				if i, ok := s.Type.(*ast.InterfaceType); ok {
					for _, m := range i.Methods.List {
						events[m.Names[0].Name] = &sides{}
					}
				}
			}
			return true
		})
	})
	if len(events) < 25 {
		t.Fatalf("only %d events were found", len(events))
	}
	written(t, func(name string, _ *token.FileSet, f *ast.File, _ string) {
		if strings.HasSuffix(name, "_test.go") || !strings.HasPrefix(name, "infer/") && !strings.HasPrefix(name, "trace/") {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if d := events[n.Name.Name]; d != nil && n.Recv != nil && receiver(n) != "Nop" {
					d.taken++
				}
			case *ast.CallExpr:
				if s, ok := n.Fun.(*ast.SelectorExpr); ok && path.Dir(name) == "infer" && events[s.Sel.Name] != nil {
					events[s.Sel.Name].given++
				}
			}
			return true
		})
	})
	for name, d := range events {
		if d.given == 0 {
			t.Errorf("the engine never tells the event %s", name)
		}
		if d.taken == 0 {
			t.Errorf("no tracer hears the event %s", name)
		}
	}
}

// receiver is the name of the type of a method's receiver.
func receiver(d *ast.FuncDecl) string {
	x := d.Recv.List[0].Type
	if p, ok := x.(*ast.StarExpr); ok {
		x = p.X
	}
	if id, ok := x.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

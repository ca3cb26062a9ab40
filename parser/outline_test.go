package parser_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
)

// checkOutline holds the outline of a text, with each function parsed later, against
// the tree of the whole; it gives how many functions were left out.
func checkOutline(t testing.TB, text string) int {
	t.Helper()
	f := source.NewFile("t.py", text)
	if err := source.NewFileSet().Add(f); err != nil {
		t.Fatal(err)
	}
	whole, faults := parser.Parse(f)
	tree, outline, diags := parser.ParseOutline(f)
	resolve.Resolve(tree)
	n := 0
	for _, d := range outlined(tree) {
		n++
		m, def, more := outline.Parse(d)
		diags = append(diags, more...)
		resolve.Resolve(m)
		if def == nil {
			continue
		}
		if def.Outline {
			t.Fatalf("the function %s of %q has no body", def.Name.Name, text)
		}
		d.Body, d.Outline = def.Body, false
	}
	if len(faults) > 0 {
		if len(diags) == 0 {
			t.Fatalf("%q: the outline and its functions have no fault, the whole has: %s", text, faults[0].Msg)
		}
		return n
	}
	if len(diags) > 0 {
		t.Fatalf("%q is valid, but not in parts: %s", text, diags[0].Msg)
	}
	opts := ast.DumpOptions{Attributes: true}
	if diff := cmp.Diff(ast.Dump(whole, opts), ast.Dump(tree, opts)); diff != "" {
		t.Fatalf("%q: the parts are not the whole:\n%s", text, diff)
	}
	return n
}

// outlined are the functions that a tree leaves out.
func outlined(m *ast.Module) []*ast.FunctionDef {
	var out []*ast.FunctionDef
	ast.Inspect(m, func(n ast.Node) bool {
		if def, ok := n.(*ast.FunctionDef); ok && def.Outline {
			out = append(out, def)
		}
		return true
	})
	return out
}

func TestOutlineOfRecordedPrograms(t *testing.T) {
	data, err := os.ReadFile("testdata/conformance.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i, line := range strings.Split(string(data), "\n") {
		if line == "" || line[0] != '+' && line[0] != '-' {
			continue
		}
		text, err := strconv.Unquote(line[2:])
		if err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		if text, err = parser.Decode([]byte(text)); err == nil {
			n += checkOutline(t, text)
		}
	}
	if n < 5 {
		t.Errorf("only %d functions were left out", n)
	}
}

func TestOutlineOfTheLibrary(t *testing.T) {
	n := 0
	err := filepath.WalkDir("../infer/lib/py", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".py" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n += checkOutline(t, string(data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 1000 {
		t.Errorf("only %d functions were left out", n)
	}
}

func TestOutlineLeavesOut(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
	}{
		{"def f(): return 1\n", 0},
		{"def f():\n  def g():\n    return 1\n  return g\n", 1},
		{"async def f():\n  pass\n", 1},
		{"class A:\n  'doc'\n  def f(self):\n    'doc'\n    return super().f()\n  class B:\n    @d\n    def g(self) -> int:\n      # a comment\n      return 1\n", 2},
		{"if a:\n  def f():\n    'doc'\nelse:\n  def f():\n    'doc' % x\n    return 1\n", 2},
		{"def f(a=lambda: 1, *b: 'def', **c):\n  return 1\nx = 1\n", 1},
		{"def f():\n  return 1\n \ndef g():\n\treturn 1\n", 2},
		{"def f():\n  return (\n", 0},          // the file is not one of tokens
		{"def f(:\n  return 1\n", 0},           // the outline has a fault
		{"def f():\n  return 1 +\nx = 1\n", 1}, // the function has
	} {
		if got := checkOutline(t, c.text); got != c.n {
			t.Errorf("%q: %d functions are left out instead of %d", c.text, got, c.n)
		}
	}
}

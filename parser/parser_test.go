package parser_test

import (
	"strings"
	"testing"

	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
)

// What one file leaves in the memory of the parser changes nothing in the next: neither in the
// tree of that nor in the one made before.
func TestARunLeavesNothingToTheNext(t *testing.T) {
	parse := func(text string) (*ast.Module, int) {
		f := source.NewFile("t.py", text)
		if err := source.NewFileSet().Add(f); err != nil {
			t.Fatal(err)
		}
		m, diags := parser.Parse(f)
		return m, len(diags)
	}
	dump := func(m *ast.Module) string { return ast.Dump(m, ast.DumpOptions{Attributes: true}) }
	text := "@d\nclass A(B, k=1):\n    def f(self, x: int = 2, *a, **k):\n        return [f'{y:{x}}' for y in x if (y := x[1:2])] < 3\n"
	first, _ := parse(text)
	want := dump(first)
	for _, other := range []string{"", "x = (1, 2\n", "def f(:\n", "match x:\n    case [1, *y] if y: pass\n", strings.Repeat("a = b.c(d, e=f)\n", 500), "async def g[T](a, /, *, b): await a\n"} {
		other, faults := parse(other)
		before := dump(other)
		m, n := parse(text)
		if got := dump(m); n > 0 || got != want || dump(first) != want || m.NumNames != first.NumNames || m.NumScopes != first.NumScopes {
			t.Errorf("after a file with %d faults the tree is another:\n%s\nwant:\n%s", faults, got, want)
		}
		if after := dump(other); after != before {
			t.Errorf("the next file changed a tree:\n%s\nit was:\n%s", after, before)
		}
	}
}

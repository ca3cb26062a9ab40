package parser_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
	"shapecheck/parser/resolve"
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
	names, _ := resolve.Resolve(first)
	at := names.Bind(0, "A")
	for _, other := range []string{"", "x = (1, 2\n", "def f(:\n", "match x:\n    case [1, *y] if y: pass\n",
		strings.Repeat("a = b.c(d, e=f)\n", 500), "async def g[T](a, /, *, b): await a\n"} {
		other, faults := parse(other)
		before := dump(other)
		resolve.Resolve(other)
		m, n := parse(text)
		if got := dump(m); n > 0 || got != want || dump(first) != want || m.NumNames != first.NumNames || m.NumScopes != first.NumScopes {
			t.Errorf("after a file with %d faults the tree is another:\n%s\nwant:\n%s", faults, got, want)
		}
		again, _ := resolve.Resolve(m)
		if diff := cmp.Diff(names.Names, again.Names); diff != "" || names.Bind(0, "A") != at || again.Bind(0, "A") != at ||
			at.Kind != resolve.Global {
			t.Errorf("the names mean something else: A is %v and %v\n%s", names.Bind(0, "A"), again.Bind(0, "A"), diff)
		}
		for i, s := range names.Scopes {
			if diff := cmp.Diff(s.Locals, again.Scopes[i].Locals); diff != "" {
				t.Errorf("the variables of scope %d are others:\n%s", i, diff)
			}
		}
		if after := dump(other); after != before {
			t.Errorf("the next file changed a tree:\n%s\nit was:\n%s", after, before)
		}
	}
}

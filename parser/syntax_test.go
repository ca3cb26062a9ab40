package parser_test

// This file checks which version of Python a text needs.

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
)

func TestFeaturesOfNewerVersions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"def f(a, /, *b, c=1): return *b, (d := a)", ""},
		{"@a.b(c)\n@d\nclass C: pass", ""},
		{"@a[0].b\n@(lambda f: f)\n@c()()\ndef f(): pass", "3.9 a[0].b; 3.9 lambda f: f; 3.9 c()()"},
		{"with (a, b): pass\nwith (a) as b, c: pass", ""},
		{"with (a as b, c): pass", "3.9 b"},
		{"for x in *a, b: pass\nfor x in (*a, b): pass", "3.9 *a"},
		{"match = 1\nmatch(x)", ""},
		{"match x:\n case 1: pass", "3.10 match"},
		{"x[a := 1]\nx[(a := 1)]\n{a := 1}\n{(a := 1)}\n{a := b for b in c}\n{(a := b) for b in c}\nf(a := 1)",
			"3.10 a := 1; 3.10 a := 1; 3.10 a := b"},
		{"try: pass\nexcept* A: pass", "3.11 except*"},
		{"x[*a]\nx[b, *a] = 1\nx[(*a,)]", "3.11 *a; 3.11 *a"},
		{"def f(*a: *b, c: d): pass", "3.11 *b"},
		{"type X = int\ntype = 1", "3.12 type"},
		{"def f[T, *U](): pass\nclass C[T: int]: pass", "3.12 [T, *U]; 3.12 [T: int]"},
		{"class C[T = int]: pass", "3.12 [T = int]; 3.13 int"},
		{"try: pass\nexcept (A, B): pass\nexcept (A, B) as c: pass", ""},
		{"try: pass\nexcept A, B: pass", "3.14 A, B"},
		{"try: pass\nexcept (A), (B): pass", "3.14 (A), (B)"},
		{"t'{x}' tr''\nf'{t\"a\"}'", "3.14 t'{x}'; 3.14 tr''; 3.14 t\"a\""},
		// Fields of f-strings.
		{"f'{a!r:>{b}}' f\"{a['b']}\" f'''{\"a\"} {'b'}''' f'\\n{a}'", ""},
		{"f'{a['b']}'", "3.12 '"},
		{"f'{f'{a}'}'", "3.12 f'"},
		{"f\"{f'{a}'}\"", ""},
		{"f\"{a('\\n')}\"", "3.12 \\"},
		{"f\"{f'{a}\\n'}\"", "3.12 \\"},
		{"f\"{rb'''\\n'''}\"", "3.12 rb'''\\n'''"},
		{"f'''{a['b']} {\nc\n}'''", ""},
		{"f'{a\n}'", "3.12 \n"},
		{"f'''{a # b\n}'''", "3.12 # b"},
		{"f'''{a \\\n}'''", "3.12 \\"},
		{"# c\nx = 'a\\n' \\\n  \"b\\n\"", ""},
	} {
		f := newSource(t, c.text+"\n")
		m, diags := parser.Parse(f)
		if len(diags) > 0 {
			t.Errorf("%q: %s", c.text, diags[0].Msg)
		}
		slices.SortFunc(m.Features, func(a, b ast.Feature) int { return int(a.At.Start) - int(b.At.Start) })
		var list []string
		for _, x := range m.Features {
			list = append(list, fmt.Sprintf("3.%d %s", x.Syntax.Minor(), f.Text()[f.Offset(x.At.Start):f.Offset(x.At.End)]))
		}
		if got := strings.Join(list, "; "); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

func newSource(t *testing.T, text string) *source.File {
	t.Helper()
	f := source.NewFile("t.py", text)
	if err := source.NewFileSet().Add(f); err != nil {
		t.Fatal(err)
	}
	return f
}

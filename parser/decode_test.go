package parser_test

// This file checks decoding and ParseExpr.

import (
	"strings"
	"testing"

	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
)

func TestDecode(t *testing.T) {
	for _, c := range []struct{ name, data, want, err string }{
		{"utf-8 without a declaration", "x = 'é'\n", "x = 'é'\n", ""},
		{"byte order mark is dropped", "\ufeffx\n", "x\n", ""},
		{"declaration in the first line", "# -*- coding: latin-1 -*-\nx = '\xe9'\n", "# -*- coding: latin-1 -*-\nx = 'é'\n", ""},
		{"declaration in the second line", "#!/usr/bin/python\r\n# vim: set fileencoding=cp1252 :\r\n'\x80'\n",
			"#!/usr/bin/python\r\n# vim: set fileencoding=cp1252 :\r\n'€'\n", ""},
		{"no declaration after code", "x\n# coding: latin-1\n'é'\n", "x\n# coding: latin-1\n'é'\n", ""},
		{"declaration after a blank line is none", "\n\n# coding: nonsense\n", "\n\n# coding: nonsense\n", ""},
		{"invalid utf-8", "x = 1\ny = '\xe9'\n", "", "line 2: invalid UTF-8 byte 0xe9"},
		{"unknown encoding", "# coding: nonsense\n", "", "unknown encoding 'nonsense'"},
		{"ascii", "# coding: ascii\n'\xe9'", "", "byte 0xe9 is not ASCII"},
		{"byte order mark with another encoding", "\ufeff# coding: latin-1\n", "", "byte order mark"},
		{"null byte", "x\x00", "", "null bytes"},
	} {
		got, err := parser.Decode([]byte(c.data))
		switch {
		case c.err == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: got error %v, want %q", c.name, err, c.err)
		case got != c.want:
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestParseExpr(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"torch.zeros(2, h)", "Expr(value=Call("},
		{"  (1,\n 2)  # pair\n", "Expr(value=Tuple("},
		{"1, 2", "Expr(value=Tuple("},
		{"lambda x: x", "Expr(value=Lambda("},
		{"", "expected an expression, found the end of the file"},
		{"x = 1", "expected the end of the expression, found '='"},
		{"f(", "'(' was never closed"},
		{"x y", "expected the end of the expression, found 'y'"},
		{"pass", "expected an expression, found 'pass'"},
	} {
		f := source.NewFile("argument", c.text)
		if err := source.NewFileSet().Add(f); err != nil {
			t.Fatal(err)
		}
		m, diags := parser.ParseExpr(f)
		got := ast.Dump(m, ast.DumpOptions{})
		if len(diags) > 0 {
			got = diags[0].Msg
			if len(m.Body) > 0 {
				t.Errorf("%q: a tree in spite of %q", c.text, got)
			}
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%q: got %s, want %s", c.text, got, c.want)
		}
	}
}

func TestTreeHoldsWhatCouldBeParsed(t *testing.T) {
	m, msgs := parse(t, "import os\nclass A:\n  x = 1 1\n  def f(self): return 2\ny = = 3\nz = 4\n")
	if len(msgs) != 2 {
		t.Errorf("errors: %q", msgs)
	}
	got := ast.Dump(m, ast.DumpOptions{})
	for _, want := range []string{"Import(", "ClassDef(name='A'", "FunctionDef(name='f'", "id='z'"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in %s", want, got)
		}
	}
}

func TestNamesAndScopesAreNumbered(t *testing.T) {
	m, _ := parse(t, "def f(a, b=c):\n  return [x for x in g(k=a)], lambda y: (z := y)\ntry: pass\nexcept E as e: pass\n")
	names := make([]int, m.NumNames)
	scopes := make([]int, m.NumScopes)
	scopes[0]++
	ast.Inspect(m, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Name:
			names[n.Index]++
		case *ast.FunctionDef:
			scopes[n.Scope]++
		case *ast.ListComp:
			scopes[n.Scope]++
		case *ast.Lambda:
			scopes[n.Scope]++
		}
		return true
	})
	for i, n := range names {
		if n != 1 {
			t.Errorf("name number %d is used %d times", i, n)
		}
	}
	for i, n := range scopes {
		if n != 1 {
			t.Errorf("scope number %d is used %d times", i, n)
		}
	}
}

package resolve

// This file checks bindings and scope errors on small programs.

import (
	"fmt"
	"strings"
	"testing"

	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
)

func resolve(t *testing.T, src string) (*ast.Module, *Info, []string) {
	t.Helper()
	fs := source.NewFileSet()
	f := source.NewFile("t.py", src)
	if err := fs.Add(f); err != nil {
		t.Fatal(err)
	}
	m, diags := parser.Parse(f)
	for _, d := range diags {
		t.Fatalf("does not parse: %s", d.Msg)
	}
	info, diags := Resolve(m)
	var msgs []string
	for _, d := range diags {
		line, _ := f.LineCol(d.At.Start)
		msgs = append(msgs, fmt.Sprintf("%d: %s", line, d.Msg))
	}
	return m, info, msgs
}

// describe lists the scopes in a compact form.
func describe(info *Info) string {
	var b strings.Builder
	for _, i := range order(info) {
		s := &info.Scopes[i]
		fmt.Fprintf(&b, "%s %s(", s.Kind, s.Name)
		for j, l := range s.Locals {
			if j > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(l)
			if s.IsCell(j) {
				b.WriteByte('*')
			}
		}
		b.WriteString(")")
		for _, c := range s.Free {
			from := "free"
			if c.FromCell {
				from = "cell"
			}
			fmt.Fprintf(&b, " %s=%s%d", c.Name, from, c.Index)
		}
		if s.IsGenerator {
			b.WriteString(" generator")
		}
		if s.IsCoroutine {
			b.WriteString(" coroutine")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// order lists scopes with parents before children, by position.
func order(info *Info) []int32 {
	var out []int32
	var visit func(parent int32)
	visit = func(parent int32) {
		for i := range info.Scopes {
			if info.Scopes[i].Node != nil && info.Scopes[i].Parent == parent {
				out = append(out, int32(i))
				visit(int32(i))
			}
		}
	}
	visit(-1)
	return out
}

func TestScopes(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"parameters come first in calling order", "def f(a, /, b, *args, c, **kw):\n    x = a\n",
			"module ()\nfunction f(a b c args kw x)\n"},
		{"closure captures through a middle function", "def f(x):\n  def g():\n    def h():\n      return x\n    return h\n  return g\n",
			"module ()\nfunction f(x* g)\nfunction g(h) x=cell0\nfunction h() x=free0\n"},
		{"class names are invisible to methods", "def f():\n  y = 1\n  class C:\n    y = 2\n    def m(self):\n      return y\n",
			"module ()\nfunction f(y* C)\nclass C() y=cell0\nfunction m(self) y=free0\n"},
		{"super gives methods the class cell", "class C:\n  def m(self):\n    return super().m()\n",
			"module ()\nclass C(__class__*)\nfunction m(self) __class__=cell0\n"},
		{"walrus in a comprehension binds in the function", "def f(a):\n  return [y := x for x in a], y\n",
			"module ()\nfunction f(a y*)\ncomprehension <listcomp>(x) y=cell1\n"},
		{"first iterable is evaluated outside", "class C:\n  n = 1\n  l = [i for i in n]\n",
			"module ()\nclass C()\ncomprehension <listcomp>(i)\n"},
		{"nonlocal makes a cell", "def f():\n  n = 0\n  def g():\n    nonlocal n\n    n += 1\n",
			"module ()\nfunction f(n* g)\nfunction g() n=cell0\n"},
		{"private names are mangled", "class _C:\n  def m(self):\n    __x = 1\n    return __x\n",
			"module ()\nclass _C()\nfunction m(self _C__x)\n"},
		{"generators and coroutines", "async def f():\n  yield 1\nasync def g(a):\n  return [x async for x in a]\n",
			"module ()\nfunction f() generator coroutine\nfunction g(a) coroutine\ncomprehension <listcomp>(x) coroutine\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, info, msgs := resolve(t, c.src)
			if len(msgs) > 0 {
				t.Fatal(msgs)
			}
			got := describe(info)
			if got != c.want {
				t.Errorf("got:\n%swant:\n%s", got, c.want)
			}
		})
	}
}

func TestNameBindings(t *testing.T) {
	src := `
import os.path
k = 1
def f(a):
    global g
    g = a
    def inner(): return a, k, print, os
    b = inner
    return b
class C:
    n = 1
    m = n, k, print
`
	m, info, msgs := resolve(t, src)
	if len(msgs) > 0 {
		t.Fatal(msgs)
	}
	got := map[string]string{}
	ast.Inspect(m, func(n ast.Node) bool {
		if n, ok := n.(*ast.Name); ok {
			b := info.Names[n.Index]
			line, _ := m.File.LineCol(n.Start)
			got[fmt.Sprintf("%d %s", line, n.ID)] = fmt.Sprintf("%s %d", b.Kind, b.Slot)
		}
		return true
	})
	for key, want := range map[string]string{
		"3 k": "global 0", "6 g": "global 0", "6 a": "cell 0", "7 a": "free 0", "7 k": "global 0",
		"7 print": "builtin 0", "7 os": "global 0", "8 b": "local 2", "9 b": "local 2",
		"11 n": "class -1", "12 n": "class -1", "12 k": "class -1", "12 print": "class -1",
	} {
		if got[key] != want {
			t.Errorf("%s: got %s, want %s", key, got[key], want)
		}
	}
	if b := info.Bind(0, "os"); b.Kind != Global {
		t.Errorf("os is %s", b.Kind)
	}
	for i := range info.Scopes {
		if info.Scopes[i].Name == "f" {
			if b := info.Bind(int32(i), "inner"); b.Kind != Local || b.Slot != 1 {
				t.Errorf("inner is %v", b)
			}
		}
	}
}

func TestScopeErrors(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"return 1\n", "1: 'return' outside function"},
		{"class C:\n  yield\n", "2: 'yield' outside function"},
		{"break\n", "1: 'break' outside loop"},
		{"for x in y:\n  def f():\n    continue\n", "3: 'continue' outside loop"},
		{"for x in y:\n  try: pass\n  except* A: break\n", "3: " + leavesGroup},
		{"while x:\n  try: pass\n  except* A:\n    try: pass\n    except B: continue\n", "5: " + leavesGroup},
		{"try: pass\nexcept* A:\n  for x in y: break\n  else: break\n", "4: " + leavesGroup},
		{"def f():\n  try: pass\n  except* A:\n    for x in y: return\n", "4: " + leavesGroup},
		{"def f():\n  for x in y:\n    try: return\n    except* A:\n      def g(): return\n    else: break\n    finally: return\n  return\n", ""},
		{"def f():\n  for x in y:\n    try: pass\n    except* A: pass\n    try: pass\n    except A: return\n    if x: break\n", ""},
		{"def f(a, a): pass\n", "1: duplicate parameter 'a'"},
		{"def f():\n  x = 1\n  global x\n", "3: name 'x' is assigned to before its global declaration"},
		{"def f():\n  import x\n  global x\n  from y import z as w\n  global w\n", ""},
		{"def f():\n  print(x)\n  global x\n", "3: name 'x' is used prior to its global declaration"},
		{"def f(x):\n  global x\n", "2: name 'x' is a parameter and global"},
		{"def f():\n  nonlocal x\n", "2: no binding for nonlocal 'x' found"},
		{"nonlocal x\n", "1: nonlocal declaration not allowed at module level"},
		{"def f():\n  await x\n", "2: 'await' outside async function"},
		{"async with x: pass\n", "1: 'async with' outside async function"},
		{"f(a=1, a=2)\n", "1: keyword argument 'a' is repeated"},
		{"a, *b, *c = x\n", "1: multiple starred expressions in assignment"},
		{"*a = x\n", "1: starred assignment target must be in a list or tuple"},
		{"x = *a\n", "1: can't use starred expression here"},
		{"def f():\n  from x import *\n", "2: 'import *' is allowed only at module level"},
		{"try: pass\nexcept: pass\nexcept X: pass\n", "2: a bare 'except:' must be the last handler"},
		{"[x := 1 for x in y]\n", "1: ':=' cannot rebind the comprehension's variable 'x'"},
		{"[y for x in (z := 1) for w in (v := 2)]\n", "1: ':=' cannot be used in a comprehension's iterable"},
	} {
		_, _, msgs := resolve(t, c.src)
		if strings.Join(msgs, "; ") != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.src, strings.Join(msgs, "; "), c.want)
		}
	}
}

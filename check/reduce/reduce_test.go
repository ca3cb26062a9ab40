package reduce

import (
	"context"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"shapecheck/parser/ast"
)

const program = `"""A file."""
import os
import torch  # used


@torch.no_grad()
def f(x, y=(1, 2), *, z=3):
    # why
    if x:
        with open(x) as g:
            wanted(g, 1, [2, 3], key=4)
            g.close()
    else:
        os.remove(x); os.sync()
    text = """
    # no comment

    """
    return text


class A(B, metaclass=C):
    def m(self):
        wanted(f(A().m(1 + x[2])))
        return 1
`

// The question is what the program is reduced for; what is left is all that answers it.
func TestSmallest(t *testing.T) {
	for _, c := range []struct{ asks, want string }{
		{"", ""},
		{"# used", "import torch  # used\n"},
		{"key", "def f():\n    wanted(key=4)\n"},
		{"open", "def f():\n    with open() as g:\n        pass\n"},
		{"os.sync", "def f():\n    if x:\n        pass\n    else:\n        os; os.sync()\n"},
		{"metaclass", "class A(metaclass=C):\n    pass\n"},
		{"no_grad", "@torch.no_grad()\ndef f():\n    pass\n"},
		{"# no comment", "def f():\n    text = \"\"\"\n    # no comment\n\n    \"\"\"\n"},
		{"return 1", "class A():\n    def m():\n        return 1\n"},
	} {
		got := Smallest(t.Context(), program, func(text string) bool {
			if _, diags := parse(text); len(diags) > 0 {
				t.Fatalf("asked of a text that does not parse: %v\n%s", diags, text)
			}
			return strings.Contains(text, c.asks)
		})
		if got != c.want {
			t.Errorf("%q: got\n%s\nwant\n%s", c.asks, got, c.want)
		}
	}
}

// A statement has lines of its own where no other one stands on them.
func TestSpan(t *testing.T) {
	for _, c := range []struct {
		text, lines string // of the last statement of the text; empty: another one shares them
	}{
		{"a\nb\n", "b\n"},
		{"a\nb", "b"},
		{"a\nb  # c\n# d\n", "b  # c\n"},
		{"a; b\n", ""},
		{"a\nb;\n", ""},
		{"a\nb(\n  c)\n", "b(\n  c)\n"},
		{"(a\n  @ b); c\n", ""},
		{"a\nif b:\n    c\n", "if b:\n    c\n"},
		{"a\n@b\ndef c(): d\n", "@b\ndef c(): d\n"},
		{"a\n@ b\n@c(\n 1)\nclass d: e\n", "@ b\n@c(\n 1)\nclass d: e\n"},
	} {
		m, diags := parse(c.text)
		if len(diags) > 0 {
			t.Fatalf("%q: %v", c.text, diags)
		}
		start, end, ok := span(m.File, m.Body[len(m.Body)-1])
		if got := c.text[start:end]; ok != (c.lines != "") || ok && got != c.lines {
			t.Errorf("%q: got %q, %v", c.text, got, ok)
		}
	}
	m, _ := parse("a; b\n")
	if _, _, ok := span(m.File, m.Body[0]); ok {
		t.Error("a; b: the first statement has the line alone")
	}
	m, _ = parse("if a: b\n")
	if _, _, ok := span(m.File, m.Body[0].(*ast.If).Body[0]); ok {
		t.Error("if a: b: the body has the line alone")
	}
}

// What does not parse has nothing taken out.
func TestTextsThatDoNotParseStay(t *testing.T) {
	for _, text := range []string{"a = (\n\n  # b\n", "a b \n\n"} {
		if got := withoutEmptyLines(text); got != text {
			t.Errorf("%q without empty lines: %q", text, got)
		}
		if got := withoutComments(text); got != text {
			t.Errorf("%q without comments: %q", text, got)
		}
	}
}

func TestSmallestStopsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	asked := 0
	got := Smallest(ctx, program, func(text string) bool {
		if asked++; asked == 3 {
			stop()
		}
		return strings.Contains(text, "wanted")
	})
	if asked != 3 || !strings.Contains(got, "wanted") {
		t.Errorf("asked %d times, got\n%s", asked, got)
	}
}

func TestSpaced(t *testing.T) {
	got := Spaced("import a\nclass A:\n    x = 1\n    def f(): pass\n    def g(): pass\ny = 2\n")
	want := "import a\n\n\nclass A:\n    x = 1\n\n    def f(): pass\n\n    def g(): pass\n\n\ny = 2\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

const joined = `
-- pkg/main.py --
from __future__ import annotations
import pkg.parts.deep
import numpy as np, pkg.parts.deep as d
from . import nothing, names, third
from .names import WIDTH as W, helper as h
from .names import *
from torch import nn
__all__ = ["Net"]
def helper(y, W): return h(y) + W
once = 1; once = 2
class Net(nn.Module):
    def forward(self, x):
        from .late import late
        return late(d.f(x), pkg.parts.deep.f, names.WIDTH, W, helper, pkg.parts.deep, third.helper)
if __name__ == "__main__":
    Net()
-- pkg/names.py --
from __future__ import annotations
from torch import nn
from .parts import deep; WIDTH = 3
def helper(x): return deep.f(x)
if __name__ == "__main__":
    helper(1)
-- pkg/third.py --
def helper(z): return z
a = 1; b = 2
-- pkg/parts/__init__.py --
-- pkg/parts/deep.py --
def f(x): return x
-- pkg/late.py --
def late(*x): return x
-- other/late.py --
def late(): return None
-- want --
from __future__ import annotations
def f(x): return x
from torch import nn
pass; WIDTH = 3
def helper(x): return f(x)
def helper_2(z): return z
a = 1; b = 2
def late(*x): return x
pkg = __import__('types').SimpleNamespace(parts=__import__('types').SimpleNamespace(deep=__import__('types').SimpleNamespace(f=f)))
import numpy as np
from torch import nn
def helper_3(y, W): return helper(y) + W
once = 1; once = 2
class Net(nn.Module):
    def forward(self, x):
        pass
        return late(f(x), f, WIDTH, WIDTH, helper_3, pkg.parts.deep, helper_2)
if __name__ == "__main__":
    Net()
`

func TestJoin(t *testing.T) {
	a := txtar.Parse([]byte(joined))
	var list []Module
	want := ""
	for _, f := range a.Files {
		if f.Name == "want" {
			want = string(f.Data)
		} else {
			list = append(list, Module{f.Name, string(f.Data)})
		}
	}
	got, err := Join(list[0], list[1:])
	if err != nil || got != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
	for _, c := range []struct{ main, other, want string }{
		{"from m import f\n", "def (:\n", "m.py: "},
	} {
		_, err := Join(Module{"main.py", c.main}, []Module{{"m.py", c.other}})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %s", c.main, err, c.want)
		}
	}
}

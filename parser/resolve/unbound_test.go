package resolve

// This file checks which names are found that nothing binds.

import (
	"strings"
	"testing"
)

func TestUnbound(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"functions", "def f(a):\n    return a + b + len(c)\n", "b c"},
		{"bound later in the module", "def f():\n    return g()\ndef g():\n    return 1\n", ""},
		{"an enclosing function", "def f(a):\n    def g():\n        return a + b\n    return g\n", "b"},
		{"comprehensions", "def f(xs):\n    return [x + y for x in xs if x], x\n", "y x"},
		{"walrus", "def f(xs):\n    if any((y := x) for x in xs):\n        return y\n", ""},
		{"a handler's name", "def f():\n    try:\n        pass\n    except ValueError as e:\n        return e, err\n", "err"},
		{"deleted", "def f():\n    x = 1\n    del x\n    return x\n", ""},
		{"imports", "import a.b, c as d\nfrom e import f as g\nprint(a, b, c, d, e, f, g)\n", "b c e f"},
		{"star import", "from a import *\nprint(b)\n", ""},
		{"exec", "def f():\n    exec('b = 1')\n    return b\n", ""},
		{"globals", "globals()['b'] = 1\nprint(b)\n", ""},
		{"locals of the module", "locals().update(b=1)\nprint(b)\n", ""},
		{"locals of a function", "def f():\n    return locals(), b\n", "b"},
		{"global statement", "def f():\n    global b\n    b = 1\ndef g():\n    return b\n", ""},
		{"class names", "class A:\n    x = 1\n    y = x + z\n    def f(self):\n        return x\n", "z x"},
		{"class body names", "class A:\n    print(__module__, __qualname__)\n    def f(self):\n        return __class__, __qualname__\n", "__qualname__"},
		{"private names", "class A:\n    __t = 1\n    def f(self):\n        return __t\n    u = __t\n", "__t"},
		{"module names", "print(__file__, __name__, __all__)\n", "__all__"},
		{"caught", "try:\n    text = unicode\nexcept NameError:\n    text = other\n", "other"},
		{"another fault is caught", "try:\n    text = unicode\nexcept KeyError:\n    pass\n", "unicode"},
		{"annotations", "def f(a: A) -> B:\n    x: C = 1\n    return x\n", "A B"},
		{"annotations that are not evaluated", "from __future__ import annotations\ndef f(a: A) -> B:\n    return c\ny: D = 1\n", "c"},
		{"defaults and decorators", "@d\ndef f(a=b):\n    pass\n", "d b"},
		{"lambda", "f = lambda a, b=c: a + b + d\n", "c d"},
		{"match", "def f(x):\n    match x:\n        case [a, *rest]:\n            return a, rest, b\n", "b"},
		{"texts", "def f(a):\n    return f'{a} {b!r}'\n", "b"},
		{"attributes and keywords", "def f(a):\n    return a.b(c=a)\n", ""},
		{"type parameters", "def f[T](a: T) -> T:\n    return a\nclass A[U]:\n    x: U\n", ""},
		{"with", "def f(a):\n    with a as b, c as d:\n        return b, d\n", "c"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, info, _ := resolve(t, tc.src)
			var names []string
			for _, n := range info.Unbound(m) {
				names = append(names, n.ID)
			}
			if got := strings.Join(names, " "); got != tc.want {
				t.Errorf("got %q, want %q in\n%s", got, tc.want, tc.src)
			}
		})
	}
}

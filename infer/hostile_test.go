package infer_test

// This file lists hostile programs: endless, huge, deep or malformed.
//
// It also runs hostile programs with the limits of the program: whatever a file
// says, a run ends soon, in bounded memory, and never in an internal error.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"shapecheck/infer"
)

var hostile = []struct{ name, text, entry, arg string }{
	{"endless while", "def forward(x):\n    while True:\n        x = x + 1\n", "", "x:f32[B,4]"},
	{"endless while on data", "def forward(x):\n    n = 0\n    while n >= 0:\n        n += 1\n        if x.sum() > n: continue\n    return n\n", "", "x:f32[B,4]"},
	{"endless top level", "while 1:\n    pass\n", "print", ""},
	{"endless generator", "def g():\n    while True:\n        yield 1\ndef forward(x):\n    return list(g())\n", "", "x:f32[B,4]"},
	{"itertools without end", "import itertools\ndef forward(x):\n    return list(itertools.count()), [i for i in itertools.cycle([x])]\n",
		"", "x:f32[B,4]"},
	{"recursion", "def f(n):\n    return f(n + 1)\ndef forward(x):\n    return f(0)\n", "", "x:f32[B,4]"},
	{"recursion on data", "def f(x):\n    if x.sum() > 0:\n        return f(x - 1)\n    return f(x + 1)\ndef forward(x):\n    return f(x)\n",
		"", "x:f32[B,4]"},
	{"recursion in repr", "class A:\n    def __repr__(self):\n        return repr(self)\ndef forward(x):\n    return str(A())\n", "",
		"x:f32[B,4]"},
	{"recursion in getattr", "class A:\n    def __getattr__(self, n):\n        return getattr(self, n + 'a')\ndef forward(x):\n    return A().b\n", "", "x:f32[B,4]"},
	{"list that holds itself", "def forward(x):\n    a = []\n    a.append(a)\n    d = {}\n    d['d'] = d\n    return a, d, a == a, str(a), [a, d]\n", "", "x:f32[B,4]"},
	{"huge int", "def forward(x):\n    n = 10 ** 10 ** 10\n    return n ** n\n", "", "x:f32[B,4]"},
	{"huge shift", "def forward(x):\n    return 1 << (1 << 60)\n", "", "x:f32[B,4]"},
	{"int that squares itself", "def forward(x):\n    n = 3\n    for i in range(100):\n        n = n * n\n    return n\n", "", "x:f32[B,4]"},
	{"huge str", "def forward(x):\n    return 'ab' * 10 ** 12, 'a'.center(10 ** 11), '%1000000000d' % 3, f'{3:1000000000}'\n", "",
		"x:f32[B,4]"},
	{"str that doubles", "def forward(x):\n    s = 'a'\n    for i in range(100):\n        s += s\n    return s\n", "", "x:f32[B,4]"},
	{"huge list", "def forward(x):\n    return [0] * 10 ** 12, list(range(10 ** 12)), (1,) * 10 ** 11\n", "", "x:f32[B,4]"},
	{"list that doubles", "def forward(x):\n    a = [x]\n    for i in range(100):\n        a += a\n        a.extend(a)\n    return a\n", "",
		"x:f32[B,4]"},
	{"nested lists", "def forward(x):\n    a = []\n    for i in range(100000):\n        a = [a]\n    return a\n", "", "x:f32[B,4]"},
	{"nested lists that share", "def forward(x):\n    a = [x]\n    for i in range(100):\n        a = [a, a]\n    return a\n", "",
		"x:f32[B,4]"},
	{"nested tuples that share", "def forward(x):\n    a = (x,)\n    for i in range(60):\n        a = (a, a)\n    b = (x,)\n    for i in range(60):\n        b = (b, b)\n    return a == b, hash(a), a\n", "", "x:f32[B,4]"},
	{"choices that double", "def forward(x):\n    y = x\n    for i in range(40):\n        if x[0, 0] > i:\n            y = (y, None)\n    return y\n", "", "x:f32[B,4]"},
	{"many conditions", "def forward(x):\n" + strings.Repeat("    if x.sum() > 0:\n        x = x + 1\n    elif x.max() > 2: x = None\n",
		40) + "    return x\n", "", "x:f32[B,4]"},
	{"deep ifs", deep("if x.sum() > 0:", 90), "", "x:f32[B,4]"},
	{"deep whiles", deep("while x.sum() > 0:", 12), "", "x:f32[B,4]"},
	{"deep fors", deep("for i in range(x.shape[0]):", 12), "", "x:f32[B,4]"},
	{"deep parentheses", "x = " + strings.Repeat("(", 5000) + "1" + strings.Repeat(")", 5000) + "\n", "x", ""},
	{"deep operators", "x = " + strings.Repeat("-", 20000) + "1\n", "x", ""},
	{"long sum", "def forward(x):\n    return " + strings.Repeat("x + ", 20000) + "x\n", "", "x:f32[B,4]"},
	{"deep attributes", "def forward(x):\n    return x" + strings.Repeat(".T", 20000) + "\n", "", "x:f32[B,4]"},
	{"mutual imports", "import other\nfrom other import *\nimport pkg.a, pkg.b\ndef forward(x):\n    return other.x.other.x\n", "",
		"x:f32[B,4]"},
	{"paths in imports", "import importlib\nm = importlib.import_module('../../../../etc/passwd')\nn = importlib.import_module('/etc/passwd')\n" +
		"o = __import__('..')\np = __import__('pkg..a')\nq = __import__('')\nr = __import__('a\\0b')\nfrom ....... import z\n", "m", ""},
	{"sizes that explode", "import torch\ndef forward(x):\n    n = x.shape[0]\n    for i in range(60):\n        n = (n * n + n // 3) % (n + 7)\n    return torch.zeros(n)\n", "", "x:f32[B,4]"},
	{"sizes that grow", "import torch\ndef forward(x):\n    for i in range(100):\n        x = torch.cat([x, x])\n    return x\n", "",
		"x:f32[B,4]"},
	{"huge tensors", "import torch\ndef forward(x):\n    return torch.zeros(10**9, 10**9, 10**9), torch.arange(10**18), torch.zeros([4] * 100000), x.expand(*[3] * 5000, -1, -1)\n", "", "x:f32[B,4]"},
	{"a class that is its own base",
		"class A(A): pass\nclass B(type): pass\nclass C(metaclass=B): pass\nC.__bases__ = (C,)\nC.__class__ = C\nB.__class__ = B\n", "C", ""},
	{"property of itself", "class A:\n    @property\n    def p(self):\n        return self.p\n    def __len__(self): return len(self)\n    def __iter__(self): return self\n    def __next__(self): return next(self)\n    def __eq__(self, o): return o == self\ndef forward(x):\n    a = A()\n    try: a.p\n    except RecursionError: pass\n    return list(a), len(a), a == A()\n", "", "x:f32[B,4]"},
	{"decorators of themselves", "def d(f): return d\n@d\n@d\ndef forward(x): return x\n", "", "x:f32[B,4]"},
	{"exceptions without end", "def forward(x):\n    while True:\n        try:\n            raise ValueError\n        finally:\n            continue\n", "", "x:f32[B,4]"},
	{"modules without end", "from torch import nn\nclass M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.m = self\n    def forward(self, x): return self.m(x)\n", "M()", "x:f32[B,4]"},
	{"many layers", "from torch import nn\nm = nn.Sequential(*[nn.Linear(4, 4) for _ in range(10 ** 7)])\n", "m", "x:f32[B,4]"},
	{"match on everything", "def forward(x):\n    match x:\n        case [*_, y] | {'a': y, **z} if x.sum() > 0: return y\n        case str() | int(): return 1\n        case _: return forward([x, x])\n", "", "x:f32[B,4]"},
	{"formats", "def forward(x):\n    return '{0.a[b]}{!r:>{}}'.format(x, 1, 2), '{:{}}'.format(1, '99999999999'), f'{x!a:{x}}', '%*d' % (10**10, 1)\n", "", "x:f32[B,4]"},
	{"regular expressions", "import re\ndef forward(x):\n    return re.match('(a*)*b', 'a' * 100000), re.sub('(' * 1000, '', 'x')\n", "",
		"x:f32[B,4]"},
	{"string of an argument that is no type", "def forward(x): return x\n", "", "x:f32[" + strings.Repeat("(", 3000) + "B"},
	{"argument with a huge size", "def forward(x): return x + x\n", "", "x:f32[99999999999999999999999, B**B**B, -1, B//0]"},
	{"argument that runs code", "def forward(x): return x\n", "", "x=[0] * 10 ** 12"},
	{"argument without a name", "def forward(x): return x\n", "", ":::=,[]"},
	{"entry that runs code", "def forward(x): return x\n", "(lambda f: f(f))(lambda f: f(f))", "x:f32[B]"},
	{"einsum of many letters", "import torch\ndef forward(x):\n    return torch.einsum('" + strings.Repeat("ab,", 2000) +
		"->ab', *[x] * 2000)\n", "", "x:f32[B,4]"},
	{"a set of unhashables", "def forward(x):\n    return {[]: 1}, {x: x, x: x}, {float('nan'), float('nan')}, {1, 1.0, True}\n", "",
		"x:f32[B,4]"},
	{"globals", "globals()['forward'] = lambda x: globals()\n", "forward", "x:f32[B,4]"},
	{"eval", "def forward(x):\n    return eval('eval(\"x\")'), exec('while 1: pass')\n", "", "x:f32[B,4]"},
	{"sorts by liars", "import functools\ndef forward(x):\n    return sorted(range(1000), key=functools.cmp_to_key(lambda a, b: 1)), max([x, x, None], key=lambda v: v)\n", "", "x:f32[B,4]"},
	{"exits from a loop", "def forward(x):\n    y = None\n    for i in range(x.shape[0]):\n        for j in range(x.shape[1] + i):\n            if x[i, 0] > 0: return y\n            if x[i, 0] > 1: break\n            if x[i, 0] > 2: continue\n            y = x\n        else:\n            y = (y, i)\n    return y\n", "", "x:f32[B,4]"},
}

// deep nests a statement.
func deep(head string, n int) string {
	var b strings.Builder
	b.WriteString("def forward(x):\n")
	for i := range n {
		b.WriteString(strings.Repeat(" ", i+1) + head + "\n")
	}
	b.WriteString(strings.Repeat(" ", n+1) + "x = x + 1\n return x\n")
	return b.String()
}

func FuzzRun(f *testing.F) {
	paths, err := filepath.Glob("../testdata/infer/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, p := range paths {
		ar, err := txtar.ParseFile(p)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range ar.Files {
			if strings.HasSuffix(file.Name, ".py") {
				f.Add(string(file.Data), "", "x:f32[B,4]")
			}
		}
	}
	for _, c := range hostile {
		f.Add(c.text, c.entry, c.arg)
	}
	f.Fuzz(func(t *testing.T, text, entry, arg string) { runHostile(t, text, entry, arg) })
}

// runHostile runs a program whose neighbours import each other.
func runHostile(t *testing.T, text, entry, arg string) {
	dir := t.TempDir()
	for name, data := range map[string]string{
		"prog.py": text, "other.py": "import prog\nfrom prog import *\nx = prog\n", "pkg/__init__.py": "from . import a\n",
		"pkg/a.py": "from . import b\nfrom .b import *\n", "pkg/b.py": "from .a import *\nfrom ..other import x\n",
	} {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var args []string
	if arg != "" {
		args = []string{arg}
	}
	checkLimited(t, infer.Config{File: filepath.Join(dir, "prog.py"), Entry: entry, Args: args, MaxMemory: infer.DefaultMaxMemory,
		Timeout: limitsTimeout})
}

// TestHostilePrograms runs the programs that the fuzzer starts with.
func TestHostilePrograms(t *testing.T) {
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			runHostile(t, c.text, c.entry, c.arg)
		})
	}
}

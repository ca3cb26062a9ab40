package text

import (
	"slices"
	"testing"

	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/parser"
)

// Models of packages whose bases lie in other files.
func TestModelsThroughImports(t *testing.T) {
	const base = "from torch import nn\nclass Base(nn.Module):\n    def forward(self, x):\n        return x\n"
	cases := []struct {
		name   string
		files  map[string]string
		file   string
		models []string
		public []string
	}{
		{"absolute import", map[string]string{"pkg/__init__.py": "", "pkg/base.py": base,
			"pkg/net.py": "from pkg.base import Base\nclass Net(Base):\n    pass\n"}, "pkg/net.py", []string{"Net"}, []string{"Net"}},
		{"re-export of a package", map[string]string{"pkg/__init__.py": "from .core import Base\n", "pkg/core/__init__.py": "from .base import *\n",
			"pkg/core/base.py": base, "pkg/nets/__init__.py": "", "pkg/nets/net.py": "import pkg\nclass Net(pkg.Base):\n    pass\n"},
			"pkg/nets/net.py", []string{"Net"}, []string{"Net"}},
		{"module as a name", map[string]string{"pkg/__init__.py": "", "pkg/base.py": base,
			"pkg/net.py": "from . import base as b\nclass Net(b.Base):\n    pass\n"}, "pkg/net.py", []string{"Net"}, []string{"Net"}},
		{"alias and generic", map[string]string{"pkg/__init__.py": "", "pkg/base.py": base,
			"pkg/net.py": "from .base import Base\nB = Base\nclass Net(B[int]):\n    pass\n"}, "pkg/net.py", []string{"Net"}, []string{"Net"}},
		{"chain of bases", map[string]string{"pkg/__init__.py": "", "pkg/base.py": base,
			"pkg/mid.py": "from .base import Base\nclass Mid(Base):\n    pass\n",
			"pkg/net.py": "from .mid import Mid\nclass Net(Mid):\n    pass\n"}, "pkg/net.py", []string{"Net"}, []string{"Net"}},
		{"base of no framework", map[string]string{"pkg/__init__.py": "", "pkg/base.py": "class Base:\n    def forward(self, x):\n        return x\n",
			"pkg/net.py": "from .base import Base\nclass Net(Base):\n    pass\n"}, "pkg/net.py", nil, nil},
		{"abstract base", map[string]string{"pkg/__init__.py": "",
			"pkg/base.py": "from torch import nn\nclass Base(nn.Module):\n    def forward(self, x):\n        raise NotImplementedError\n",
			"pkg/net.py":  "from .base import Base\nclass Net(Base):\n    pass\n"}, "pkg/net.py", nil, nil},
		{"forward of the base", map[string]string{"pkg/__init__.py": "",
			"pkg/base.py": "from torch import nn\nclass Base(nn.Module):\n    def forward(self, *args):\n        'Same.'\n        return super().forward(*args)\n",
			"pkg/net.py":  "from .base import Base\nclass Net(Base):\n    pass\n"}, "pkg/net.py", nil, nil},
		{"bases that name each other", map[string]string{"a.py": "from b import B\nclass A(B):\n    pass\n", "b.py": "from a import A\nclass B(A):\n    pass\n"},
			"a.py", nil, nil},
		{"exported though another class of its file uses it", map[string]string{"pkg/__init__.py": "from .net import Block, Net, _Part\n",
			"pkg/net.py": base + "class Block(Base):\n    pass\nclass Other(Base):\n    pass\nclass _Part(Base):\n    pass\n" +
				"class Net(Base):\n    def __init__(self):\n        self.b = Block(), Other(), _Part()\n"},
			"pkg/net.py", []string{"Block", "Net", "Base", "Other", "_Part"}, []string{"Block", "Net"}},
		{"left out of __all__", map[string]string{"pkg/__init__.py": "from .net import *\n__all__ = ['Net']\n",
			"pkg/net.py": base + "class Part(Base):\n    pass\nclass Net(Base):\n    p = Part()\n"},
			"pkg/net.py", []string{"Net", "Base", "Part"}, []string{"Net"}},
		{"constructed by a class of another file", map[string]string{"pkg/__init__.py": "",
			"pkg/head.py": base + "class Head(Base):\n    pass\n",
			"pkg/net.py":  "from torch import nn\nfrom .head import Head as H\nclass Net(nn.Module):\n    def __init__(self):\n        self.h = H()\n"},
			"pkg/head.py", []string{"Base", "Head"}, nil},
		{"constructed by classes that are no models", map[string]string{"pkg/__init__.py": "",
			"pkg/net.py": base + "class Net(Base):\n    pass\nclass Runner:\n    net = Net\n",
			"pkg/run.py": "from .net import Net\nfrom .base import Data\nclass Predictor(object):\n    def __init__(self):\n        self.net = Net()\n" +
				"class Pairs(Data, metaclass=type):\n    pass\nclass PairDataset(Dataset[int]):\n    net = Net()\n"},
			"pkg/net.py", []string{"Net", "Base"}, []string{"Net"}},
		{"constructed by a class that is no module but has a forward", map[string]string{
			"net.py": base + "class Net(Base):\n    pass\nclass Whole:\n    def forward(self, x):\n        return Net()(x)\n"},
			"net.py", []string{"Base", "Net"}, nil},
		{"made by a function that chooses", map[string]string{
			"net.py": base + "class A(Base):\n    pass\nclass B(Base):\n    pass\nclass Both(Base):\n    parts = A(), B()\n" +
				"def make(kind='a'):\n    if kind == 'a':\n        net = A()\n    else:\n        net = B()\n    return net\n"},
			"net.py", []string{"Both", "Base", "A", "B"}, []string{"Both"}},
	}
	for _, c := range cases {
		src := source.NewFile(c.file, c.files[c.file])
		tree, _ := parser.Parse(src)
		f := Read(src, tree, false, NewIndex().Of(reads.NewMemory(c.files), src, tree))
		var models, public []string
		for _, m := range f.Models {
			models = append(models, m.Name)
			if m.Public {
				public = append(public, m.Name)
			}
		}
		if !slices.Equal(models, c.models) || !slices.Equal(public, c.public) {
			t.Errorf("%s: models %q, public %q, want %q, %q", c.name, models, public, c.models, c.public)
		}
	}
}

// Bases of a file, also those that name each other.
func TestAncestry(t *testing.T) {
	f := read(t, "from torch import nn\nclass A(nn.Module):\n    def __init__(self, n=1):\n        self.a = n\nclass B(A):\n    def build(self):\n        self.b = 1\n"+
		"class C(D):\n    pass\nclass D(C):\n    pass\nclass E(nn.Module):\n    pass\n")
	for _, c := range []struct {
		class, attr    string
		assigns, takes bool
	}{{"B", "a", true, true}, {"B", "b", true, true}, {"A", "b", false, true}, {"C", "a", false, false}, {"E", "a", false, false}, {"F", "a", false, true}} {
		if got := f.Assigns(c.class, c.attr); got != c.assigns {
			t.Errorf("%s.%s: %v", c.class, c.attr, got)
		}
		if got := f.takesArguments(c.class); got != c.takes {
			t.Errorf("%s(): %v", c.class, got)
		}
	}
}

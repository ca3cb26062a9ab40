package infer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/internal/source"
)

// TestModulesRunWhenTheirNamesAreUsed counts the files of an installed package that are
// parsed: those that the entry uses, and those whose effects are not followed.
func TestModulesRunWhenTheirNamesAreUsed(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"site-packages/pkg/__init__.py": "from .used import f\nfrom .unused import g\nfrom .all import *\nfrom . import sub\nfrom .patches import p\n",
		"site-packages/pkg/used.py":     "from .unused import g\nfrom .needed import h\n\n\ndef f(x: g):\n    return h(x)\n",
		"site-packages/pkg/needed.py":   "def h(x):\n    return x.relu()\n",
		"site-packages/pkg/unused.py":   "from .deep import d\nfrom .registry import register\n\n\n@register('g')\ndef g(x):\n    return x\n",
		"site-packages/pkg/deep.py":     "d = 1\n",
		"site-packages/pkg/all.py":      "__all__ = ['k']\n\n\ndef k(x):\n    return x\n",
		"site-packages/pkg/registry.py": "table = {}\n\n\ndef register(name):\n    def deco(f):\n        table[name] = f\n        return f\n    return deco\n",
		"site-packages/pkg/sub.py":      "from .deep import d\n",
		"site-packages/pkg/target.py":   "x = 1\n",
		"site-packages/pkg/patches.py":  "from . import target\n\ntarget.x = 2\n\n\ndef p(x):\n    return x\n",
		"net.py":                        "import pkg\n\n\ndef forward(x):\n    return pkg.f(x)\n",
	}
	writeFiles(t, dir, files)
	res, err := infer.Run(infer.Config{
		File: filepath.Join(dir, "net.py"), Roots: []string{filepath.Join(dir, "site-packages")},
		Entry: "forward", Args: []string{"x:f32[B,3]"}, Ahead: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for pos := source.Pos(1); ; {
		f := res.Files.File(pos)
		if f == nil {
			break
		}
		got[strings.TrimSuffix(filepath.Base(f.Name), ".py")] = true
		pos = f.Pos(f.Size()) + 1
	}
	for name, want := range map[string]bool{
		"net": true, "__init__": true, "used": true, "needed": true, "patches": true, "target": true,
		"unused": false, "deep": false, "all": false, "sub": false, "registry": false,
	} {
		if got[name] != want {
			t.Errorf("%s.py: parsed %v, want %v", name, got[name], want)
		}
	}
}

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWhatModulesRegisterIsThere has an installed package whose modules register functions in a dictionary of a class, set them as
// attributes: a name is missing only when all of them have run that mention it.
func TestWhatModulesRegisterIsThere(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"site-packages/kit/__init__.py":     "from .main import Main\nfrom . import ops\n",
		"site-packages/kit/main.py":         "from . import ops\nfrom .ops.table import Table\n\n\nclass Main(Table):\n    def __init__(self):\n        super().__init__()\n        self.f = self.late\n",
		"site-packages/kit/ops/__init__.py": "from . import table\nfrom . import extra\nfrom . import more\n",
		"site-packages/kit/ops/table.py": "class Table:\n    known = {}\n\n    def __init__(self):\n        for n, f in Table.known.items():\n            setattr(self.__class__, n, f)\n\n\n" +
			"def register(f):\n    Table.known[f.__name__] = f\n    return f\n\n\ndef attach(f):\n    setattr(Table, f.__name__, f)\n    return f\n",
		"site-packages/kit/ops/extra.py": "from .table import register\n\n\n@register\ndef late(self, x):\n    return x.flatten()\n",
		"site-packages/kit/ops/more.py":  "from .table import attach\n\n\n@attach\ndef double(self, x):\n    return x + x\n",
		"net.py":                         "import kit\n\n\ndef forward(x):\n    m = kit.Main()\n    return m.f(m.double(x))\n\n\ndef wrong(x):\n    return kit.Main().nowhere(x)\n",
	})
	for entry, want := range map[string]string{"forward": "", "wrong": "'Main' object has no attribute 'nowhere'"} {
		res, err := infer.Run(infer.Config{
			File: filepath.Join(dir, "net.py"), Roots: []string{filepath.Join(dir, "site-packages")}, Entry: entry, Args: []string{"x:f32[2,3]"},
		})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, d := range res.Diagnostics {
			got += d.Msg
		}
		if got != want {
			t.Errorf("%s: %q, want %q", entry, got, want)
		}
	}
}

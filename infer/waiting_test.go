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
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
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

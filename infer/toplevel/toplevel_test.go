package toplevel

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

// TestTopLevelEffects holds what is read of a module's text.
func TestTopLevelEffects(t *testing.T) {
	const imports = "import sys\nimport torch\nimport numpy as np\nfrom .base import (  # all of it\n    register,\n    Thing as thing,\n)\nfrom . import part\n\n"
	for _, c := range []struct {
		text      string
		effects   bool
		registers []string
	}{
		{"x = 1\n\n\ndef f():\n    part.x = 2\n    sys.path.append('a')\n", false, nil},
		{"class C:\n    part.x = 2\n", false, nil},
		{"part.x = 2\n", true, nil},
		{"part.x == 2\n", false, nil},
		{"part.table['a'] = 2\n", false, []string{".part"}},
		{"own = {}\nown['a'] = 2\nown.x = 3\nown.update(b=1)\n", false, nil},
		{"if x:\n    part.x = 2\n", true, nil},
		{"if TYPE_CHECKING:\n    part.x = 2\n", false, nil},
		{"if __name__ == '__main__':\n    sys.exit(f())\n", false, nil},
		{"if not TYPE_CHECKING:\n    part.x = 2\n", true, nil},
		{"for k in [1]:\n    def f():\n        part.x = 1\n    thing(k)\n", false, []string{".base.Thing"}},
		{"@register\ndef f():\n    pass\n", false, []string{".base.register"}},
		{"@register('a')\nclass C:\n    pass\n", false, []string{".base.register"}},
		{"@torch.no_grad()\ndef f():\n    pass\n", false, nil},
		{"sys.path.append('a')\n", true, nil},
		{"sys.modules[__name__] = thing(1)\n", false, nil},
		{"setattr(part, 'a', 1)\n", true, nil},
		{"torch.set_default_dtype(torch.float64)\n", true, nil},
		{"torch.manual_seed(0)\n", false, nil},
		{"'''\npart.x = 2\n'''\n", false, nil},
		{"s = '''a''' + '''\npart.x = 2'''\npart.y = 3\n", true, nil},
		{"s = \"'''\"\n", true, nil}, // misread, and known to be
		{"def f():\n    \"\"\"\n'''\npart.x = 2\n    \"\"\"\n    # '''\n    s = '''\npart.x = 2'''\n\nx = 1\n", false, nil},
		{"def f():\n    '''a'''\n    \"\"\"b\"\"\"\n# \"\"\"\npart.x = 2\n", true, nil},
		{"def f():\n    part.x = 2\n\n\nf()\n", true, nil},
		{"def f(\n    a=1,\n):\n    return a\n\n\nf()\n", false, nil},
		{"def f():\n    g()\n\n\ndef g():\n    register(1)\n\n\nf()\n", false, []string{".base.register"}},
		{"g()\n", true, nil},
		{"def f():\n    f()\n\n\nf()\n", true, nil},
		{"__all__ += ['a']\n__all__.extend(['b'])\n", false, nil},
	} {
		got := Read([]byte(imports + c.text))
		var registers []string
		for _, r := range got.Registers {
			text := "." + r.From.Name
			if r.From.Name != "" {
				text += "."
			}
			registers = append(registers, text+r.Name)
		}
		if got.Effects != c.effects || !slices.Equal(registers, c.registers) {
			t.Errorf("%q: effects %v, registers %v; want %v, %v", c.text, got.Effects, registers, c.effects, c.registers)
		}
	}
	got := fmt.Sprint(Read([]byte(imports)).Imports)
	if want := "[{0 sys []} {0 torch []} {0 numpy []} {1 base [register Thing]} {1  [part]}]"; got != want {
		t.Errorf("imports %s, want %s", got, want)
	}
}

// TestNamesOfAll holds which lists of public names are read.
func TestNamesOfAll(t *testing.T) {
	for text, want := range map[string]string{
		"__all__ = ['a', \"b\"]\n":           "[a b] true",
		"x = 1\n__all__ = [\n  'a',  # c\n]": "[a] true",
		"__all__ = ['a']\n__all__ += ['b']":  "[] false",
		"__all__ = ['a'] + other":            "[] false",
		"__all__ = [f for f in x]":           "[] false",
		"__all__ = names":                    "[] false",
		"x = 1":                              "[] false",
	} {
		names, ok := NamesOfAll(text)
		if got := fmt.Sprint(names, ok); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestDefinedNames holds which names a text is said to define at its top level.
func TestDefinedNames(t *testing.T) {
	const text = "import a\nclass Foo(Bar):\n    inner = 1\n\n\ndef make(x):\n    return x\n\n\ntable = {}\nkind: int\nclass ü:\n    pass\n" +
		"call(x)\na.b = 2\ntable[0] = 1\nfrom .base import other\nlast ="
	got := slices.Sorted(maps.Keys(DefinedNames(text)))
	if want := []string{"Foo", "kind", "last", "make", "table", "ü"}; !slices.Equal(got, want) {
		t.Errorf("DefinedNames = %q, want %q", got, want)
	}
	for first, name := range map[string]string{"class Foo:\n    pass\n": "Foo", "def make(): ...": "make", "last = 1": "last"} {
		if !DefinedNames(first)[name] {
			t.Errorf("DefinedNames(%q) lacks what its first line defines", first)
		}
	}
	if listed := (&Text{Source: "__all__ = ['make']\ndef make(): ...\ndef helper(): ...\n"}); !listed.Exports("make") || listed.Exports("helper") {
		t.Error("a list in the first line counts")
	}
	d := Text{Source: text}
	if d.Defines("Fo") || !d.Defines("Foo") {
		t.Error("a class is defined by its whole name")
	}
}

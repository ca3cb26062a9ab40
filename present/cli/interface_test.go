package cli

// This file tests --interface: the document stays as it is while nothing changes that an entry depends on, and says when something does.

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"shapecheck/check"
	"shapecheck/check/record"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
)

// interfaceProject has functions and statements of each kind: they run while modules load, in an entry, in none.
const interfaceProject = `-- conf.py --
"""Settings."""


def make(n):
    # the sizes
    return [n, n * 2]


def unused(n):
    return n


SIZES = make(4)
OTHER = 7
-- layers.py --
from functools import wraps

import torch.nn as nn

from conf import SIZES


def logged(f):
    """Calls a function."""
    @wraps(f)
    def inner(self, x):
        """Its call."""
        return f(self, x)

    def never():
        return 0

    return inner


class Block(nn.Module):
    """A block."""

    scale = 1

    def __init__(self, c):
        super().__init__()
        self.l = nn.Linear(c, SIZES[1])

    @logged
    def forward(self, x):
        return self.helped(x) * self.scale

    def helped(self, x):
        return self.l(x)

    def never(self):
        text = """a text
of two lines"""
        return text


if __name__ == "__main__":
    print("no module")
-- net.py --
import torch
import torch.nn as nn

from layers import Block


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block(4)
        self.register_buffer("ones", torch.ones(3), persistent=False)

    def forward(self, x):
        b, t, d = x.shape

        def twice(y):
            return y + y
        x = twice(
            x
        )
        return self.block(x).view(b, t * 8)


class Conv(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(3, 8, 3, stride=2)

    def forward(self, x): return self.c(x).flatten(1)
`

// writeProject writes files into the working directory and gives the names.
func writeProject(t *testing.T, text string) (names []string, files map[string]string) {
	t.Helper()
	files = map[string]string{}
	for _, f := range txtar.Parse([]byte(text)).Files {
		names = append(names, f.Name)
		files[f.Name] = string(f.Data)
		writeFile(t, f.Name, string(f.Data))
	}
	return names, files
}

// enterInterfaceProject makes a folder the working directory. The schemas lie beside the one before.
func enterInterfaceProject(t *testing.T) {
	t.Helper()
	if _, err := schemas(); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
}

// interfaceOf checks the working directory and gives the document.
func interfaceOf(t *testing.T, more ...string) (text string, doc record.Interfaces) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "interface.json")
	run(append([]string{".", "--python", "none", "--interface", out}, more...)...)
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	return string(data), doc
}

// hashes are those of the entries, by the names after FILE.
func hashes(doc record.Interfaces) map[string]string {
	out := map[string]string{}
	for _, e := range doc.Entries {
		_, name, _ := strings.Cut(e.Name, "::")
		name, _, _ = strings.Cut(name, "(")
		out[name] = e.Hash
	}
	return out
}

func TestTheInterfaceOfEntries(t *testing.T) {
	enterInterfaceProject(t)
	writeProject(t, interfaceProject)
	text, doc := interfaceOf(t)
	validate(t, "interface-schema.json", text)
	i := slices.IndexFunc(doc.Entries, func(e record.InterfaceEntry) bool { return e.Name == "net.py::Net()" })
	if i < 0 || doc.Version != record.InterfaceVersion {
		t.Fatal(text)
	}
	e := doc.Entries[i]
	if e.State != "checked" || e.Basis != "read" || len(e.Args) != 1 || e.Args[0].Text != "x:f32[B,T,D]" ||
		e.OutputType != "f32[B,8*T]" || !slices.Equal(e.ContractText, []string{"D == 4"}) ||
		!maps.Equal(e.StateDict, map[string]string{"block.l.bias": "f32[8]", "block.l.weight": "f32[8,4]"}) ||
		!slices.Equal(e.Depends, []string{"conf", "layers", "net"}) {
		t.Errorf("%+v %+v", e, e.Interface)
	}
	// Files are of the working directory, and nothing else of the place is told.
	if strings.Contains(text, string(filepath.Separator)+"tmp") || len(doc.Modules) != 3 {
		t.Error(text)
	}
	for range 3 {
		if again, _ := interfaceOf(t, "--jobs", "2"); again != text {
			t.Errorf("another run has\n%s\nnot\n%s", again, text)
		}
	}
	// An entry that is named has what it has among others.
	_, one := interfaceOfEntry(t)
	if len(one.Entries) != 1 || one.Entries[0].Hash != e.Hash || one.Entries[0].Basis != "given" {
		t.Errorf("%+v", one)
	}
}

func interfaceOfEntry(t *testing.T, more ...string) (string, record.Interfaces) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "interface.json")
	code, _, stderr := run(append([]string{"check", "net.py", "--entry", "Net()", "--arg", "x:f32[B,T,4]", "--python", "none",
		"--interface", out}, more...)...)
	data, err := os.ReadFile(out)
	if err != nil || code != check.ExitClean {
		t.Fatal(code, stderr, err)
	}
	var doc record.Interfaces
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	validate(t, "interface-schema.json", string(data))
	return string(data), doc
}

// meaning is a program without positions, comments, docstrings and formatting.
func meaning(text string) (string, bool) {
	tree, diags := parser.Parse(source.NewFile("x.py", text))
	return string(ast.AppendDump(nil, tree.Body, ast.LeaveFunctions)), len(diags) == 0
}

// A comment and an empty line at each place of each file leave the bytes of the document as they are.
func TestALineThatSaysNothingLeavesTheInterface(t *testing.T) {
	enterInterfaceProject(t)
	names, files := writeProject(t, interfaceProject)
	want, _ := interfaceOf(t)
	places := 0
	for _, name := range names {
		lines := slices.Collect(strings.Lines(files[name]))
		for i := range len(lines) + 1 {
			text := strings.Join(lines[:i], "") + "# a comment\n\n" + strings.Join(lines[i:], "")
			// A line inside of a text changes that: here a text that nobody reads.
			if strings.Count(strings.Join(lines[:i], ""), `"""`)%2 == 1 {
				continue
			}
			places++
			writeFile(t, name, text)
			if got, _ := interfaceOf(t); got != want {
				t.Errorf("%s, before line %d:\n%s", name, i+1, got)
			}
		}
		writeFile(t, name, files[name])
	}
	if places < 80 {
		t.Errorf("only %d places", places)
	}
	for _, e := range [][3]string{ // formatting and docstrings
		{"net.py", "x = twice(\n            x\n        )", "x = (twice(x))"},
		{"net.py", "class Net(nn.Module):\n", "class Net(nn.Module):\n    '''A net.'''\n"},
		{"layers.py", `"""A block."""`, `"""Another text."""`},
		{"conf.py", "n * 2", "n*0x2"},
	} {
		edit(t, files, e)
		if got, _ := interfaceOf(t); got != want {
			t.Errorf("%v:\n%s", e, got)
		}
		writeFile(t, e[0], files[e[0]])
	}
}

func edit(t *testing.T, files map[string]string, e [3]string) {
	t.Helper()
	text := strings.Replace(files[e[0]], e[1], e[2], 1)
	if text == files[e[0]] {
		t.Fatalf("%s has no %q", e[0], e[1])
	}
	if _, ok := meaning(text); !ok {
		t.Fatalf("%v is no Python", e)
	}
	writeFile(t, e[0], text)
}

// An edit changes the hashes of those entries that ran what is edited, and where none did not a byte.
func TestAnEditChangesTheInterfacesOfWhoRanIt(t *testing.T) {
	enterInterfaceProject(t)
	_, files := writeProject(t, interfaceProject)
	want, doc := interfaceOf(t)
	before := hashes(doc)
	if len(before) != 3 {
		t.Fatal(want)
	}
	for _, c := range []struct {
		edit    [3]string
		changed []string // all others keep their hashes; nil: the bytes are equal
	}{
		{[3]string{"conf.py", "return n\n", "return n + 1\n"}, nil},
		{[3]string{"conf.py", "return [n, n * 2]", "return [n, 2 * n]"}, []string{"Block", "Conv", "Net"}}, // it runs while conf loads
		{[3]string{"conf.py", "make(4)", "make(2 + 2)"}, []string{"Block", "Conv", "Net"}},
		{[3]string{"conf.py", "OTHER = 7", "OTHER = 8"}, []string{"Block", "Conv", "Net"}},
		{[3]string{"layers.py", "return 0\n", "return 1\n"}, nil},
		{[3]string{"layers.py", "return f(self, x)", "return f(self, x=x)"}, []string{"Block", "Net"}},
		{[3]string{"layers.py", "return self.l(x)", "y = self.l(x)\n        return y"}, []string{"Block", "Net"}},
		{[3]string{"layers.py", "scale = 1", "scale = 2"}, []string{"Block", "Conv", "Net"}},
		{[3]string{"layers.py", "        return text\n", "        return text.strip()\n"}, nil},
		{[3]string{"layers.py", "no module", "a program"}, nil},
		{[3]string{"net.py", "return y + y", "return y * 2"}, []string{"Net"}},
		{[3]string{"net.py", "torch.ones(3)", "torch.zeros(3)"}, []string{"Net"}},
		{[3]string{"net.py", "flatten(1)", "flatten(start_dim=1)"}, []string{"Conv"}},
	} {
		edit(t, files, c.edit)
		text, doc := interfaceOf(t)
		writeFile(t, c.edit[0], files[c.edit[0]])
		if c.changed == nil {
			if text != want {
				t.Errorf("%v: the document is another:\n%s", c.edit, text)
			}
			continue
		}
		var changed []string
		for name, hash := range hashes(doc) {
			if before[name] != hash {
				changed = append(changed, name)
			}
		}
		if slices.Sort(changed); !slices.Equal(changed, c.changed) {
			t.Errorf("%v: the hashes of %v changed, not of %v", c.edit, changed, c.changed)
		}
	}
}

// What is public of a module changes with signatures, not with bodies.
func TestTheInterfaceTellsWhatModulesOffer(t *testing.T) {
	enterInterfaceProject(t)
	_, files := writeProject(t, interfaceProject)
	_, doc := interfaceOf(t)
	for _, c := range []struct {
		edit    [3]string
		changed bool
	}{
		{[3]string{"conf.py", "def unused(n):", "def unused(n, m=1):"}, true},
		{[3]string{"conf.py", "OTHER = 7", "OTHER = 7\n_PRIVATE = 1"}, false},
		{[3]string{"conf.py", "OTHER = 7", "OTHER = 7\n\n\ndef _private(x):\n    return x"}, false},
		{[3]string{"conf.py", "OTHER = 7", "OTHER = 7\n\n\ndef public(x):\n    return x"}, true},
		{[3]string{"conf.py", "return [n, n * 2]", "return [n, 2 * n]"}, false},
	} {
		edit(t, files, c.edit)
		_, now := interfaceOf(t)
		if changed := !slices.Equal(doc.Modules, now.Modules); changed != c.changed {
			t.Errorf("%v: changed is %v", c.edit, changed)
		}
		writeFile(t, c.edit[0], files[c.edit[0]])
	}
}

// What an earlier run found has its interface, and is asked for it only where it has one.
func TestTheInterfaceComesFromTheCache(t *testing.T) {
	t.Setenv("CI", "")
	enterInterfaceProject(t)
	writeProject(t, interfaceProject)
	run(".", "--python", "none", "--cache")
	want, _ := interfaceOf(t)
	wantOne, _ := interfaceOfEntry(t)
	for range 2 {
		if got, _ := interfaceOf(t, "--cache"); got != want {
			t.Errorf("with the cache:\n%s\nnot\n%s", got, want)
		}
		if got, _ := interfaceOfEntry(t, "--cache"); got != wantOne {
			t.Errorf("with the cache:\n%s\nnot\n%s", got, wantOne)
		}
	}
	// Also beside formats that keep more of the results.
	for _, format := range []string{"json", "html", "sarif"} {
		if got, _ := interfaceOf(t, "--output-format", format+"=out"); got != want {
			t.Errorf("beside %s:\n%s", format, got)
		}
	}
}

// endless is a file whose entry takes any budget.
const endless = "import torch\n\ndef f(x: torch.Tensor):\n    for i in range(90000):\n        for j in range(90000):\n            n = i * j\n    return x\n\n# shapecheck: check f x:f32[3]\n"

func TestAnInterfaceIsWrittenWholeOrNotAtAll(t *testing.T) {
	enterInterfaceProject(t)
	writeProject(t, interfaceProject)
	// A small project may end before a budget is looked at.
	writeFile(t, "endless.py", endless)
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"net.py", "--interface", "net.py"}, "it is an input"},
		{[]string{"net.py", "--interface", "out", "--output-format", "json=out"}, "another format goes there"},
		{[]string{"net.py", "--interface", "missing/out"}, "missing"},
		{[]string{"net.py", "--interface", "out", "--summary"}, "without --summary"},
		{[]string{"net.py", "--interface", "out", "--contract"}, "without --contract"},
		{[]string{".", "--interface", "out", "--diff"}, "without --diff"},
		{[]string{".", "--interface", "out", "--new-since", "HEAD"}, "without --new-since"},
		{[]string{".", "--interface", "out", "--shard", "1/2"}, "without --shard"},
		{[]string{"missing.py", "--interface", "out"}, "no such file"},
		{[]string{".", "--interface", "out", "--budget", "50ms", "--timeout", "0", "--max-steps", "0"}, "cut short"},
	} {
		code, _, stderr := run(append(c.args, "--python", "none")...)
		if code != check.ExitUsage || !strings.Contains(stderr, c.says) {
			t.Errorf("%v: exit code %d, %s", c.args, code, stderr)
		}
		if _, err := os.Stat("out"); err == nil {
			t.Errorf("%v writes a file", c.args)
		}
	}
}

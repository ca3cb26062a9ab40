package trial

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"shapecheck/check"
	"shapecheck/internal/reads"
)

// keptProject is a package in which files lean on each other in the ways that discovery asks about.
var keptProject = map[string]string{
	"/pkg/__init__.py": "from .net import Net\n",
	"/pkg/base.py": `import torch
class Base(torch.nn.Module):
    def forward(self, x):
        return self.body(x)
class Loose(torch.nn.Module):
    def forward(self, x):
        return self.missing(x)
`,
	"/pkg/net.py": `import torch
from .base import Base
class Net(Base):
    def __init__(self, width=8):
        super().__init__()
        self.body = torch.nn.Linear(width, 2)
class Block(torch.nn.Module):
    def __init__(self, spec):
        super().__init__()
        assert spec * spec % 1009 == 576
        self.f = torch.nn.Linear(spec, 3)
    def forward(self, x):
        return self.f(x) + self.f.bias
`,
	"/pkg/use.py": `from .net import Block
def make():
    return Block(24)
`,
	"/pkg/func.py": `from typing import Annotated
import torch
def double(x: "f32[B,4]"):
    return x @ torch.ones(5, 2)  # wrong
`,
	"/pkg/none.py": "value = 1\n",
}

// keptSummary is what a user sees of a project.
func keptSummary(p *check.Project) string {
	var b strings.Builder
	for _, d := range p.Discovered {
		fmt.Fprintf(&b, "%s %q %d\n", d.File, d.WhyNot, d.Untried)
		for _, x := range d.Entries {
			r := x.Result
			fmt.Fprintf(&b, "  %s %v %v %v %s %v part=%v %q", x.Name, x.State(), r.Target.Basis, r.Target.Run.Args, r.OutputType,
				r.Conditions(), r.Target.Part, r.Unsettled)
			if brief := r.Brief(); brief != nil {
				fmt.Fprintf(&b, " %s %v", brief.Result, brief.Lines)
			}
			b.WriteByte('\n')
		}
	}
	for _, d := range p.Diagnostics {
		fmt.Fprintf(&b, "%s %v %s %s %d\n", p.Files.Position(d.At.Start), d.Severity, d.Code, d.Msg, len(d.Related))
	}
	return b.String()
}

func TestWhatWasDiscoveredIsRecalled(t *testing.T) {
	dir := t.TempDir()
	files := func(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
	run := func(m map[string]string, keep check.Keep, dir string) (string, []string) {
		t.Helper()
		s := &check.Session{FS: reads.NewMemory(m), Keep: keep}
		if dir != "" {
			kept, err := check.OpenKept(dir, "test", s.FS, s.Parsed(), check.Texts{})
			if err != nil {
				t.Fatal(err)
			}
			s.Kept = kept
			defer func() {
				if err := kept.Close(); err != nil {
					t.Error(err)
				}
			}()
		}
		p, err := CheckFiles(t.Context(), s, files(m), silent{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var anew []string
		for _, d := range p.Discovered {
			for _, x := range d.Entries {
				if !x.Result.Recalled {
					anew = append(anew, x.Name)
				}
			}
		}
		return keptSummary(p), anew
	}
	edited := func(file, old, text string) map[string]string {
		m := maps.Clone(keptProject)
		if !strings.Contains(m[file], old) {
			t.Fatalf("%s has no %q", file, old)
		}
		m[file] = strings.Replace(m[file], old, text, 1)
		return m
	}
	added := maps.Clone(keptProject)
	added["/pkg/more.py"] = "from .base import Loose\nclass Tight(Loose):\n    def missing(self, x):\n        return x + 1\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		anew  []string // the entries that run anew, without their arguments
	}{
		{"nothing", keptProject, nil},
		{"a file that nobody asks about", edited("/pkg/none.py", "1", "2"), nil},
		{"the file itself", edited("/pkg/func.py", "# wrong", "# still wrong"), []string{"double"}},
		{"what it imports", edited("/pkg/base.py", "self.body(x)", "self.body(x) * 2"), []string{"Net", "Loose", "Net", "Block"}},
		{"a call with other arguments elsewhere", edited("/pkg/use.py", "24", "985"), []string{"Net", "Block"}},
		{"another name elsewhere", edited("/pkg/use.py", "def make", "def made"), nil},
		{"what a package exports", edited("/pkg/__init__.py", "import Net", "import Block"), []string{"Net", "Block"}},
		{"a class that derives, in a new file of the folder that is searched", added, []string{"Net", "Tight", "Tight"}},
	} {
		for _, keep := range []check.Keep{check.KeepFindings, check.KeepDocuments} {
			before, _ := run(keptProject, keep, dir)
			if _, recalled := run(keptProject, keep, dir); len(recalled) > 0 {
				t.Errorf("%v run anew though nothing has changed", recalled)
			}
			if fresh, _ := run(keptProject, keep, ""); before != fresh {
				t.Errorf("%s: recalled\n%s, want\n%s", c.name, before, fresh)
			}
			fresh, _ := run(c.files, keep, "")
			got, anew := run(c.files, keep, dir)
			if got != fresh {
				t.Errorf("%s: recalled\n%s, want\n%s", c.name, got, fresh)
			}
			for i, name := range anew {
				name, _, _ = strings.Cut(name, "(")
				anew[i] = name[strings.LastIndexByte(name, '.')+1:]
			}
			if !slices.Equal(anew, c.anew) {
				t.Errorf("%s: %v run anew, want %v", c.name, anew, c.anew)
			}
		}
	}
}

package trace

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shapecheck/present/render/text"
	"shapecheck/tools/testfiles"
)

// What is said of calls under torch.compile is what PyTorch 2.15 did: how often functions were
// compiled, the kind of the guard that failed, the lines of graph breaks, the limit of graphs, and
// the exceptions.
func TestCompilationsAgreeWithRecords(t *testing.T) {
	folder := testfiles.Unpack(t, "../testdata/retrace/compile")
	f, err := os.Open(filepath.Join(folder, "records.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for s := bufio.NewScanner(f); s.Scan(); n++ {
		var rec struct {
			Source string
			Calls  []struct {
				Line, Traces int
				Reason       string
				Breaks       []int
				Limit        bool
				Error        *struct {
					Type string
					Line int
				}
			}
		}
		if err := json.Unmarshal(s.Bytes(), &rec); err != nil {
			t.Fatal(err)
		}
		t.Run(rec.Source, func(t *testing.T) {
			d, _ := scriptOf(t, filepath.Join(folder, rec.Source))
			if len(d.Calls) != len(rec.Calls) {
				t.Fatalf("%d calls, want %d", len(d.Calls), len(rec.Calls))
			}
			for i, want := range rec.Calls {
				got := d.Calls[i]
				if got.Line != want.Line || got.Traces == nil || *got.Traces != want.Traces || got.Limit != want.Limit {
					t.Errorf("call %d at line %d: compiled %v, limit %v; want %+v", i, got.Line, got.Traces, got.Limit, want)
				}
				if want.Reason != "" && (len(got.Recompiles) == 0 || got.Recompiles[0].Reasons[0].Kind != want.Reason) {
					t.Errorf("call %d: %v, want %s", i, got.Recompiles, want.Reason)
				}
				var lines []int
				if got.Breaks != nil {
					for _, b := range *got.Breaks {
						lines = append(lines, b.Line)
					}
				}
				slices.Sort(lines)
				if lines = slices.Compact(lines); !slices.Equal(lines, want.Breaks) {
					t.Errorf("call %d: breaks at %v, want %v", i, lines, want.Breaks)
				}
				same := (got.Error != nil) == (want.Error != nil)
				if same && want.Error != nil {
					same = got.Error.Type == want.Error.Type && (want.Error.Line == 0 || got.Error.Line == want.Error.Line)
				}
				if !same {
					t.Errorf("call %d: error %v, want %v", i, got.Error, want.Error)
				}
			}
		})
	}
	if n < 90 {
		t.Errorf("only %d records", n)
	}
}

// torch._refs makes a view of no elements without questions about its sizes: a further number of heads is no other graph, as it is for a
// batch of two.
func TestViewsWithoutElementsAskNothing(t *testing.T) {
	for shape, want := range map[string][]int{"2, 3, 8": {1, 1, 1}, "0, 3, 8": {1, 1, 0}, "2, 0, 8": {1, 1, 0}} {
		file := filepath.Join(t.TempDir(), "heads.py")
		source := "import torch\n\n@torch.compile\ndef split(x, heads):\n    b, n, c = x.shape\n    return x.view(b, n, heads, c // heads)\n\n"
		for _, heads := range []string{"2", "4", "8"} {
			source += "split(torch.ones(" + shape + "), " + heads + ")\n"
		}
		if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
			t.Fatal(err)
		}
		d, _ := scriptOf(t, file)
		var got []int
		for _, c := range d.Calls {
			if c.Traces == nil {
				t.Fatalf("%s: it is not known how often the call at line %d traces", shape, c.Line)
			}
			got = append(got, *c.Traces)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v traces, want %v", shape, got, want)
		}
	}
}

func TestTextOfCompilations(t *testing.T) {
	folder := testfiles.Unpack(t, "../testdata/retrace/compile") + "/"
	d, r := scriptOf(t, folder+"break_print_first_and_last.py")
	var b strings.Builder
	if err := ScriptText(&b, d, r, text.Style{}); err != nil {
		t.Fatal(err)
	}
	const want = `f: compiled 1 time in 2 calls (torch.compile)
  line  call       compiled  because
  11    f(f32[2])  yes       first call; graph break at line 6; graph break at line 8
  12    f(f32[2])  -

warning[SC521]: torch.compile ends the graph of f here
  --> break_print_first_and_last.py:6:5
 6 |     print("in")
   |     ^^^^^^^^^^^

warning[SC521]: torch.compile ends the graph of f here
  --> break_print_first_and_last.py:8:5
 8 |     print("out")
   |     ^^^^^^^^^^^^
`
	if got := strings.ReplaceAll(b.String(), folder, ""); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A script that compiles and exports one module has a table of each.
func TestFrameworksHaveTablesOfTheirOwn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "both.py")
	const program = `import torch
from torch import nn

net = nn.Linear(3, 2)
torch.compile(net)(torch.ones(4, 3))
torch.export.export(net, (torch.ones(4, 3),))
`
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	d, r := scriptOf(t, file)
	var b strings.Builder
	if err := ScriptText(&b, d, r, text.Style{}); err != nil {
		t.Fatal(err)
	}
	const want = `Linear: compiled 1 time in 1 call (torch.compile)
  line  call              compiled  because
  5     Linear(f32[4,3])  yes       first call
Linear: 1 export, 0 runs (torch.export)
  line  call      gives
  6     f32[4,3]  a program of input [4, 3]
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What breaks inside of a module of torch: the program does not hold its forward, and which graphs there are is not known.
func TestBreakInAModuleOfTorch(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sequential.py")
	const program = `import torch
from torch import nn


class Says(nn.Module):
    def forward(self, x):
        print("hi")
        return x + 1


net = torch.compile(nn.Sequential(nn.Linear(4, 4), Says()))
net(torch.rand(2, 4))
net(torch.rand(2, 4))
`
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	d, _ := scriptOf(t, file)
	if len(d.Calls) != 2 {
		t.Fatalf("%d calls, want 2", len(d.Calls))
	}
	for i, c := range d.Calls {
		if c.Traces != nil || c.Breaks != nil || c.Error != nil {
			t.Errorf("call %d: %+v, want nothing known and no error", i, c)
		}
	}
}

// An exception that nothing catches ends the program: the calls that follow do not come. One that is caught does not.
func TestCallsEndWithTheProgram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ends.py")
	const source = `import torch
@torch.compile(backend="eager")
def f(x):
    return x + 1
f(torch.ones(2))
try:
    torch.ones(2) @ torch.ones(3)
except RuntimeError:
    f(torch.ones(3))
torch.ones(2) @ torch.ones(3)
f(torch.ones(5))
`
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	d, r := scriptOf(t, file)
	if len(d.Calls) != 2 || d.Calls[1].Line != 9 || len(r.Diagnostics) != 1 {
		t.Errorf("calls %+v and %d findings, want those at lines 5 and 9 and one", d.Calls, len(r.Diagnostics))
	}
}

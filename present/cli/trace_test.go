package cli

// This file tests shapecheck trace, and that docs/trace.md is true.

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

const elifChain = `"""The model of docs/trace.md."""
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        n = x.shape[-1]
        if n < 4:
            k = 1
        elif n < 8:
            k = 2
        else:
            k = 4
        return x * k

net = Net()
counter = []

def counts(x):
    counter.append(0)
    if len(counter) > 2:
        return x * 2
    return x

def long(x):
    if x.shape[0] > 2:
        raise ValueError("too long")
    return nn.Linear(4, 4)(x)

class Modes(nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = 1

    def forward(self, x):
        return x if self.training else self.scale(x)

    def scale(self, x):
        if x.shape[0] > 2:
            return x * self.factor
        return x

modes = Modes()
`

func TestTrace(t *testing.T) {
	doc, err := os.ReadFile("../../docs/trace.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("net.py", []byte(elifChain), 0o666); err != nil {
		t.Fatal(err)
	}
	out, _ := runCLI(t, 1, "trace", "net.py", "--entry", "net", "--inputs", "(torch.rand(5),)", "--others",
		"[(torch.rand(2),), (torch.rand(9),)]")
	if blocks := guideBlocks(string(doc), ""); len(blocks) != 8 || blocks[0] != out {
		t.Errorf("docs/trace.md does not show:\n%s", out)
	}
	marked, _ := runCLI(t, 1, "trace", "net.py", "--types", "--entry", "net", "--inputs", "(torch.rand(5),)", "--others",
		"[(torch.rand(2),), (torch.rand(9),)]")
	if block := guideBlocks(string(doc), "")[7]; !strings.HasPrefix(marked, block+"\n") {
		t.Errorf("docs/trace.md does not show the beginning of:\n%s", marked)
	}
	out, _ = runCLI(t, 1, "trace", "net.py", "--entry", "counts", "--inputs", "(torch.rand(5),)", "--output-format", "json")
	var d struct {
		Branches []struct{ Depends []string }
		State    bool `json:"state_changes_ops"`
	}
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Branches) != 1 || strings.Join(d.Branches[0].Depends, " ") != "state" || d.State {
		t.Errorf("a counter: %+v", d)
	}
	for _, c := range []struct{ args, says string }{
		// A size of 1 is a size, too.
		{"--entry modes --call scale --inputs (torch.rand(1,5),)",
			"modes(f32[1,5]): 1 decision\n  net.py:39  if x.shape[0] > 2  no  depends on the sizes: s1 >= 3; another way for f32[3,5]; line 40 does not run; a trace gives the same there\n"},
		{"--entry modes --inputs (torch.rand(5),)", "modes(f32[5]): 1 decision, settled by the configuration\n"},
		{"--entry modes --eval --inputs (torch.rand(5),)",
			"2 decisions, 1 of them settled by the configuration\n  net.py:39  if x.shape[0] > 2 "},
	} {
		out, _ := runCLI(t, 0, append([]string{"trace", "net.py"}, strings.Fields(c.args)...)...)
		if !strings.Contains(out, c.says) {
			t.Errorf("%s: says %q, want %q", c.args, out, c.says)
		}
	}
	for _, c := range []struct{ entry, inputs, says string }{
		{"long", "(torch.rand(5),)", "nothing can be traced, the call raises ValueError at net.py:27\n"},
		{"counter", "(1,)", "nothing can be traced, the call raises TypeError: 'list' object is not callable\n"},
		{"long", "(torch.rand(1,3),)", "at net.py:28: "},
	} {
		out, _ := runCLI(t, 1, "trace", "net.py", "--entry", c.entry, "--inputs", c.inputs)
		if !strings.Contains(out, c.says) {
			t.Errorf("%s%s: says %q, want %q", c.entry, c.inputs, out, c.says)
		}
	}
	for _, c := range []struct{ args, says string }{
		{"--entry net", "--inputs is missing"},
		{"--entry net --inputs (y,) --arg x:f32[5]", "give one of them"},
		{"--entry net --inputs 3", "a tuple is wanted"},
		{"--entry net --inputs (y,)", "y"},
		{"--entry net --inputs (torch.rand(5),) --others [3]", "a list of tuples is wanted"},
		{"--entry net --inputs (torch.rand(5),) --output-format xml", "no such format"},
	} {
		_, said := runCLI(t, 2, append([]string{"trace", "net.py"}, strings.Fields(c.args)...)...)
		if !strings.Contains(said, c.says) {
			t.Errorf("%s: says %q, want %q", c.args, said, c.says)
		}
	}
}

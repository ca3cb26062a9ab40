package trace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/internal/diag"
)

// The edits make declarations that PyTorch 2.15 takes: each of these programs was exported with them.
func TestFixesOfScripts(t *testing.T) {
	const export = `import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mask", torch.ones(16, 16))

    def forward(self, x):
        return BODY

N = 4
torch.export.export(Net(), (torch.rand(8, 4),), dynamic_shapes={"x": {0: Dim("S")}})
`
	const shared = `import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def forward(self, x):
        return BODY

S = Dim("S")
torch.export.export(Net(), (torch.rand(8, 2),), dynamic_shapes={"x": {1: S}})
torch.export.export(Net(), (torch.rand(8, 2),), dynamic_shapes={"x": {0: S}})
`
	const collected = `import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def forward(self, x):
        return BODY

dims = {"S": Dim("S")}
torch.export.export(Net(), (torch.rand(8, 2),), dynamic_shapes={"x": {1: dims["S"]}})
torch.export.export(Net(), (torch.rand(8, 2),), dynamic_shapes={"x": {0: dims["S"]}})
`
	const jit = `import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        return BODY

torch.jit.trace(Net(), (torch.rand(8),))
`
	const tf = `import tensorflow as tf

@tf.function
def f(x):
    BODY
    return x

f(tf.ones([2]))
f(tf.ones([2]))
`
	for _, c := range []struct{ source, body, at, want string }{
		{export, "x.view(-1, 2, 4)", `Dim("S")`, `2*Dim("_S", min=1)`},
		{export, "x.sum(1) + self.mask[:x.shape[0], :x.shape[0]].sum()", `Dim("S")`, `Dim("S", max=15)`},
		{export, "x[-4:] + 1", `Dim("S")`, `Dim("S", min=4)`},
		{export, "x[-4:] + 1  # as Dim(\"S\")", `Dim("S")`, `Dim("S", min=4)`}, // a comment declares nothing
		{export, "x + self.mask[:8, :4]", `Dim("S")`, "8"},
		{export, "x * 2 if x.shape[0] % 7 == 1 else x", `Dim("S")`, `7*Dim("_S", min=2) - 6`}, // AssertionError without the least size
		{shared, "x + torch.ones(8, 1)", "", ""},                                              // the first export is with the Dim as it is
		// the first export is with the Dim of the collection
		{collected, "x + torch.ones(8, 1)", "", ""},
		{jit, "x[:round(x.shape[0] * 0.5)]", "", ""}, // TypeError, whatever the example inputs are
		{tf, `print("traced", x)`, "print", "tf.print"},
		{tf, `print("traced",  # at all` + "\n        x)", "print", "tf.print"},
		{tf, "print(\"traced\", x)  # x.shape", "print", "tf.print"},
		{tf, `print("traced {}".format(x))`, "", ""},
		{tf, `print("traced", x.shape)`, "", ""}, // TypeError of tf.print with a size that is open
	} {
		file := filepath.Join(t.TempDir(), "program.py")
		source := []byte(strings.Replace(c.source, "BODY", c.body, 1))
		if err := os.WriteFile(file, source, 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := infer.Run(infer.Config{File: file, Script: []string{}, Unroll: infer.UnrollAlways, Retraces: true, Numbers: Numbers})
		if err != nil {
			t.Fatal(err)
		}
		AddFindings(r)
		var at, text string
		for _, d := range r.Diagnostics {
			for _, f := range d.Fixes {
				for _, e := range f.Edits {
					at, text = at+r.Files.Position(e.At.Start).File.Slice(e.At), text+e.NewText
				}
			}
			if d.Code == diag.InternalError {
				t.Error(d.Msg)
			}
		}
		if at != c.at || text != c.want {
			t.Errorf("%s: %q becomes %q, want %q becoming %q", c.body, at, text, c.at, c.want)
		}
	}
}

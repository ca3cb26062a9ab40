package export

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"shapecheck/check"
	"shapecheck/infer"
	"shapecheck/internal/diag"
)

const exportedNet = `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n=4):
        super().__init__()
        self.fc = nn.Linear(n, n)

    def forward(self, x):
        return self.fc(x)


`

// softmaxOverBatch has a warning of the dimension lint.
const softmaxOverBatch = `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        return torch.softmax(self.fc(x), 0)%s
`

func TestWhatRefusesAnExport(t *testing.T) {
	for _, c := range []struct {
		name, text, entry string
		strict            bool
		refused           bool
		code              diag.Code // that is among the findings; empty: there are none
	}{
		{name: "nothing", text: exportedNet, entry: "Net()"},
		{name: "an error", text: exportedNet + "def f(x):\n    return Net(5)(x)\n", entry: "f", refused: true, code: diag.ShapeMismatch},
		{name: "a warning does not", text: fmt.Sprintf(softmaxOverBatch, ""), entry: "Net()", code: diag.AcrossBatch},
		{name: "in strict mode it does", text: fmt.Sprintf(softmaxOverBatch, ""), entry: "Net()", strict: true, refused: true,
			code: diag.AcrossBatch},
		{name: "not where a comment hides it", text: fmt.Sprintf(softmaxOverBatch, "  # shapecheck: ignore[SC405]"), entry: "Net()",
			strict: true},
		{name: "what a script does besides", text: exportedNet + "print(Net()(torch.zeros(2, 5)))\n", entry: "Net()", code: diag.ShapeMismatch},
		{name: "the entry is what failed", text: exportedNet + "net = nn.Sequential(Net())\nnet.out = Net()(torch.zeros(2, 5))\n", entry: "net",
			refused: true, code: diag.ShapeMismatch},
		{name: "found without being named", text: exportedNet + "net = nn.Sequential(Net())\nnet.out = Net()(torch.zeros(2, 5))\n",
			refused: true, code: diag.ShapeMismatch},
		{name: "the entry computes with what failed", text: exportedNet +
			"bias = Net()(torch.zeros(2, 5))\ndef f(x):\n    return Net()(x) + bias\n", entry: "f", refused: true, code: diag.ShapeMismatch},
		{name: "and with what was made of it", text: exportedNet +
			"bias = [Net()(torch.zeros(2, 5))]\nsize = len(bias)\ndef f(x):\n    return Net()(x) + size\n", entry: "f", refused: true,
			code: diag.ShapeMismatch},
		{name: "the class may have been changed", text: exportedNet + "Net.scale = Net()(torch.zeros(2, 5))\n", entry: "Net()", refused: true,
			code: diag.ShapeMismatch},
		{name: "the entry meets the same fault", text: exportedNet +
			"def f(x):\n    return Net()(torch.zeros(2, 5)) + x\nf(torch.zeros(2, 4))\n", entry: "f", refused: true, code: diag.ShapeMismatch},
		{name: "a syntax error", text: exportedNet + "print(\n", entry: "Net()", refused: true, code: diag.SyntaxError},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := &check.Target{Run: infer.Config{File: "net.py", Text: c.text, Entry: c.entry, Args: []string{"x:f32[B,4]"}}}
			x, err := Entry(t.Context(), new(check.Session), target, Options{Strict: c.strict})
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			has := false
			for _, d := range x.Diagnostics {
				if d.Severity > diag.Info {
					found = append(found, fmt.Sprintf("%s %s", d.Code, d.Msg))
				}
				has = has || d.Code == c.code
			}
			if refused := x.Model == nil; refused != c.refused {
				t.Errorf("refused: %v\n%s", refused, strings.Join(found, "\n"))
			}
			if c.code == "" && len(found) > 0 || c.code != "" && !has {
				t.Errorf("found:\n%s\nwant %q", strings.Join(found, "\n"), c.code)
			}
		})
	}
}

// A program sees that it is exported, as PyTorch's exporter lets it, and that it is not when it is checked.
func TestProgramsSeeThatTheyAreExported(t *testing.T) {
	const text = `import torch


def forward(x):
    if torch.compiler.is_exporting() and torch.compiler.is_compiling() and torch.onnx.is_in_onnx_export():
        return x.new_zeros(7)
    if torch.compiler.is_exporting() or torch.compiler.is_compiling() or torch.onnx.is_in_onnx_export():
        return x.new_zeros(6)
    return x.new_zeros(5)
`
	target := &check.Target{Run: infer.Config{File: "net.py", Text: text, Args: []string{"x:f32[3]"}}}
	x, err := Entry(t.Context(), new(check.Session), target, Options{})
	if err != nil || x.Model == nil {
		t.Fatal(err)
	}
	if got := x.Output.String(); got != "f32[7]" {
		t.Errorf("exported: %s", got)
	}
	res, err := new(check.Session).Check(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Output.String(); got != "f32[5]" {
		t.Errorf("checked: %s", got)
	}
}

// Code for tracers that is wrong does not refuse an export where the code without it is right; a fault of both does.
func TestFaultsOfCodeForTracersDoNotRefuse(t *testing.T) {
	for _, c := range []struct{ rest, want string }{{"2", "f32[3]"}, {"torch.zeros(4)", ""}} {
		text := "import torch\n\n\ndef forward(x):\n    if torch.compiler.is_exporting():\n        x = x + torch.zeros(5)\n    return x + " +
			c.rest + "\n"
		target := &check.Target{Run: infer.Config{File: "net.py", Text: text, Args: []string{"x:f32[3]"}}}
		x, err := Entry(t.Context(), new(check.Session), target, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := x.Output; (x.Model != nil) != (c.want != "") || c.want != "" && got.String() != c.want {
			t.Errorf("%s: model %v, result %v", c.rest, x.Model != nil, got)
		}
	}
}

// What has no form in ONNX is named with the line that returns it.
func TestResultsWithoutFormAreNamedAtTheirLine(t *testing.T) {
	const text = "class Empty:\n    pass\n\n\ndef forward(x):\n    y = x + 1\n    return y, Empty()\n"
	target := &check.Target{Run: infer.Config{File: "net.py", Text: text, Args: []string{"x:f32[3]"}}}
	x, err := Entry(t.Context(), new(check.Session), target, Options{})
	if err != nil || x.Model != nil || len(x.Diagnostics) != 1 {
		t.Fatal(err, x.Model, x.Diagnostics)
	}
	d := x.Diagnostics[0]
	if at := x.Files.Position(d.At.Start); d.Code != diag.NotLowered || at.Line != 7 ||
		d.Msg != "the result output_1 is <Empty>, which has no form in ONNX" {
		t.Errorf("%s at line %d: %s", d.Code, at.Line, d.Msg)
	}
}

func TestAnExportEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	target := &check.Target{Run: infer.Config{File: "net.py", Text: exportedNet, Entry: "Net()", Args: []string{"x:f32[B,4]"}}}
	if x, err := Entry(ctx, new(check.Session), target, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", x, err)
	}
}

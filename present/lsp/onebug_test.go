package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"shapecheck/check"
	"shapecheck/discover/trial"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
)

// wrongInForward and wrongInInit are bugs of one line, which no input and no argument avoids: PyTorch 2.15 raises for all.
var wrongInForward = []string{
	"self.l(x) @ torch.rand(5, 6)", "self.l(xx)", "self.m(x)", "torch.reluu(self.l(x))", "self.l(x).sum(dimm=1)", "self.l(x, x)",
	"self.l(x) @ torch.ones(4, 2, dtype=torch.int64)", "self.l(x).sizee(0)", "F.gelo(self.l(x))", "self.l.wieght @ self.l(x).mT",
	"self.l(x).mean(axes=1)", "self.l(x).transpose(0, 1, 2)", "torch.softmax(self.l(x), dimension=1)", "F.dropout(self.l(x), prob=0.1)",
	"self.l(x).reshap(-1)", "torch.cat([self.l(x), self.l(x)], dims=1)", "self.n(self.l(x), 3)", "torch.nn.functionall.relu(self.l(x))",
	"self.l(x) + undefined_bias", "self.l(x).view(-1).foo()", "F.layer_norm(self.l(x), (5,))", "F.linear(self.l(x), torch.rand(3, 5))",
	"self.l(x) + torch.rand(3)", "torch.rand(2, 3) @ torch.rand(4, 5) + self.l(x)", "self.l(x).softmax(dim='last')",
	"F.linear(self.l(x), torch.ones(3, 4, dtype=torch.float64))", "self.l(x).unsqeeze(0)", "torch.stack(self.l(x), self.l(x), dim=0)",
	"self.l(input=x, other=x)", "math.sqrt(2) * self.l(x)", "torch.einsum('ij,jk->ik', self.l(x), torch.rand(3, 2))",
	"self.l.forwardd(x)", "F.relu(self.l(x), inplce=True)", "torch.matmul(self.l(x), torch.ones(4, 3).long())", "self.l()",
	"torch.zeros(2, 3).view(4, 2) + self.l(x).sum()", "torch.cat([torch.zeros(2, 3), torch.zeros(3, 2)], 1).sum() + self.l(x)",
	"self.l(x)[torch.zeros(3).float()]", "self.l(x).to(torch.float23)", "torch.concatt([x, self.l(x)])",
	"F.interpolate(self.l(x), scale=2)", "self.l(x).max(dim=1).vals", "F.normalize(self.l(x), axis=1)",
}

var wrongInInit = []string{
	"nn.Linear(4, 4, bias=Tru)", "nn.Linear(4)", "nn.Linear(in_feature=4, out_features=4)", "nn.Conv2d(3, 8)",
	"nn.Conv2d(3, 8, kernel=3)", "nn.Liner(4, 4)", "nn.Sequential(nn.Linear(4, 8), nn.ReLu())", "nn.LSTM(4, hidden=8)",
	"nn.MultiheadAttention(4, 3)", "nn.Conv2d(3, 8, 3, groups=2)", "nn.Sequential(nn.Linear(4, 8), nn.Linear(4, 8))",
	"nn.Embedding(10, 4, padding=0)", "nn.Dropout(p=1.5)", "nn.BatchNorm2d()", "nn.Conv2d(3, 8, 3, paddingmode='same')",
	"nn.ModuleList([nn.Linear(4, 4)], 2)", "nn.GroupNorm(3, 8)",
}

const (
	imports    = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\n\n"
	otherModel = "\n\nclass Other(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.c = nn.Conv2d(3, 8, 3)\n\n" +
		"    def forward(self, img):\n        return self.c(img)\n"
)

// modelWith is a model of a file with the layer l and the result of its forward.
func modelWith(layer, result string) string {
	return imports + "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.l = " + layer +
		"\n        self.n = nn.LayerNorm(4)\n\n    def forward(self, x):\n        return " + result + "\n"
}

// unwatched is told of no progress.
type unwatched struct{}

func (unwatched) Begin(string) {}

func (unwatched) End() {}

// errorsFound are the codes and lines of the errors of a file, each once.
func errorsFound(t *testing.T, s *check.Session, files ...string) []string {
	t.Helper()
	p, err := trial.CheckFiles(t.Context(), s, files, unwatched{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range p.Diagnostics {
		at := p.Files.Position(d.At.Start)
		if d.Severity == diag.Error && at.File != nil && filepath.Base(at.File.Name) == "net.py" {
			out = append(out, fmt.Sprintf("%s line %d", d.Code, at.Line))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestOneBugHasOneAnswer: a bug of one line is the same error in a folder, in a file alone, beside another model, and in the editor.
func TestOneBugHasOneAnswer(t *testing.T) {
	var programs []string
	for _, result := range wrongInForward {
		programs = append(programs, modelWith("nn.Linear(4, 4)", result))
	}
	for _, layer := range wrongInInit {
		programs = append(programs, modelWith(layer, "self.l(x)"))
	}
	dir := t.TempDir()
	c := start(t, dir, utf16Encoding, "{}")
	defer c.end()
	for i, text := range programs {
		alone := errorsFound(t, &check.Session{FS: reads.NewMemory(map[string]string{"net.py": text})}, "net.py")
		if len(alone) == 0 {
			t.Errorf("no error is found in\n%s", text)
			continue
		}
		folder := errorsFound(t, &check.Session{FS: reads.NewMemory(map[string]string{"net.py": text, "other.py": imports + otherModel})},
			"net.py", "other.py")
		beside := errorsFound(t, &check.Session{FS: reads.NewMemory(map[string]string{"net.py": text + otherModel})}, "net.py")
		name := fmt.Sprintf("net%d.py", i)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		c.open(name, text)
		var editor []string
		for _, d := range c.wait(name).Diagnostics {
			if d.Severity == 1 {
				editor = append(editor, fmt.Sprintf("%s line %d", d.Code, d.Range.Start.Line+1))
			}
		}
		slices.Sort(editor)
		if editor = slices.Compact(editor); !slices.Equal(alone, folder) || !slices.Equal(alone, beside) || !slices.Equal(alone, editor) {
			t.Errorf("alone %v, in a folder %v, beside another model %v, in the editor %v:\n%s", alone, folder, beside, editor, text)
		}
	}
}

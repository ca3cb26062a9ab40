package cli

// This file tests what is said of branches that the configuration does not take.

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"shapecheck/check/record"
)

const twoKernels = `import torch
import torch.nn as nn
import torch.nn.functional as F

class Attention(nn.Module):
    def __init__(self, heads=4, flash=True):
        super().__init__()
        self.heads, self.flash = heads, flash
        if not flash:
            self.register_buffer('mask', torch.ones(8, 8))

    def forward(self, x, mask=None):
        if x.shape[-1] % self.heads:
            print(x.shape)
            raise ValueError('heads')
        if self.heads > 8:
            print('many heads')
        if mask is not None: x = x + mask
        if self.flash:
            return F.scaled_dot_product_attention(x, x, x)
        a = x @ x.transpose(1, 2)
        return a @ x

def forward(x):
    if x.shape[0] > 3:
        x = x * 2
    else:
        x = x + 1
    for k in (1, 2):
        if k == 2:
            x = x * k
        elif k == 3:
            x = x - k
        else:
            x = x / k
    return Attention()(x)

if __name__ == '__main__':
    forward(torch.rand(2, 3, 8))
`

func TestBranchesThatAreNotTaken(t *testing.T) {
	files := map[string]string{"net.py": twoKernels}
	for _, s := range []story{
		{name: "of an entry", files: files, args: "net.py --arg x:f32[B,T,8]",
			says: []string{", not taken: net.py:10 (not flash), 18 (mask is not None), 21-22 (not (self.flash)) and 1 more, "}},
		{name: "all is taken", files: map[string]string{"net.py": "def forward(x, y=None):\n    if y is None:\n        y = x\n    if len(x) < 3:\n        return x + 1\n    return x * y\n"},
			args: "net.py --arg x:f32[B,T,8]", not: []string{"not taken"}},
		{name: "an undecided condition takes both",
			files: map[string]string{"net.py": "def forward(x):\n    if x.sum() > 0:\n        return x + 1\n    return x * 2\n"},
			args:  "net.py --arg x:f32[B,T,8]", not: []string{"not taken"}},
		{name: "the top level of a script",
			files: map[string]string{"train.py": "import torch\nresume = False\nx = torch.zeros(3)\nif resume:\n    x = torch.load('x.pt')\n"},
			args:  "train.py --script", says: []string{"not taken: train.py:5 (resume)"}},
	} {
		t.Run(s.name, s.run)
	}
}

func TestBranchesThatAreNotTakenInJSON(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("net.py", []byte(twoKernels), 0o666); err != nil {
		t.Fatal(err)
	}
	want := []record.Branch{
		{File: "net.py", Line: 10, EndLine: 10, Test: "not flash"}, {File: "net.py", Line: 18, EndLine: 18, Test: "mask is not None"},
		{File: "net.py", Line: 21, EndLine: 22, Test: "not (self.flash)"}, {File: "net.py", Line: 33, EndLine: 33, Test: "k == 3"},
	}
	for _, cache := range []string{"--cache=kept", "--cache=kept"} { // the second is what was kept of the first
		_, stdout, stderr := run("net.py", "--no-config", "--arg", "x:f32[B,T,8]", "--output-format", "json", cache)
		var doc record.Document
		if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
			t.Fatal(err, stderr)
		}
		if !reflect.DeepEqual(doc.Untaken, want) {
			t.Errorf("%+v, want %+v", doc.Untaken, want)
		}
	}
}

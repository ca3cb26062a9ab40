package cli

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"shapecheck/present/lsp"
)

func TestExplainTellsWhatIsKnownOfALine(t *testing.T) {
	t.Chdir(t.TempDir())
	const net = `import kernels
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 8, 3)
        self.b = nn.Linear(8 * 6 * 6, 10)

    def forward(self, x):
        x = torch.relu(self.a(x)); y = self.a(x[:, :3])
        z = kernels.f(x)
        return self.b(x.flatten(1))


# shapecheck: check wrong x:f32[B,4]
def wrong(x):
    return x @ torch.zeros(5, 3)
`
	if err := os.WriteFile("net.py", []byte(net), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("known.py", []byte("# shapecheck: check Net() x:f32[B,3,H,W]\n"+net), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at   string
		says []string
		not  []string
	}{
		{"net.py:20", []string{"net.py:20  return x @ torch.zeros(5, 3)\n", "error      SC101 "}, []string{"needs"}},
		{"net.py:19", []string{"entry      wrong · x f32[B,4] → ?\n"}, nil},
		{"known.py:13", []string{"entry      Net() · x f32[B,3,H,W] → f32[B,10]"}, nil},
		{"known.py:14", []string{"type       x: f32[B,8,H-2,W-2]  (Net())\n", "from       known.py:14  H - 2: made by conv2d",
			"type       y: f32[B,8,H-4,W-4]  (Net())", "needs      H >= 5  (Net())"}, []string{"== 36"}},
		{"known.py:14:26", []string{"call       a: torch.nn.Conv2d  f32[B,3,H,W] → f32[B,8,H-2,W-2]\n"}, []string{"→ f32[B,8,H-4,W-4]"}},
		{"known.py:15", []string{"unknown    known.py:2: module 'kernels' was not found"}, nil},
		{"known.py:16", []string{"needs      (H - 2)*(W - 2) == 36  (Net())\n", "type       return: f32[B,10]"}, nil},
		{"known.py:5", []string{"no entry of the file came here"}, nil},
	} {
		code, out, stderr := run("explain", c.at)
		if code != 0 {
			t.Errorf("%s: exit code %d\n%s", c.at, code, stderr)
		}
		for _, want := range c.says {
			if !strings.Contains(out, want) {
				t.Errorf("%s does not say %q:\n%s", c.at, want, out)
			}
		}
		for _, bad := range c.not {
			if strings.Contains(out, bad) {
				t.Errorf("%s says %q:\n%s", c.at, bad, out)
			}
		}
	}
	code, out, _ := run("explain", "known.py:16", "--json")
	var x lsp.Explanation
	if err := json.Unmarshal([]byte(out), &x); err != nil || code != 0 || x.Line != 16 || len(x.Conditions) != 1 || len(x.Types) != 1 ||
		len(x.Origins) == 0 || x.Findings == nil || strings.Contains(out, "null") {
		t.Errorf("exit code %d, %v\n%s", code, err, out)
	}
	for _, word := range []string{"net.py", "net.py:x", "net.py:0", "net.py:900", ":3", "nix.py:3", "net.py:3:0", ""} {
		if code, _, stderr := run("explain", word); code != 2 || stderr == "" {
			t.Errorf("%q: exit code %d, %s", word, code, stderr)
		}
	}
}

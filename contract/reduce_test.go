package contract_test

// This file tests what no program of testdata/contracts shows: contracts that
// cannot hold, assumptions, ranges, and the other notations.

import (
	"os"
	"strings"
	"testing"

	"shapecheck/contract"
	"shapecheck/infer"
)

func run(t *testing.T, code string, cfg infer.Config) *infer.Result {
	t.Helper()
	cfg.File, cfg.Text = "prog.py", code
	res, err := infer.Run(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func conditions(c *contract.Contract) string {
	var list []string
	for _, x := range c.Conditions {
		list = append(list, x.Cond.String())
	}
	return strings.Join(list, "; ")
}

const windows = `
def forward(x, y):
    b, h = x.shape
    assert h % 4 == 0 and h >= 8
    return x.view(b, h // 4, 4) + y.view(y.shape[0], -1, 4)
`

func TestAssumptionsSimplify(t *testing.T) {
	args := []string{"x:f32[B,H]", "y:f32[B2,H]"}
	for _, c := range []struct{ assume, want string }{
		{"", "B == B2; H >= 8; H % 4 == 0"},
		{"H % 2 == 0", "B == B2; H >= 8; H % 4 == 0"},
		{"H % 12 == 0", "B == B2"},
		{"H=32..512", "B == B2; H % 4 == 0"},
		{"B == B2 and H == 16", ""},
	} {
		cfg := infer.Config{Args: args}
		if c.assume != "" {
			cfg.Assume = []string{c.assume}
		}
		res := run(t, windows, cfg)
		if got := conditions(contract.Of(res)); got != c.want {
			t.Errorf("assuming %q: %q, want %q", c.assume, got, c.want)
		}
	}
	cfg := infer.Config{Args: []string{"x:f32[B=1..4,H=16..64]", "y:f32[B,H]"}}
	if got := conditions(contract.Of(run(t, windows, cfg))); got != "H % 4 == 0" {
		t.Errorf("with ranges: %q", got)
	}
}

func TestAssumptionsThatCannotHold(t *testing.T) {
	for _, list := range [][]string{{"H < 1"}, {"H < 4", "H=32..512"}, {"Q % 2 == 0"}, {"H %"}} {
		_, err := infer.Run(infer.Config{File: "prog.py", Text: windows, Args: []string{"x:f32[B,H]", "y:f32[B,H]"}, Assume: list})
		if _, usage := err.(*infer.UsageError); !usage {
			t.Errorf("%q: %v, want a usage error", list, err)
		}
	}
	_, err := infer.Run(infer.Config{File: "prog.py", Text: windows, Args: []string{"x:f32[B,H=12]", "y:f32[B,H]"},
		Assume: []string{"H % 8 == 0"}})
	if _, usage := err.(*infer.UsageError); !usage {
		t.Errorf("sizes that break an assumption: %v", err)
	}
}

func TestOtherNotations(t *testing.T) {
	res := run(t, windows, infer.Config{Args: []string{"x:f32[B,H]", "y:f32[B2,H]"}})
	c := contract.Of(res)
	want := `from torch.export import Dim

B = Dim("B")
_H = Dim("_H", min=2)
H = 4*_H
dynamic_shapes = {"x": {0: B, 1: H}, "y": {0: B, 1: H}}
`
	if got := contract.TorchExport(res, c); got != want {
		t.Errorf("torch.export:\n%s\nwant\n%s", got, want)
	}
	want = `from jaxtyping import Bool, Complex, Float, Int
from torch import Tensor


def forward(self, x: Float[Tensor, "B H"], y: Float[Tensor, "B H"]):
    H = x.shape[1]
    assert H >= 8
    assert H % 4 == 0
    ...
`
	if got := contract.Jaxtyping(res, c); got != want {
		t.Errorf("jaxtyping:\n%s\nwant\n%s", got, want)
	}
}

func TestErrorsNameSizesThatAreRight(t *testing.T) {
	for _, c := range []struct{ code, arg, note string }{
		{"def forward(x):\n    return x.view(-1, 12)\n", "x:f32[N=5,3]", "fails at N=5 and first at N=1; this line is right at N=4"},
		{"def forward(x):\n    if x.shape[0] > 6:\n        return x.view(x.shape[0], 7)\n    return x\n", "x:f32[N,5]",
			"this line is reached at N=7, not at N=6"},
	} {
		res := run(t, c.code, infer.Config{Args: []string{c.arg}})
		found := ""
		for _, d := range res.Diagnostics {
			found += strings.Join(d.Notes, "\n")
		}
		if !strings.Contains(found, c.note) {
			t.Errorf("%s: notes %q, want %q", c.arg, found, c.note)
		}
	}
}

// BenchmarkContract reduces the contract of a network with forty pooling and
// concatenation steps.
func BenchmarkContract(b *testing.B) {
	code := "import torch\nimport torch.nn.functional as F\n\n\ndef forward(x):\n    skips = []\n    for _ in range(6):\n        skips.append(x)\n        x = F.max_pool2d(x, 2)\n    for s in reversed(skips):\n        x = torch.cat([s, F.interpolate(x, scale_factor=2)], 1)\n    return x\n"
	res, err := infer.Run(infer.Config{File: "prog.py", Text: code, Args: []string{"x:f32[B,3,H,W]"}})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if c := contract.Of(res); len(c.Conditions) != 2 {
			b.Fatal(conditions(c))
		}
	}
}

// BenchmarkZooSymbolic runs torchvision models for all sizes and reduces their
// contracts; SHAPECHECK_TORCHVISION names the folder that holds its sources. A
// profile of it shows the solver's share.
func BenchmarkZooSymbolic(b *testing.B) {
	dist := os.Getenv("SHAPECHECK_TORCHVISION")
	if dist == "" {
		b.Skip("SHAPECHECK_TORCHVISION does not name torchvision's sources")
	}
	cache := infer.NewCache()
	for _, m := range []string{"resnet50", "vgg11", "inception_v3", "densenet121", "swin_t", "googlenet"} {
		b.Run(m, func(b *testing.B) {
			for b.Loop() {
				res, err := infer.Run(infer.Config{Cache: cache, Module: "torchvision", Roots: []string{dist}, Entry: "torchvision.models." + m + "()",
					Args: []string{"x:f32[B,3,H,W]"}})
				if err != nil || res.Output == nil {
					b.Fatal(err)
				}
				contract.Of(res)
			}
		})
	}
}

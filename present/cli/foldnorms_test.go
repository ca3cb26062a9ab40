package cli

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const normedNet = `import torch
from torch import nn


def norm(layer):
    nn.init.uniform_(layer.weight, 0.5, 2)
    nn.init.normal_(layer.bias)
    nn.init.normal_(layer.running_mean)
    nn.init.uniform_(layer.running_var, 0.5, 2)
    return layer


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.na = nn.Conv2d(3, 8, 3, stride=2, padding='valid', bias=False), norm(nn.BatchNorm2d(8))
        self.b, self.nb = nn.Conv2d(8, 8, 3, padding=1, groups=4), nn.BatchNorm2d(8, affine=False, eps=0.1)
        self.c, self.nc = nn.Conv2d(8, 6, 1), norm(nn.BatchNorm2d(6))
        self.d, self.nd = nn.ConvTranspose2d(8, 4, 2), norm(nn.BatchNorm2d(4))
        self.e, self.ne = nn.Conv1d(4, 5, 1), norm(nn.BatchNorm1d(5))
        nn.init.normal_(self.nb.running_mean)

    def forward(self, x):
        x = self.na(self.a(x)).relu()
        x = self.nb(self.b(x))
        c = self.c(x)  # read twice
        y = self.nc(c) + c
        z = self.nd(self.d(x))
        return y, z, self.ne(self.e(z.flatten(2))), self.ne(self.e(z.flatten(2) * 2))
`

// A convolution that takes in its normalisation computes what both do; where something else reads
// the convolution or its weight, both stay.
func TestFoldedNormsComputeTheSame(t *testing.T) {
	dir := t.TempDir()
	net := filepath.Join(dir, "net.py")
	if err := os.WriteFile(net, []byte(normedNet), 0o666); err != nil {
		t.Fatal(err)
	}
	number := regexp.MustCompile(`-?\d+\.\d+(e-?\d+)?`)
	export := func(flags ...string) (said string, numbers []float64) {
		out := filepath.Join(dir, "net.onnx")
		code, _, stderr := run(append([]string{"export", net, "--arg", "x:f32[B,3,H,W]", "--init=1", "--check", "-o", out}, flags...)...)
		if code != 0 {
			t.Fatal(stderr)
		}
		code, stdout, stderr2 := run("run", out, "--input", "x:f32[2,3,9,8]")
		if code != 0 {
			t.Fatal(stderr2)
		}
		for _, s := range number.FindAllString(stdout, -1) {
			x, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, x)
		}
		return stderr, numbers
	}
	said, got := export()
	plain, want := export("--fold-norms=false")
	if !strings.Contains(said, "15 nodes") || !strings.Contains(plain, "17 nodes") {
		t.Errorf("wrote %s and %s: two of six normalisations go", said, plain)
	}
	if len(want) < 36 || len(got) != len(want) {
		t.Fatalf("%d and %d numbers", len(got), len(want))
	}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-4*max(1, math.Abs(want[i])) {
			t.Errorf("number %d is %v instead of %v", i, got[i], want[i])
		}
	}
}

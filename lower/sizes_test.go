package lower_test

import (
	"slices"
	"testing"
)

// Sizes that a value has are read from it; constants are one part; floor division of
// sizes is a division; nothing is computed twice.
func TestSizesAreReadNotComputedAgain(t *testing.T) {
	m, err := export(t, `import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, stride=2)

    def forward(self, x):
        y = self.conv(x)
        b, c, h, w = y.shape
        z = torch.zeros(b, 2, 4, h, w) + torch.ones(b, 2, 4, h, w)
        return y, z, torch.zeros(x.shape[2] // 3, x.shape[2] // 3)
`, "x:f32[b,3,H,W]")
	if err != nil {
		t.Fatal(err)
	}
	var ops, named []string
	for _, n := range m.Graph.Nodes {
		if n.Domain == "" {
			ops = append(ops, n.Op)
			if n.Op == "Shape" {
				named = append(named, n.Outputs[0]+" of "+n.Inputs[0])
			}
		}
	}
	if want := []string{"Shape", "Constant", "Shape", "Shape", "Concat", "Shape", "Constant", "Squeeze", "Constant", "Div", "Unsqueeze",
		"Concat"}; !slices.Equal(ops, want) {
		t.Errorf("nodes %q, want %q", ops, want)
	}
	if want := []string{"/sizes/b of x", "/sizes/(H-1)//2 of output_0", "/sizes/(W-1)//2 of output_0", "/sizes/H of x"}; !slices.Equal(named,
		want) {
		t.Errorf("sizes read are %q, want %q", named, want)
	}
	typed := map[string]bool{}
	for _, v := range append(slices.Clone(m.Graph.Values), m.Graph.Outputs...) {
		typed[v.Name] = v.Type != nil
	}
	for _, n := range m.Graph.Nodes {
		for _, o := range n.Outputs {
			if !typed[o] {
				t.Errorf("%s has no type", o)
			}
		}
	}
}

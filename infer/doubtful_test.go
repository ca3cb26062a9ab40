package infer_test

import (
	"testing"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
)

// Calls that are not followed any more, as too much was spent in branches that may never run, may put modules into containers: these are
// not empty then.
func TestContainersOfCallsThatAreNotFollowedAreOpen(t *testing.T) {
	const net = `
import json

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, table):
        super().__init__()
        self.one, self.two = nn.ModuleList(), nn.ModuleDict()
        for name in table:
            if table[name] > 0:
                self.one.append(nn.Sequential(*[nn.Conv2d(3, table[name], 1) for _ in range(20)]))
                self.two[name] = nn.Conv2d(3, table[name], 1)

    def forward(self, x):
        first = next(iter(self.two.keys()))
        return torch.cat([m(x) for m in self.one], 1) + self.two[first](x)


class Net(nn.Module):
    def __init__(self, path="net.json"):
        super().__init__()
        with open(path) as f:
            table = json.load(f)
        self.blocks = nn.ModuleList([Block(table[i]) for i in range(12)])

    def forward(self, x):
        return [b(x) for b in self.blocks]
`
	res, err := infer.Run(infer.Config{File: "net.py", Entry: "Net()", Args: []string{"x:f32[B,3,H,W]"},
		FS: reads.NewMemory(map[string]string{"net.py": net})})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range res.Diagnostics {
		if d.Severity == diag.Error {
			t.Errorf("%s: %s", d.Code, d.Msg)
		}
	}
}

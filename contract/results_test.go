package contract_test

// This file tests results that the contract simplifies.

import (
	"testing"

	"shapecheck/contract"
	"shapecheck/infer"
)

func TestResultsSimplifiedByTheContract(t *testing.T) {
	for _, tc := range []struct{ body, want string }{
		{"assert x.shape[2] % 4 == 0 and x.shape[3] % 4 == 0\n    return down(down(x))", "f32[B,3,H//4,W//4]"},
		{"assert x.shape[2] % 4 == 0 and x.shape[3] % 4 == 0\n    return up(up(down(down(x))))", "f32[B,3,H,W]"},
		{"assert x.shape[2] % 4 == 0\n    return up(up(down(down(x))))", "f32[B,3,H,4*ceil(W/4)]"},
		{"return up(up(down(down(x))))", "f32[B,3,4*ceil(H/4),4*ceil(W/4)]"},
		{"assert x.shape[2] % 2 == 0\n    return x, [down(x)], 2 * x.shape[2]", "(f32[B,3,H,W], [f32[B,3,H//2,ceil(W/2)]], int=2*H)"},
		{"return x + up(down(x))", "f32[B,3,H,W]"},
		{"return torch.cat([x, x.new_zeros(5, 3, 7, x.shape[3])])", "f32[B+5,3,7,W]"},
	} {
		res, err := infer.Run(infer.Config{File: "a.py", Args: []string{"x:f32[B,3,H,W]"}, Text: `
import torch

def down(x):
    return torch.nn.functional.max_pool2d(x, 2, ceil_mode=True)

def up(x):
    return torch.nn.functional.interpolate(x, scale_factor=2)

def forward(x):
    ` + tc.body + "\n"})
		if err != nil {
			t.Fatal(err)
		}
		raw := res.Output.String()
		if got := contract.Of(res).Result(res).String(); got != tc.want {
			t.Errorf("%s: %s, want %s (without the contract %s)", tc.body, got, tc.want, raw)
		}
		if res.Output.String() != raw {
			t.Errorf("%s: the result of the run has changed", tc.body)
		}
	}
}

// A tie names the number that works and what asks for it.
func TestTiesSayWhatAsksForThem(t *testing.T) {
	for _, tc := range []struct{ arg, body, want string }{
		{"x:f32[B,S]", "return x @ torch.ones(64, 2)", "only S = 64 works here, in matmul()"},
		{"x:f32[B,T,3]", "return x + torch.ones(1, 7, 3)", "only T = 7 works here, or 1, in add()"},
		{"x:f32[B,T,3]", "y = x + torch.ones(1, 7, 3)\n    return y, x.transpose(1, 2) @ torch.ones(7, 2)", "only T = 7 works here, in matmul()"},
	} {
		res, err := infer.Run(infer.Config{File: "a.py", Args: []string{tc.arg}, Text: "import torch\n\ndef forward(x):\n    " + tc.body + "\n"})
		if err != nil {
			t.Fatal(err)
		}
		contract.Check(res)
		if n := len(res.Diagnostics); n != 1 || res.Diagnostics[0].Msg != tc.want {
			t.Errorf("%s: %d findings, %s", tc.body, n, res.Diagnostics[0].Msg)
		}
	}
}

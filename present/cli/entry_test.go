package cli

import "testing"

// TestEntriesThatAreRefused: a slip in what was typed is one of usage, a value that a
// library refuses a finding like any other.
func TestEntriesThatAreRefused(t *testing.T) {
	net := map[string]string{"net.py": "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self, h):\n        super().__init__()\n" +
		"        if h % 4:\n            raise ValueError('h must be a multiple of 4')\n\n    def forward(self, x):\n        return x\n"}
	for _, s := range []story{
		{name: "a value", files: net, args: "net.py --entry nn.Conv2d(3,7,3,groups=2) --arg x:f32[B,3,H,W]", code: 1,
			says: []string{"error[SC306]", "Conv2d: in_channels must be divisible by groups", "<entry>:1"}},
		{name: "the program's own check", files: net, args: "net.py --entry Net(3) --arg x:f32[B]", code: 1,
			says: []string{"error[SC304]", "net.py:8:"}},
		{name: "a missing argument", files: net, args: "net.py --entry Net() --arg x:f32[B]", code: 2, says: []string{"entry: ", "missing"},
			not: []string{"SC303"}},
		{name: "a misspelt name", files: net, args: "net.py --entry Nett(3) --arg x:f32[B]", code: 2, says: []string{"entry: "},
			not: []string{"SC301"}},
	} {
		t.Run(s.name, s.run)
	}
}

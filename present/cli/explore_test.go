package cli

// This file tests runs under settings that the entry does not have: --explore.

import "testing"

const twoSettings = `import torch
import torch.nn as nn
import torch.nn.functional as F

class Attention(nn.Module):
    def __init__(self, dim=64, flash=False, norm='layer', pool=None):
        super().__init__()
        self.flash, self.norm, self.pool = flash, norm, pool
        self.qkv = nn.Linear(dim, dim * 3)
        self.g = nn.Parameter(torch.ones(dim if norm == 'layer' else dim + 1))
        if self.norm == 'rms':
            self.scale = nn.Parameter(torch.ones(dim))

    def forward(self, x, need_weights=False):
        q, k, v = self.qkv(x).chunk(3, -1)
        if self.flash:
            y = F.scaled_dot_product_attention(q, k.transpose(1, 2), v)
        else:
            y = (q @ k.transpose(1, 2)).softmax(-1) @ v
        if self.norm == 'rms':
            y = y * self.scale
        if self.pool is not None:
            y = self.pool(y)
        if len(x) > 7:
            y = y @ y
        if need_weights:
            return y, q @ k
        return y
`

const twoWidths = `import torch.nn as nn

class Block(nn.Module):
    def __init__(self, dim=8, bottleneck=False):
        super().__init__()
        mid = dim // 2 if bottleneck else dim
        self.bottleneck = bottleneck
        if bottleneck:
            self.down = nn.Linear(dim, mid)
        self.fc = nn.Linear(mid, dim)

    def forward(self, x):
        if not self.bottleneck:
            y = x
        else:
            y = self.down(x)
        return self.fc(y)
`

func TestExplore(t *testing.T) {
	files := map[string]string{"net.py": twoSettings, "block.py": twoWidths,
		"wrong.py": "import torch\nDEEP = False\ndef forward(x, mode='sum', deep=None):\n    if mode == 'mean':\n        return x @ x\n    if DEEP:\n        return torch.cat([x, x.sum(0)])\n    if deep:\n        return x @ x.x\n    return x.sum()\n"}
	for _, s := range []story{
		{name: "each condition on the configuration", files: files, args: "net.py --entry Attention() --arg x:f32[2,16,64] --explore",
			says: []string{"info[SC101]", "net.py:17:", "where `self.flash` of line 16 holds", "net.py:27:", "where `need_weights` of line 26 holds",
				", not taken: net.py:23 (self.pool is not None), 25 (len(x) > 7), 4 branches explored", "no errors"},
			not: []string{"net.py:21:", "error["}},
		{name: "not asked for", files: files, args: "net.py --entry Attention() --arg x:f32[2,16,64]", not: []string{"info[SC101]", "explored"}},
		{name: "a size that another setting ties", files: files, args: "net.py --entry Attention() --arg x:f32[B,T,64] --explore",
			says: []string{"info[SC412]: only T = 64 works here", "where `self.flash` of line 16 holds"},
			not:  []string{"warning["}},
		{name: "a constructor and a forward go together", files: files, args: "block.py --entry Block() --arg x:f32[4,8] --explore",
			says: []string{"2 branches explored"}, not: []string{"info[", "not taken"}},
		{name: "constants of modules and texts", files: files, args: "wrong.py --arg x:f32[2,3] --explore",
			says: []string{"wrong.py:5:", "wrong.py:7:", "not taken: wrong.py:9 (deep), 2 branches explored"}, not: []string{"wrong.py:9:"}},
	} {
		t.Run(s.name, s.run)
	}
}

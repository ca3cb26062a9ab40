package trial

import (
	"strings"
	"testing"
)

// A run whose conditions no sizes satisfy is not what a model was checked by: where the side of a grid is a root, what the number of
// its cells must be tells.
func TestRunsWithoutSizes(t *testing.T) {
	net := header + `
from math import sqrt

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.pos = nn.Parameter(torch.randn(1, 16, 8))
        self.norm = nn.LayerNorm(8)

    def forward(self, x):
        b, n, c = x.shape
        x = x + self.pos[:, :n]
        side = int(sqrt(n))
        return self.norm(x.transpose(1, 2).reshape(b, 8, side, side))
`
	if text, d := discovered(t, map[string]string{"net.py": net}); !strings.Contains(d.WhyNot, "line 17: layer_norm") {
		t.Errorf("%q, %s", d.WhyNot, text)
	}
	fits := strings.Replace(net, "1, 16, 8", "1, 64, 8", 1)
	if text, d := discovered(t, map[string]string{"net.py": fits}); d.WhyNot != "" {
		t.Errorf("with 64 positions: %q, %s", d.WhyNot, text)
	}
}

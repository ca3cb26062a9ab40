package trial

import (
	"strings"
	"testing"
)

// Of runs that fail in all forms the one is told that comes furthest.
func TestTheFurthestFaultIsTold(t *testing.T) {
	_, d := discovered(t, map[string]string{"net.py": header + `
class MoE(nn.Module):
    def __init__(self, width=64, experts=4):
        super().__init__()
        self.gate = nn.Linear(width, experts)

    def forward(self, x):
        w, idx = self.gate(x).softmax(-1).topk(2, dim=-1)
        y = torch.stack([x] * 4, -2).gather(-2, idx.unsqueeze(-1).expand(-1, -1, -1, 32))
        return (y * w.unsqueeze(-1)).sum(-2) + x
`})
	if len(ranOf(d)) != 1 || shownIn(d) != 1 || !strings.Contains(ranOf(d)[0].Result.Diagnostics[0].Msg, "sizes 32 and C") {
		t.Errorf("%+v", d)
	}
}

// An entry that fails with tensors of every rank is a finding; one that may be given something else does not.
func TestEntriesThatNoTensorSuits(t *testing.T) {
	for _, c := range []struct {
		name, text string
		errors     int
	}{
		{"a head the wrong way round", header + `
class GPT(nn.Module):
    def __init__(self, vocab=100, block=16, width=8):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, width), nn.Embedding(block, width)
        self.head = nn.Linear(vocab, width)

    def forward(self, idx):
        B, T = idx.shape
        return self.head(self.tok(idx) + self.pos(torch.arange(T)))
`, 1},
		{"a norm of the parts of a join", header + `
class TextCNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(50, 12)
        self.convs = nn.ModuleList([nn.Conv1d(12, 10, k) for k in (3, 4, 5)])
        self.bn = nn.BatchNorm1d(10)

    def forward(self, tokens):
        x = self.emb(tokens).transpose(1, 2)
        return self.bn(torch.cat([conv(x).amax(2) for conv in self.convs], 1))
`, 1},
		{"branches of other heights", header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv2d(3, 8, 1), nn.Conv2d(3, 8, 3)

    def forward(self, x):
        return torch.cat([self.a(x), self.b(x)], 1)
`, 1},
		{"a state for one direction", header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(8, 16, batch_first=True, bidirectional=True)

    def forward(self, x):
        h = torch.zeros(1, x.size(0), 16)
        return self.rnn(x, (h, h))[0]
`, 1},
		{"a view of what is not contiguous", header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        B, N, C = x.shape
        return self.fc(x).view(B, N, 2, C // 2).transpose(1, 2).view(B, N, C)
`, 1},
		{"two inputs", header + `
class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.fc, self.out = nn.Conv2d(1, 8, 3), nn.Linear(8, 16), nn.Linear(16, 1)

    def embed(self, x):
        return self.fc(self.conv(x).mean((-1, -2)))

    def forward(self, a, b):
        return self.out(torch.cat([self.embed(a), self.embed(b)], -1))
`, 1},
		{"times that are added to rows", header + `
class Block(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.conv, self.mlp = nn.Conv2d(cin, cout, 3, padding=1), nn.Linear(8, cout)

    def forward(self, x, t):
        return self.conv(x) + self.mlp(t)

class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.time, self.a, self.b = nn.Linear(1, 8), Block(3, 16), Block(16, 3)

    def forward(self, x, t):
        emb = self.time(t[:, None].float())
        return self.b(self.a(x, emb), emb)
`, 2}, // that of the model, and the part by itself, whose rows are features
		{"an input that may be left out", header + `
class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.conv = nn.Conv2d(3, 8, 1), nn.Conv2d(16, 4, 1)

    def forward(self, x, skip=None):
        x = self.up(x)
        if skip is not None:
            x = torch.cat([x, skip], 1)
        return self.conv(x)
`, 0},
		{"a list of features", header + `
class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(16, 4, 1)

    def forward(self, x):
        return self.conv(torch.cat([f.expand(-1, 8, -1, -1) for f in x], 1))
`, 0},
		{"more dimensions than any layer asks for", header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)

    def forward(self, x):
        a, b, c, d, e, f, g = x.shape
        return self.fc(x).sum((0, 1, 2, 3, 4, 5, 6))
`, 0},
		{"a width that is guessed", header + `
class Net(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.a, self.b = nn.Linear(8, width), nn.Linear(hidden, 4)

    def forward(self, x):
        B, C = x.shape
        return self.b(self.a(x))
`, 0},
		{"branches of other strides", header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.Conv2d(3, 8, 1)

    def forward(self, x):
        return (self.a(x) + self.b(x)).mean((2, 3))
`, 2},
		{"images of one row and column that are meant", header + `
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 8, 1)

    def forward(self, x):
        return self.a(x).view(x.shape[0], 8)
`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, d := discovered(t, map[string]string{"net.py": c.text})
			if n := shownIn(d); n != c.errors {
				t.Errorf("%d findings that count, not %d: %s (%s)", n, c.errors, text, d.WhyNot)
			}
		})
	}
}

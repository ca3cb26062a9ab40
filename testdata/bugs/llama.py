"""A decoder with grouped queries, rotary positions and a gated MLP; one step, then a cached generation."""
import torch
import torch.nn as nn
import torch.nn.functional as F

VOCAB, DIM, HEADS, GROUPS, LAYERS = 50, 48, 6, 2, 2
HEAD = DIM // HEADS


class RMSNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        scale = x.pow(2).mean(dim=-1, keepdim=True)
        return x * torch.rsqrt(scale + 1e-6) * self.weight


def angles(length):
    freqs = 1.0 / 10000 ** (torch.arange(0, HEAD, 2).float() / HEAD)
    table = torch.outer(torch.arange(length).float(), freqs)
    return table.cos(), table.sin()


def rotate(x, cos, sin):
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(DIM, HEADS * HEAD, bias=False)
        self.kv = nn.Linear(DIM, 2 * GROUPS * HEAD, bias=False)
        self.out = nn.Linear(DIM, DIM, bias=False)

    def forward(self, x, cos, sin, mask):
        b, t, _ = x.shape
        q = self.q(x).view(b, t, HEADS, HEAD).transpose(1, 2)
        k, v = self.kv(x).view(b, t, 2, GROUPS, HEAD).permute(2, 0, 3, 1, 4)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        k = k.repeat_interleave(HEADS // GROUPS, dim=1)
        v = v.repeat_interleave(HEADS // GROUPS, dim=1)
        scores = q @ k.transpose(-2, -1) / HEAD ** 0.5
        scores = scores.masked_fill(mask, float("-inf"))
        weights = scores.softmax(dim=-1)
        y = (weights @ v).transpose(1, 2).flatten(2)
        return self.out(y)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = RMSNorm(DIM), RMSNorm(DIM)
        self.attention = Attention()
        self.gate_up = nn.Linear(DIM, 2 * 4 * DIM, bias=False)
        self.down = nn.Linear(4 * DIM, DIM, bias=False)

    def forward(self, x, cos, sin, mask):
        x = x + self.attention(self.norm1(x), cos, sin, mask)
        gate, up = self.gate_up(self.norm2(x)).chunk(2, dim=-1)
        return x + self.down(F.silu(gate) * up)


class Llama(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(VOCAB, DIM)
        self.blocks = nn.ModuleList([Block() for _ in range(LAYERS)])
        self.norm = RMSNorm(DIM)
        self.head = nn.Linear(DIM, VOCAB, bias=False)

    def forward(self, idx):
        t = idx.size(1)
        cos, sin = angles(t)
        mask = torch.ones(t, t, dtype=torch.bool).triu(1)
        x = self.tokens(idx)
        for block in self.blocks:
            x = block(x, cos, sin, mask)
        return self.head(self.norm(x))


model = Llama()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
text = torch.randint(0, VOCAB, (3, 21))
for step in range(2):
    logits = model(text[:, :-1])
    loss = F.cross_entropy(logits.flatten(0, 1), text[:, 1:].flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
idx = text[:, :4]
with torch.no_grad():
    for _ in range(3):
        probs = model(idx)[:, -1].softmax(dim=-1)
        nxt = torch.multinomial(probs, 1)
        idx = torch.cat([idx, nxt], dim=1)
print(idx.shape)

import math

import torch
from torch import nn
from torch.nn import functional as F

VOCAB, DIM, HEADS, EXPERTS, TOPK, CTX = 200, 64, 4, 6, 2, 24


def rotary(t, dim):
    freqs = 1.0 / (10000 ** (torch.arange(0, dim, 2).float() / dim))
    angles = torch.outer(torch.arange(t).float(), freqs)
    return angles.cos(), angles.sin()


def rotate(x, cos, sin):
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(DIM, DIM, bias=False)
        self.kv = nn.Linear(DIM, 2 * DIM // 2, bias=False)
        self.o = nn.Linear(DIM, DIM, bias=False)

    def forward(self, x):
        b, t, _ = x.shape
        d = DIM // HEADS
        q = self.q(x).view(b, t, HEADS, d).transpose(1, 2)
        k, v = self.kv(x).view(b, t, 2, HEADS // 2, d).unbind(2)
        k, v = k.transpose(1, 2), v.transpose(1, 2)
        cos, sin = rotary(t, d)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        k, v = k.repeat_interleave(2, dim=1), v.repeat_interleave(2, dim=1)
        scores = q @ k.transpose(-1, -2) / math.sqrt(d)
        mask = torch.ones(t, t, dtype=torch.bool).tril()
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(dim=-1) @ v
        return self.o(out.transpose(1, 2).reshape(b, t, DIM))


class MoE(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(DIM, EXPERTS, bias=False)
        self.w1 = nn.Parameter(torch.randn(EXPERTS, DIM, 2 * DIM) * 0.02)
        self.w2 = nn.Parameter(torch.randn(EXPERTS, 2 * DIM, DIM) * 0.02)

    def forward(self, x):
        b, t, c = x.shape
        flat = x.reshape(-1, c)
        probs = self.gate(flat).softmax(dim=-1)
        weight, chosen = probs.topk(TOPK, dim=-1)
        weight = weight / weight.sum(dim=-1, keepdim=True)
        hidden = F.silu(torch.einsum("nc,ech->neh", flat, self.w1))
        every = torch.einsum("neh,ehc->nec", hidden, self.w2)
        picked = torch.gather(every, 1, chosen.unsqueeze(-1).expand(-1, -1, c))
        out = (picked * weight.unsqueeze(-1)).sum(dim=1)
        load = F.one_hot(chosen, EXPERTS).float().sum(dim=1).mean(dim=0)
        balance = (load * probs.mean(dim=0)).sum() * EXPERTS
        return out.view(b, t, c), balance


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.RMSNorm(DIM), nn.RMSNorm(DIM)
        self.attention, self.moe = Attention(), MoE()

    def forward(self, x):
        x = x + self.attention(self.n1(x))
        y, balance = self.moe(self.n2(x))
        return x + y, balance


class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, DIM)
        self.blocks = nn.ModuleList(Block() for _ in range(2))
        self.norm = nn.RMSNorm(DIM)
        self.head = nn.Linear(DIM, VOCAB, bias=False)

    def forward(self, ids):
        x = self.embed(ids)
        aux = 0.0
        for block in self.blocks:
            x, balance = block(x)
            aux = aux + balance
        return self.head(self.norm(x)), aux


lm = LM()
optimizer = torch.optim.AdamW(lm.parameters(), lr=3e-4)
for step in range(6):
    ids = torch.randint(0, VOCAB, (8, CTX + 1))
    logits, aux = lm(ids[:, :-1])
    lengths = torch.randint(4, CTX + 1, (8,))
    keep = torch.arange(CTX)[None, :] < lengths[:, None]
    nll = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), reduction="none").view(8, CTX)
    loss = (nll * keep).sum() / keep.sum() + 0.01 * aux
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
lm.eval()
with torch.no_grad():
    ids = torch.zeros(3, 1, dtype=torch.long)
    for _ in range(10):
        logits, _ = lm(ids[:, -CTX:])
        probs = F.softmax(logits[:, -1] / 0.8, dim=-1)
        nxt = torch.multinomial(probs, 1)
        ids = torch.cat([ids, nxt], dim=1)
    logprob = logits.log_softmax(dim=-1)[:, :-1].gather(2, ids[:, 1:-1].unsqueeze(-1)).squeeze(-1).sum(dim=1)

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import Dataset, DataLoader

ITEMS, LENGTH, DIM = 500, 20, 48


class Sessions(Dataset):
    def __init__(self, n):
        self.rows = torch.randint(1, ITEMS, (n, LENGTH + 1))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        row = self.rows[i]
        negative = torch.randint(1, ITEMS, (LENGTH,))
        return row[:-1], row[1:], negative


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.norm1 = nn.LayerNorm(dim)
        self.attn = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.norm2 = nn.LayerNorm(dim)
        self.ff = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x, mask):
        h = self.norm1(x)
        h, _ = self.attn(h, h, h, attn_mask=mask)
        x = x + h
        return x + self.ff(self.norm2(x))


class SASRec(nn.Module):
    def __init__(self):
        super().__init__()
        self.items = nn.Embedding(ITEMS, DIM, padding_idx=0)
        self.places = nn.Embedding(LENGTH, DIM)
        self.blocks = nn.ModuleList(Block(DIM, 4) for _ in range(2))
        self.norm = nn.LayerNorm(DIM)

    def forward(self, seq):
        b, t = seq.shape
        x = self.items(seq) + self.places(torch.arange(t, device=seq.device))
        mask = torch.triu(torch.ones(t, t, dtype=torch.bool), diagonal=1)
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x)

    def score(self, hidden, items):
        return (hidden * self.items(items)).sum(dim=-1)


model = SASRec()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
loader = DataLoader(Sessions(256), batch_size=32, shuffle=True)
for epoch in range(2):
    for seq, positive, negative in loader:
        hidden = model(seq)
        pos, neg = model.score(hidden, positive), model.score(hidden, negative)
        valid = (positive > 0).float()
        losses = F.binary_cross_entropy_with_logits(pos, torch.ones_like(pos), reduction="none")
        losses = losses + F.binary_cross_entropy_with_logits(neg, torch.zeros_like(neg), reduction="none")
        loss = (losses * valid).sum() / valid.sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
model.eval()
with torch.no_grad():
    seq, positive, _ = next(iter(loader))
    last = model(seq)[:, -1]
    scores = last @ model.items.weight.t()
    top = scores.topk(10, dim=1).indices
    hits = (top == positive[:, -1].unsqueeze(1)).any(dim=1).float().mean()
    rank = (scores > scores.gather(1, positive[:, -1:])).sum(dim=1)
    mrr = (1.0 / (rank + 1)).mean()
print(hits.item(), mrr.item())

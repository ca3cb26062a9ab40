"""A denoiser with time embeddings, attention and skips, trained on noise; then samples are drawn."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

STEPS, WIDTH = 20, 16


def time_embedding(t, dim):
    half = dim // 2
    freqs = torch.exp(-math.log(10000.0) * torch.arange(half) / half)
    args = t[:, None].float() * freqs[None]
    return torch.cat([args.sin(), args.cos()], dim=-1)


class ResBlock(nn.Module):
    def __init__(self, cin, cout, emb):
        super().__init__()
        self.norm1, self.norm2 = nn.GroupNorm(4, cin), nn.GroupNorm(4, cout)
        self.conv1, self.conv2 = nn.Conv2d(cin, cout, 3, padding=1), nn.Conv2d(cout, cout, 3, padding=1)
        self.emb = nn.Linear(emb, 2 * cout)
        self.skip = nn.Conv2d(cin, cout, 1) if cin != cout else nn.Identity()

    def forward(self, x, e):
        h = self.conv1(F.silu(self.norm1(x)))
        scale, shift = self.emb(e)[:, :, None, None].chunk(2, dim=1)
        h = self.norm2(h) * (1 + scale) + shift
        h = self.conv2(F.silu(h))
        return h + self.skip(x)


class SpatialAttention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.norm, self.qkv, self.proj = nn.GroupNorm(4, c), nn.Conv2d(c, 3 * c, 1), nn.Conv2d(c, c, 1)

    def forward(self, x):
        b, c, h, w = x.shape
        q, k, v = self.qkv(self.norm(x)).flatten(2).chunk(3, dim=1)
        weights = torch.einsum("bci,bcj->bij", q, k).mul(c ** -0.5).softmax(dim=-1)
        y = torch.einsum("bij,bcj->bci", weights, v)
        return x + self.proj(y.view(b, c, h, w))


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.SiLU(), nn.Linear(4 * WIDTH, 4 * WIDTH))
        self.stem = nn.Conv2d(3, WIDTH, 3, padding=1)
        self.down1 = ResBlock(WIDTH, WIDTH, 4 * WIDTH)
        self.pool = nn.Conv2d(WIDTH, WIDTH, 3, stride=2, padding=1)
        self.down2 = ResBlock(WIDTH, 2 * WIDTH, 4 * WIDTH)
        self.mid = SpatialAttention(2 * WIDTH)
        self.up = ResBlock(3 * WIDTH, WIDTH, 4 * WIDTH)
        self.out = nn.Conv2d(2 * WIDTH, 3, 3, padding=1)

    def forward(self, x, t):
        e = self.mlp(time_embedding(t, WIDTH))
        s0 = self.stem(x)
        s1 = self.down1(s0, e)
        h = self.down2(self.pool(s1), e)
        h = self.mid(h)
        h = F.interpolate(h, scale_factor=2, mode="nearest")
        h = self.up(torch.cat([h, s1], dim=1), e)
        return self.out(torch.cat([h, s0], dim=1))


betas = torch.linspace(1e-4, 0.02, STEPS)
alphas = torch.cumprod(1 - betas, dim=0)
model = Denoiser()
ema = Denoiser()
ema.load_state_dict(model.state_dict())
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(2):
    x0 = torch.rand(4, 3, 16, 16) * 2 - 1
    t = torch.randint(0, STEPS, (4,))
    noise = torch.randn_like(x0)
    a = alphas[t].view(-1, 1, 1, 1)
    xt = a.sqrt() * x0 + (1 - a).sqrt() * noise
    predicted = model(xt, t)
    each = (predicted - noise).pow(2).mean(dim=(1, 2, 3))
    weight = (alphas[t] / (1 - alphas[t])).clamp(max=5.0)
    loss = (weight * each).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        for p, q in zip(ema.parameters(), model.parameters()):
            p.lerp_(q, 0.1)
with torch.no_grad():
    x = torch.randn(2, 3, 16, 16)
    for i in reversed(range(STEPS)):
        t = torch.full((2,), i)
        eps = ema(x, t)
        mean = (x - betas[i] / (1 - alphas[i]).sqrt() * eps) / (1 - betas[i]).sqrt()
        x = mean + betas[i].sqrt() * torch.randn_like(x) if i else mean
print(x.shape)

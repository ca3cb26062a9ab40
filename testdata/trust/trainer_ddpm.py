import math
from copy import deepcopy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from torchvision.utils import make_grid, save_image

T = 50
betas = torch.linspace(1e-4, 0.02, T)
alphas = 1.0 - betas
abar = torch.cumprod(alphas, dim=0)


def timestep_embedding(t, dim):
    half = dim // 2
    freqs = torch.exp(-math.log(10000) * torch.arange(half, device=t.device) / half)
    args = t[:, None].float() * freqs[None]
    return torch.cat([args.cos(), args.sin()], dim=-1)


class Res(nn.Module):
    def __init__(self, cin, cout, emb):
        super().__init__()
        self.a = nn.Sequential(nn.GroupNorm(8, cin), nn.SiLU(), nn.Conv2d(cin, cout, 3, padding=1))
        self.e = nn.Linear(emb, 2 * cout)
        self.n = nn.GroupNorm(8, cout)
        self.b = nn.Sequential(nn.SiLU(), nn.Conv2d(cout, cout, 3, padding=1))
        self.s = nn.Conv2d(cin, cout, 1) if cin != cout else nn.Identity()

    def forward(self, x, emb):
        h = self.a(x)
        scale, shift = self.e(F.silu(emb))[..., None, None].chunk(2, dim=1)
        return self.b(self.n(h) * (1 + scale) + shift) + self.s(x)


class UNet(nn.Module):
    def __init__(self, ch=32, mult=(1, 2, 2)):
        super().__init__()
        self.ch, emb = ch, ch * 4
        self.time = nn.Sequential(nn.Linear(ch, emb), nn.SiLU(), nn.Linear(emb, emb))
        self.inp = nn.Conv2d(1, ch, 3, padding=1)
        self.down, self.up, skips, c = nn.ModuleList(), nn.ModuleList(), [ch], ch
        for i, m in enumerate(mult):
            self.down.append(Res(c, ch * m, emb))
            c = ch * m
            skips.append(c)
            if i < len(mult) - 1:
                self.down.append(nn.Conv2d(c, c, 3, stride=2, padding=1))
        for i, m in reversed(list(enumerate(mult))):
            self.up.append(Res(c + skips.pop(), ch * m, emb))
            c = ch * m
            if i:
                self.up.append(nn.Sequential(nn.Upsample(scale_factor=2), nn.Conv2d(c, c, 3, padding=1)))
        self.out = nn.Sequential(nn.GroupNorm(8, c), nn.SiLU(), nn.Conv2d(c, 1, 3, padding=1))

    def forward(self, x, t):
        emb = self.time(timestep_embedding(t, self.ch))
        h, hs = self.inp(x), []
        for m in self.down:
            if isinstance(m, Res):
                h = m(h, emb)
                hs.append(h)
            else:
                h = m(h)
        for m in self.up:
            h = m(torch.cat([h, hs.pop()], 1), emb) if isinstance(m, Res) else m(h)
        return self.out(h)


def q_sample(x0, t, noise):
    a = abar[t].view(-1, 1, 1, 1)
    return a.sqrt() * x0 + (1 - a).sqrt() * noise


@torch.no_grad()
def sample(net, n, size):
    x = torch.randn(n, 1, size, size)
    for i in reversed(range(T)):
        eps = net(x, torch.full((n,), i, dtype=torch.long))
        mean = (x - betas[i] / (1 - abar[i]).sqrt() * eps) / alphas[i].sqrt()
        x = mean + betas[i].sqrt() * torch.randn_like(x) if i > 0 else mean
    return x.clamp(-1, 1)


net = UNet()
ema = deepcopy(net).eval().requires_grad_(False)
opt = torch.optim.Adam(net.parameters(), lr=2e-4)
loader = DataLoader(TensorDataset(torch.rand(32, 1, 16, 16) * 2 - 1), batch_size=8, shuffle=True, drop_last=True)
for step, (x0,) in enumerate(loader):
    t = torch.randint(0, T, (x0.shape[0],))
    noise = torch.randn_like(x0)
    loss = F.mse_loss(net(q_sample(x0, t, noise), t), noise)
    opt.zero_grad()
    loss.backward()
    opt.step()
    for p, q in zip(ema.parameters(), net.parameters()):
        p.lerp_(q, 0.01)
grid = make_grid((sample(ema, 8, 16) + 1) / 2, nrow=4)
save_image(grid, "samples.png")
print(grid.shape, loss.item())

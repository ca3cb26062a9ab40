# U-Nets: with transposed convolutions or interpolation, padded where sizes are odd,
# and one of diffusion with the time as a second input.
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Double(nn.Sequential):
    def __init__(self, cin, cout, mid=None):
        mid = mid or cout
        super().__init__(
            nn.Conv2d(cin, mid, 3, padding=1, bias=False), nn.BatchNorm2d(mid), nn.ReLU(inplace=True),
            nn.Conv2d(mid, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
        )


class Down(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.step = nn.Sequential(nn.MaxPool2d(2), Double(cin, cout))

    def forward(self, x):
        return self.step(x)


class Up(nn.Module):
    def __init__(self, cin, cout, bilinear=True):
        super().__init__()
        if bilinear:
            self.up = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)
            self.conv = Double(cin, cout, cin // 2)
        else:
            self.up = nn.ConvTranspose2d(cin, cin // 2, kernel_size=2, stride=2)
            self.conv = Double(cin, cout)

    def forward(self, x, skip):
        x = self.up(x)
        dy = skip.size()[2] - x.size()[2]
        dx = skip.size()[3] - x.size()[3]
        x = F.pad(x, [dx // 2, dx - dx // 2, dy // 2, dy - dy // 2])
        return self.conv(torch.cat([skip, x], dim=1))


class UNet(nn.Module):
    def __init__(self, channels=3, classes=2, width=8, bilinear=False):
        super().__init__()
        w, f = width, 2 if bilinear else 1
        self.inc = Double(channels, w)
        self.downs = nn.ModuleList([Down(w, 2 * w), Down(2 * w, 4 * w), Down(4 * w, 8 * w), Down(8 * w, 16 * w // f)])
        self.ups = nn.ModuleList([Up(16 * w, 8 * w // f, bilinear), Up(8 * w, 4 * w // f, bilinear), Up(4 * w, 2 * w // f, bilinear), Up(2 * w, w, bilinear)])
        self.outc = nn.Conv2d(w, classes, 1)

    def forward(self, x):
        skips = [self.inc(x)]
        for down in self.downs:
            skips.append(down(skips[-1]))
        y = skips.pop()
        for up, skip in zip(self.ups, reversed(skips)):
            y = up(y, skip)
        return self.outc(y)


class Interpolated(nn.Module):
    """Depth 4, resized to the size of the skip."""

    def __init__(self, width=6):
        super().__init__()
        sizes = [width * 2 ** i for i in range(5)]
        self.down = nn.ModuleList([nn.Conv2d(a, b, 3, 2, 1) for a, b in zip([3] + sizes, sizes)])
        self.up = nn.ModuleList([nn.Conv2d(a + b, b, 3, padding=1) for a, b in zip(sizes[:0:-1], sizes[-2::-1])])
        self.out = nn.Conv2d(width, 1, 1)

    def forward(self, x):
        size = x.shape[-2:]
        skips = []
        for conv in self.down:
            x = F.leaky_relu(conv(x), 0.1)
            skips.append(x)
        x = skips[-1]
        for conv, skip in zip(self.up, skips[-2::-1]):
            x = F.interpolate(x, size=skip.shape[-2:], mode="nearest")
            x = F.relu(conv(torch.cat((x, skip), 1)))
        return torch.sigmoid(F.interpolate(self.out(x), size=size, mode="bilinear", align_corners=False))


def timestep_embedding(t, dim, period=10000):
    half = dim // 2
    freqs = torch.exp(-math.log(period) * torch.arange(start=0, end=half, dtype=torch.float32) / half).to(t.device)
    args = t[:, None].float() * freqs[None]
    emb = torch.cat([torch.cos(args), torch.sin(args)], dim=-1)
    if dim % 2:
        emb = torch.cat([emb, torch.zeros_like(emb[:, :1])], dim=-1)
    return emb


class ResBlock(nn.Module):
    def __init__(self, cin, cout, time):
        super().__init__()
        self.block1 = nn.Sequential(nn.GroupNorm(4, cin), nn.SiLU(), nn.Conv2d(cin, cout, 3, padding=1))
        self.time = nn.Sequential(nn.SiLU(), nn.Linear(time, 2 * cout))
        self.norm = nn.GroupNorm(4, cout)
        self.block2 = nn.Sequential(nn.SiLU(), nn.Dropout(0.1), nn.Conv2d(cout, cout, 3, padding=1))
        self.skip = nn.Conv2d(cin, cout, 1) if cin != cout else nn.Identity()

    def forward(self, x, t):
        h = self.block1(x)
        scale, shift = self.time(t)[:, :, None, None].chunk(2, dim=1)
        return self.block2(self.norm(h) * (1 + scale) + shift) + self.skip(x)


class SelfAttention(nn.Module):
    def __init__(self, channels, heads=2):
        super().__init__()
        self.heads = heads
        self.norm = nn.GroupNorm(4, channels)
        self.qkv = nn.Conv1d(channels, 3 * channels, 1)
        self.proj = nn.Conv1d(channels, channels, 1)

    def forward(self, x):
        b, c, *spatial = x.shape
        y = x.reshape(b, c, -1)
        q, k, v = self.qkv(self.norm(y)).reshape(b * self.heads, -1, y.shape[2]).chunk(3, dim=1)
        scale = 1 / math.sqrt(math.sqrt(c // self.heads))
        w = torch.softmax(torch.einsum("bct,bcs->bts", q * scale, k * scale), dim=-1)
        a = torch.einsum("bts,bcs->bct", w, v).reshape(b, -1, y.shape[2])
        return (y + self.proj(a)).reshape(b, c, *spatial)


class Diffusion(nn.Module):
    def __init__(self, width=8, classes=5):
        super().__init__()
        self.width = width
        time = 4 * width
        self.time = nn.Sequential(nn.Linear(width, time), nn.SiLU(), nn.Linear(time, time))
        self.label = nn.Embedding(classes, time)
        self.first = nn.Conv2d(3, width, 3, padding=1)
        self.down1 = ResBlock(width, width, time)
        self.pool = nn.Conv2d(width, width, 3, stride=2, padding=1)
        self.down2 = ResBlock(width, 2 * width, time)
        self.attention = SelfAttention(2 * width)
        self.up = ResBlock(3 * width, width, time)
        self.out = nn.Sequential(nn.GroupNorm(4, width), nn.SiLU(), nn.Conv2d(width, 6, 3, padding=1))

    def forward(self, x, timesteps, y=None):
        emb = self.time(timestep_embedding(timesteps, self.width))
        if y is not None:
            emb = emb + self.label(y)
        h1 = self.down1(self.first(x), emb)
        h2 = self.attention(self.down2(self.pool(h1), emb))
        up = F.interpolate(h2, scale_factor=2.0, mode="nearest")[:, :, :x.shape[2], :x.shape[3]]
        mean, variance = torch.split(self.out(self.up(torch.cat([up, h1], dim=1), emb)), 3, dim=1)
        return {"mean": mean, "log_variance": variance}


class Sampler(nn.Module):
    """A step of denoising with the schedule as buffers."""

    def __init__(self, steps=10):
        super().__init__()
        self.model = Diffusion()
        betas = torch.linspace(1e-4, 0.02, steps)
        alphas = torch.cumprod(1.0 - betas, dim=0)
        self.register_buffer("betas", betas)
        self.register_buffer("alphas", alphas)
        self.register_buffer("root", torch.sqrt(1.0 / alphas - 1), persistent=False)

    def extract(self, table, t, x):
        return table.gather(-1, t).reshape(t.shape[0], *((1,) * (len(x.shape) - 1)))

    def forward(self, x, t):
        eps = self.model(x, t)["mean"]
        start = x / self.extract(self.alphas, t, x).sqrt() - self.extract(self.root, t, x) * eps
        start = start.clamp(-1, 1)
        beta = self.extract(self.betas, t, x)
        return start * beta + x * (1 - beta), start

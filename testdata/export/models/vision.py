# Image classifiers: patches and attention, large kernels, shifted windows, inverted
# residuals, pairs of images.
from functools import partial
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Attention(nn.Module):
    def __init__(self, dim, heads=4, bias=True):
        super().__init__()
        self.heads, self.scale = heads, (dim // heads) ** -0.5
        self.qkv = nn.Linear(dim, dim * 3, bias=bias)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        B, N, C = x.shape
        q, k, v = self.qkv(x).reshape(B, N, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        attn = ((q * self.scale) @ k.transpose(-2, -1)).softmax(dim=-1)
        return self.proj((attn @ v).transpose(1, 2).reshape(B, N, C))


class DropPath(nn.Module):
    def __init__(self, p=0.0):
        super().__init__()
        self.p = p

    def forward(self, x):
        if self.p == 0.0 or not self.training:
            return x
        keep = x.new_empty((x.shape[0],) + (1,) * (x.ndim - 1)).bernoulli_(1 - self.p)
        return x * keep.div_(1 - self.p)


class ViTBlock(nn.Module):
    def __init__(self, dim, heads, drop=0.1, layer_scale=1e-1, norm=partial(nn.LayerNorm, eps=1e-6)):
        super().__init__()
        self.norm1, self.norm2 = norm(dim), norm(dim)
        self.attn = Attention(dim, heads)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))
        self.gamma = nn.Parameter(layer_scale * torch.ones(dim))
        self.path = DropPath(drop)

    def forward(self, x):
        x = x + self.path(self.gamma * self.attn(self.norm1(x)))
        return x + self.path(self.gamma * self.mlp(self.norm2(x)))


class Classified(NamedTuple):
    logits: Tensor
    features: Tensor


class ViT(nn.Module):
    """Positions are resized to the image."""

    def __init__(self, patch=8, dim=32, depth=2, heads=4, classes=10, grid=4):
        super().__init__()
        self.patch, self.grid = patch, grid
        self.embed = nn.Conv2d(3, dim, patch, patch)
        self.cls_token = nn.Parameter(torch.randn(1, 1, dim) * 0.02)
        self.pos_embed = nn.Parameter(torch.randn(1, grid * grid + 1, dim) * 0.02)
        self.blocks = nn.ModuleList([ViTBlock(dim, heads, p.item()) for p in torch.linspace(0, 0.1, depth)])
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, classes)

    def positions(self, h, w):
        cls, grid = self.pos_embed[:, :1], self.pos_embed[:, 1:]
        grid = grid.reshape(1, self.grid, self.grid, -1).permute(0, 3, 1, 2)
        grid = F.interpolate(grid, size=(h, w), mode="bicubic", align_corners=False)
        return torch.cat((cls, grid.permute(0, 2, 3, 1).flatten(1, 2)), dim=1)

    def forward(self, x):
        x = self.embed(x)
        pos = self.positions(*x.shape[-2:])
        x = x.flatten(2).transpose(1, 2)
        x = torch.cat((self.cls_token.expand(x.shape[0], -1, -1), x), dim=1) + pos
        for blk in self.blocks:
            x = blk(x)
        x = self.norm(x)
        return Classified(self.head(x[:, 0]), x)


class LayerNorm2d(nn.LayerNorm):
    def forward(self, x):
        return super().forward(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)


class ConvNeXtBlock(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dw = nn.Conv2d(dim, dim, 7, padding=3, groups=dim)
        self.norm = nn.LayerNorm(dim, eps=1e-6)
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)
        self.alpha, self.beta = nn.Parameter(torch.ones(4 * dim)), nn.Parameter(torch.zeros(4 * dim))

    def forward(self, x):
        y = self.dw(x).permute(0, 2, 3, 1)
        y = F.gelu(self.up(self.norm(y)))
        g = torch.norm(y, p=2, dim=(1, 2), keepdim=True)
        y = self.alpha * (y * (g / (g.mean(dim=-1, keepdim=True) + 1e-6))) + self.beta + y
        return x + self.down(y).permute(0, 3, 1, 2)


class ConvNeXt(nn.Module):
    def __init__(self, dims=(8, 16, 32), classes=7):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, dims[0], 4, 4), LayerNorm2d(dims[0]))
        stages = []
        for i, d in enumerate(dims):
            if i:
                stages.append(nn.Sequential(LayerNorm2d(dims[i - 1]), nn.Conv2d(dims[i - 1], d, 2, 2)))
            stages.extend([ConvNeXtBlock(d) for _ in range(2)])
        self.stages = nn.Sequential(*stages)
        self.head = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(1), nn.LayerNorm(dims[-1]), nn.Linear(dims[-1], classes))

    def forward(self, x):
        return self.head(self.stages(self.stem(x)))


def window_partition(x, size):
    b, h, w, c = x.shape
    return x.view(b, h // size, size, w // size, size, c).permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, size, size, c)


def window_reverse(windows, size, h, w):
    b = int(windows.shape[0] / (h * w / size / size))
    return windows.view(b, h // size, w // size, size, size, -1).permute(0, 1, 3, 2, 4, 5).contiguous().view(b, h, w, -1)


class WindowBlock(nn.Module):
    def __init__(self, dim, heads, size, shift):
        super().__init__()
        self.heads, self.size, self.shift = heads, size, shift
        self.norm = nn.LayerNorm(dim)
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.table = nn.Parameter(torch.randn((2 * size - 1) ** 2, heads) * 0.02)
        coords = torch.stack(torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")).flatten(1)
        relative = (coords[:, :, None] - coords[:, None, :]).permute(1, 2, 0).contiguous()
        relative[:, :, 0] += size - 1
        relative[:, :, 1] += size - 1
        relative[:, :, 0] *= 2 * size - 1
        self.register_buffer("index", relative.sum(-1))

    def mask(self, h, w):
        img = torch.zeros((1, h, w, 1))
        cnt = 0
        for hs in (slice(0, -self.size), slice(-self.size, -self.shift), slice(-self.shift, None)):
            for ws in (slice(0, -self.size), slice(-self.size, -self.shift), slice(-self.shift, None)):
                img[:, hs, ws, :] = cnt
                cnt += 1
        m = window_partition(img, self.size).view(-1, self.size * self.size)
        m = m.unsqueeze(1) - m.unsqueeze(2)
        return m.masked_fill(m != 0, -100.0).masked_fill(m == 0, 0.0)

    def attend(self, x, mask):
        b, n, c = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        a = q @ k.transpose(-2, -1) / (c // self.heads) ** 0.5
        a = a + self.table[self.index.view(-1)].view(n, n, -1).permute(2, 0, 1).unsqueeze(0)
        if mask is not None:
            count = mask.shape[0]
            a = (a.view(b // count, count, self.heads, n, n) + mask[None, :, None]).view(-1, self.heads, n, n)
        return self.proj((a.softmax(-1) @ v).transpose(1, 2).reshape(b, n, c))

    def forward(self, x):
        _, h, w, c = x.shape
        y = self.norm(x)
        mask = None
        if self.shift > 0:
            y = torch.roll(y, shifts=(-self.shift, -self.shift), dims=(1, 2))
            mask = self.mask(h, w)
        y = self.attend(window_partition(y, self.size).view(-1, self.size ** 2, c), mask)
        y = window_reverse(y.view(-1, self.size, self.size, c), self.size, h, w)
        if self.shift > 0:
            y = torch.roll(y, (self.shift, self.shift), (1, 2))
        return x + y


class Windows(nn.Module):
    def __init__(self, dim=16, size=4, classes=6):
        super().__init__()
        self.embed = nn.Conv2d(3, dim, 4, 4)
        self.blocks = nn.Sequential(WindowBlock(dim, 2, size, 0), WindowBlock(dim, 2, size, size // 2))
        self.merge = nn.Linear(4 * dim, 2 * dim, bias=False)
        self.head = nn.Linear(2 * dim, classes)

    def forward(self, x):
        x = self.blocks(self.embed(x).permute(0, 2, 3, 1))
        x = torch.cat([x[:, 0::2, 0::2], x[:, 1::2, 0::2], x[:, 0::2, 1::2], x[:, 1::2, 1::2]], -1)
        return self.head(self.merge(x).mean((1, 2)))


def divisible(v, by=8):
    new = max(by, int(v + by / 2) // by * by)
    return new + by if new < 0.9 * v else new


class Squeeze(nn.Module):
    def __init__(self, channels, ratio=4):
        super().__init__()
        mid = divisible(channels // ratio, 4)
        self.fc = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(channels, mid, 1), nn.ReLU(), nn.Conv2d(mid, channels, 1), nn.Hardsigmoid())

    def forward(self, x):
        return x * self.fc(x)


class Inverted(nn.Module):
    def __init__(self, cin, cout, stride, expand, squeeze):
        super().__init__()
        mid = cin * expand
        layers = [] if expand == 1 else [nn.Conv2d(cin, mid, 1, bias=False), nn.BatchNorm2d(mid), nn.Hardswish()]
        layers += [nn.Conv2d(mid, mid, 3, stride, 1, groups=mid, bias=False), nn.BatchNorm2d(mid), nn.Hardswish()]
        if squeeze:
            layers.append(Squeeze(mid))
        layers += [nn.Conv2d(mid, cout, 1, bias=False), nn.BatchNorm2d(cout)]
        self.conv = nn.Sequential(*layers)
        self.same = stride == 1 and cin == cout

    def forward(self, x):
        return x + self.conv(x) if self.same else self.conv(x)


class MobileNet(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        table = [(1, 8, 1, 1, True), (4, 16, 2, 2, False), (4, 24, 2, 2, True)]
        layers, cin = [nn.Conv2d(3, 8, 3, 2, 1)], 8
        for expand, c, n, s, se in table:
            for i in range(n):
                layers.append(Inverted(cin, c, s if i == 0 else 1, expand, se))
                cin = c
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(nn.Dropout(0.2), nn.Linear(cin, classes))

    def forward(self, x):
        x = self.features(x).mean([2, 3])
        return self.classifier(x)


class Siamese(nn.Module):
    """Two images, and a dict of a third and fourth."""

    def __init__(self, dim=12):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(1, 4, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(4, 8, 3), nn.ReLU(), nn.AdaptiveMaxPool2d((2, 2)), nn.Flatten(), nn.Linear(32, dim))

    def embed(self, x):
        return F.normalize(self.net(x), dim=1)

    def forward(self, pair, more):
        a, b = (self.embed(x) for x in pair)
        c = self.embed(more["negative"])
        near, far = F.pairwise_distance(a, b), F.pairwise_distance(a, c)
        return {"same": F.cosine_similarity(a, b), "embeddings": (a, b, c), "triplet": F.relu(near - far + more["margin"])}

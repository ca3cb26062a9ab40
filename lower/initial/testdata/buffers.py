# Buffers that constructors compute. buffers.json.gz has their elements as PyTorch
# 1.13 computes them (record.py).
import math
import numpy as np
import torch
from torch import nn


class Positions(nn.Module):
    """Sines and cosines, by slices, by stacking and with numpy."""

    def __init__(self, length=11, dim=8):
        super().__init__()
        pe = torch.zeros(length, dim)
        position = torch.arange(0, length, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, dim, 2).float() * (-math.log(10000.0) / dim))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer('pe', pe.unsqueeze(0).transpose(0, 1))
        inv_freq = 1.0 / (10000 ** (torch.arange(0, dim, 2).float() / dim))
        self.register_buffer('inv_freq', inv_freq)
        freqs = torch.einsum('i,j->ij', torch.arange(length).float(), inv_freq)
        emb = torch.cat((freqs, freqs), dim=-1)
        self.register_buffer('cos_cached', emb.cos()[None, None, :, :])
        self.register_buffer('sin_cached', emb.sin()[None, None, :, :])
        omega = np.arange(dim // 2, dtype=np.float64)
        omega /= dim / 2.
        omega = 1. / 10000 ** omega
        self.register_buffer('omega', torch.from_numpy(np.sin(omega)).float())
        grid = torch.meshgrid(torch.linspace(-1, 1, 5), torch.linspace(0, 1, 3), indexing='ij')
        self.register_buffer('grid', torch.stack(grid, -1))


class Masks(nn.Module):
    def __init__(self, n=6):
        super().__init__()
        self.register_buffer('tril', torch.tril(torch.ones(n, n)).view(1, 1, n, n))
        mask = torch.empty(n, n)
        mask.fill_(float('-inf'))
        mask.triu_(1)
        self.register_buffer('clip', mask)
        self.register_buffer('bools', torch.ones(n, n).tril().bool())
        self.register_buffer('square', nn.Transformer.generate_square_subsequent_mask(n))
        self.register_buffer('band', (torch.arange(n)[None] - torch.arange(n)[:, None]).abs() <= 2)
        slopes = torch.tensor([2 ** (-8 * i / 4) for i in range(1, 5)])
        bias = slopes[:, None, None] * torch.arange(n)[None, None, :]
        self.register_buffer('alibi', bias.masked_fill(bias > 2, 0))


class Relative(nn.Module):
    """The places of swin's and of T5's tables."""

    def __init__(self, h=3, w=4):
        super().__init__()
        coords = torch.stack(torch.meshgrid(torch.arange(h), torch.arange(w), indexing='ij'))
        flat = torch.flatten(coords, 1)
        relative = flat[:, :, None] - flat[:, None, :]
        relative = relative.permute(1, 2, 0).contiguous()
        relative[:, :, 0] += h - 1
        relative[:, :, 1] += w - 1
        relative[:, :, 0] *= 2 * w - 1
        self.register_buffer('index', relative.sum(-1).flatten())
        p = torch.arange(6)[None, :] - torch.arange(5)[:, None]
        n = torch.clamp(-p, min=0)
        large = 4 + (torch.log(n.float() / 4 + 1e-6) / math.log(16 / 4) * 4).to(torch.long)
        self.register_buffer('bucket', torch.where(n < 4, n, torch.min(large, torch.full_like(large, 7))))


class Fixed(nn.Module):
    """Kernels and constants; views that share memory; copies that do not."""

    def __init__(self):
        super().__init__()
        g = torch.tensor([1., 2., 1.])
        k = g[:, None] * g[None, :]
        k = k / k.sum()
        self.register_buffer('blur', k[None, None].repeat(3, 1, 1, 1))
        self.register_buffer('mean', torch.tensor([0.485, 0.456, 0.406]).view(-1, 1, 1))
        base = torch.zeros(4, 3)
        view = base[1:3]
        view[0].fill_(5)
        view.t()[2].add_(1)
        copy = base.clone()
        base.diagonal().fill_(-1)
        self.register_buffer('base', base)
        self.register_buffer('part', view)
        self.register_buffer('copy', copy)
        self.register_buffer('low', torch.linspace(0, 1, 7).half())
        self.register_buffer('ints', torch.arange(10, dtype=torch.int32).flip(0).cumsum(0))
        self.register_buffer('eye', torch.eye(3, 4).roll(1, 0))
        self.register_buffer('bytes', (torch.arange(5) * 100).to(torch.uint8))
        self.conv = nn.Conv2d(1, 1, 3, bias=False)
        with torch.no_grad():
            self.conv.weight[:] = k
            self.conv.weight.mul_(2)
        self.norm = nn.BatchNorm1d(3)
        self.table = nn.Embedding.from_pretrained(torch.arange(6.).view(3, 2))
        self.same = nn.Conv1d(4, 4, 3)
        nn.init.dirac_(self.same.weight, 2)
        nn.init.constant_(self.same.bias, 0.5)
        self.square = nn.Linear(3, 4)
        nn.init.eye_(self.square.weight)
        nn.init.zeros_(self.square.bias)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.positions = Positions()
        self.masks = Masks()
        self.relative = Relative()
        self.fixed = Fixed()

    def forward(self, x):
        return x

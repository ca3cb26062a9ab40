"""Compiled blocks inside of a module."""
import torch
from torch import nn
class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.n = nn.LayerNorm(d)
        self.f = nn.Linear(d, d)
    def forward(self, x, mask=None):
        y = self.f(self.n(x))
        if mask is not None:
            y = y.masked_fill(~mask[..., None], 0)
        return x + y
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([torch.compile(Block(8)) for _ in range(3)])
    def forward(self, x):
        for b in self.blocks:
            x = b(x)
        return x
m = Model()
for t in (5, 6, 7):
    m(torch.randn(2, t, 8))

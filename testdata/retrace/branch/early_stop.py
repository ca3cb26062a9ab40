"""Layers skipped when the change is small."""
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2, bias=False) for _ in range(3)])
        for l in self.layers:
            nn.init.eye_(l.weight)

    def forward(self, x):
        for i, l in enumerate(self.layers):
            y = l(x)
            if (y - x).abs().max() < 1e-6 and i > 0:
                break
            x = y
        return x

net = Net().eval()
inputs = (torch.ones(1, 2),)
others = [(torch.zeros(3, 2),)]

"""Layers in a ModuleList"""
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
        self.scale = 2

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).relu()
        return x * self.scale

m = Net()
c = torch.compile(m)
c(torch.ones(2, 4))
c(torch.ones(3, 4))
c(torch.ones(5, 4))
m.scale = 3
c(torch.ones(5, 4))
m.scale = 4
c(torch.ones(5, 4))

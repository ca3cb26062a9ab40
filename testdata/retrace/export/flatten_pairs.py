"""Pairs of rows: half of the batch."""
import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def forward(self, x):
        return x.reshape(x.shape[0] // 2, 2, -1).mean(1)

net = Net().eval()
try:
    torch.export.export(net, (torch.rand(6, 3),), dynamic_shapes=({0: Dim("B")},))
except Exception as e:
    print(type(e).__name__)
h = Dim("h")
ep = torch.export.export(net, (torch.rand(6, 3),), dynamic_shapes=({0: 2 * h},))
ep.module()(torch.rand(8, 3))

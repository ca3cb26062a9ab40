"""Attention heads: view with fixed head counts."""
import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(8, 24)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q.view(b, t, 2, 4).transpose(1, 2)
        k = k.view(b, t, 2, 4).transpose(1, 2)
        v = v.view(b, t, 2, 4).transpose(1, 2)
        a = (q @ k.transpose(-2, -1)).softmax(-1) @ v
        return a.transpose(1, 2).reshape(b, t, c)

net = Net().eval()
ep = torch.export.export(net, (torch.ones(2, 5, 8),), dynamic_shapes={"x": {0: Dim("B"), 1: Dim("T")}})
m = ep.module()
m(torch.ones(3, 7, 8))

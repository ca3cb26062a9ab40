"""Patches of four: divisible sizes."""
import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def forward(self, x):
        b, c, h, w = x.shape
        x = x.reshape(b, c, h // 4, 4, w // 4, 4)
        return x.permute(0, 2, 4, 1, 3, 5).flatten(3)

net = Net().eval()
ep = torch.export.export(net, (torch.ones(1, 3, 8, 12),), dynamic_shapes={"x": {2: Dim.AUTO, 3: Dim.AUTO}})
m = ep.module()
m(torch.ones(1, 3, 16, 8))
try:
    m(torch.ones(1, 3, 10, 8))
except Exception as e:
    print(type(e).__name__)

"""A branch on a draw of NumPy."""
import numpy as np
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        if np.random.rand() < 2:
            return x + 1
        return x - 1

net = Net().eval()
try:
    ep = torch.export.export(net, (torch.ones(3),), strict=True)
    ep.module()(torch.ones(3))
except Exception as e:
    print(type(e).__name__)

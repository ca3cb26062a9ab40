"""A draw of NumPy is baked in, also in strict mode."""
import numpy as np
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        return x * np.random.rand()

net = Net().eval()
ep = torch.export.export(net, (torch.ones(3),), strict=True)
ep.module()(torch.ones(3))

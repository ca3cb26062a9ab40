"""A declared range within what the code needs."""
import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def forward(self, x):
        if x.shape[0] > 32:
            raise ValueError("too long")
        return x * 2

net = Net().eval()
ep = torch.export.export(net, (torch.ones(4),), dynamic_shapes={"x": {0: Dim("n", min=2, max=16)}})
ep.module()(torch.ones(8))
try:
    ep.module()(torch.ones(20))
except Exception as e:
    print(type(e).__name__)

"""Sizes of a Dim and of AUTO and DYNAMIC are equal."""
import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def forward(self, x, y):
        return x + y

net = Net().eval()
torch.export.export(net, (torch.ones(4), torch.ones(4)), dynamic_shapes={"x": {0: Dim.DYNAMIC}, "y": {0: Dim("b", max=10)}})

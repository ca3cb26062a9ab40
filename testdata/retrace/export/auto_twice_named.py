"""A size with AUTO is twice one with a Dim: torch.export wants that said."""
import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def forward(self, x, y):
        return x.repeat(2) + y

net = Net().eval()
try:
    torch.export.export(net, (torch.ones(4), torch.ones(8)), dynamic_shapes={"x": {0: Dim("a")}, "y": {0: Dim.AUTO}})
except Exception as e:
    print(type(e).__name__)

"""A size with a Dim is one more than one with AUTO."""
import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def forward(self, x, y):
        return x[1:] + y

net = Net().eval()
torch.export.export(net, (torch.ones(5), torch.ones(4)), dynamic_shapes={"x": {0: Dim("a", max=10)}, "y": {0: Dim.AUTO}})

"""A size is twice another, both AUTO."""
import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def forward(self, x, y):
        return x.repeat(2) + y

net = Net().eval()
torch.export.export(net, (torch.ones(4), torch.ones(8)), dynamic_shapes={"x": {0: Dim.AUTO}, "y": {0: Dim.AUTO}})

"""An example batch of one with AUTO."""
import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def forward(self, x):
        return x.sum(1)

net = Net().eval()
ep = torch.export.export(net, (torch.ones(1, 4),), dynamic_shapes={"x": {0: Dim.AUTO, 1: Dim.AUTO}})
m = ep.module()
m(torch.ones(1, 6))
try:
    m(torch.ones(2, 4))
except Exception as e:
    print(type(e).__name__)

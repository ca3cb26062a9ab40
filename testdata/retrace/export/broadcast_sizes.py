"""Broadcast of a dynamic size with a fixed one."""
import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def forward(self, x, y):
        return x + y

net = Net().eval()
try:
    torch.export.export(net, (torch.ones(3, 4), torch.ones(3, 4)), dynamic_shapes={"x": {0: Dim("B")}, "y": None})
except Exception as e:
    print(type(e).__name__)
ep = torch.export.export(net, (torch.ones(3, 4), torch.ones(1, 4)), dynamic_shapes={"x": {0: Dim("B")}, "y": None})
m = ep.module()
m(torch.ones(9, 4), torch.ones(1, 4))

"""Two conditions on one Dim."""
import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def forward(self, x):
        if x.shape[0] < 3:
            return x
        if x.shape[0] > 20:
            return x * 3
        return x * 2

net = Net().eval()
try:
    torch.export.export(net, (torch.ones(8),), dynamic_shapes={"x": {0: Dim("B")}})
except Exception as e:
    print(type(e).__name__)
ep = torch.export.export(net, (torch.ones(8),), dynamic_shapes={"x": {0: Dim.AUTO}})
m = ep.module()
m(torch.ones(20))
try:
    m(torch.ones(21))
except Exception as e:
    print(type(e).__name__)

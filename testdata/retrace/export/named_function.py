"""One size is twice another."""
import torch
from torch import nn
from torch.export import Dim
class Net(nn.Module):
    def forward(self, x, y):
        return x.repeat(2) + y
net = Net().eval()
N = Dim("N")
N = Dim("N")
try:
    ep = torch.export.export(net, (torch.ones(4), torch.ones(8)), dynamic_shapes={"x": {0: N}, "y": {0: 2 * N}})
except TypeError:
    print("TypeError")

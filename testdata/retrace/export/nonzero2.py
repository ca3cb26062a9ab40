"""Sizes that elements decide, of known and of dynamic tensors."""
import torch
from torch import nn
from torch.export import Dim
class Net(nn.Module):
    def forward(self, x):
        return x.nonzero(), x[x > 0] * 2
net = Net().eval()
ep = torch.export.export(net, (torch.ones(5),))
ep = torch.export.export(net, (torch.ones(5, 2),), dynamic_shapes={"x": {0: Dim("B")}})

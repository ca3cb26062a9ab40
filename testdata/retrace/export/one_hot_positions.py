"""one_hot of positions, AUTO."""
import torch
from torch import nn
import torch.nn.functional as F
from torch.export import Dim

class Net(nn.Module):
    def forward(self, x):
        return F.one_hot(torch.arange(x.shape[1]), x.shape[1]).float() @ x.transpose(0, 1)

net = Net().eval()
ep = torch.export.export(net, (torch.ones(2, 4),), dynamic_shapes={"x": {1: Dim.AUTO}})
m = ep.module()
m(torch.ones(2, 6))

"""arange up to a number of a tensor."""
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, n):
        k = n.item()
        torch._check(k >= 0)
        return torch.arange(k)

net = Net().eval()
ep = torch.export.export(net, (torch.tensor(4),))
ep.module()(torch.tensor(6))

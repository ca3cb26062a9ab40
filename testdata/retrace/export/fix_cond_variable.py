"""A variable that one side changes: torch.cond keeps both."""
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        y = x + 1
        if x.max() > 1:
            y = y / 2
        return y * 3

net = Net().eval()
ep = torch.export.export(net, (torch.ones(3),))
ep.module()(torch.ones(3) * 5)

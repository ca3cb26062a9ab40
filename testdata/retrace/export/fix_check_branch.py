"""A branch on a number out of a tensor: the program is for one side."""
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x, k):
        n = k.item()
        if n > 2:
            y = x * 2
            x = y + 1
        return x + n

ep = torch.export.export(Net(), (torch.ones(3), torch.tensor(3)))
ep.module()(torch.ones(3), torch.tensor(4))

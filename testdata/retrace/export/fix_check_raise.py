"""A raise on a number out of a tensor: torch._check states the opposite."""
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x, k):
        n = k.item()
        if n > 4:
            raise ValueError("too many")
        return x * n

ep = torch.export.export(Net(), (torch.ones(3), torch.tensor(3)))
ep.module()(torch.ones(3), torch.tensor(4))

"""A branch on a number out of a tensor: torch.cond keeps both sides."""
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x, k):
        n = k.item()
        x = torch.cond(n > 2, lambda: x * 2, lambda: x.clone(), ())
        return x + n

ep = torch.export.export(Net(), (torch.ones(3), torch.tensor(3)))
ep.module()(torch.ones(3), torch.tensor(4))

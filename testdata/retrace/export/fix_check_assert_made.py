"""An assert on a number out of a tensor."""
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x, k):
        n = k.item()
        torch._check(n >= 0)
        return x + n

ep = torch.export.export(Net(), (torch.ones(3), torch.tensor(3)))
ep.module()(torch.ones(3), torch.tensor(4))

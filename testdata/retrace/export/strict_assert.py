"""An assert over values: strict takes it, non-strict does not."""
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        assert x.max() < 10
        return x * 2

ep = torch.export.export(Net(), (torch.ones(3),), strict=True)
ep.module()(torch.ones(3))
torch.export.export(Net(), (torch.ones(3),))

"""strict mode takes int() of a tensor of integers as its number."""
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x, lengths):
        n = int(lengths.max())
        return torch.arange(n)[None] < lengths[:, None]

net = Net().eval()
ep = torch.export.export(net, (torch.rand(2, 5), torch.tensor([3, 5])), strict=True)
ep.module()(torch.rand(2, 5), torch.tensor([1, 4]))

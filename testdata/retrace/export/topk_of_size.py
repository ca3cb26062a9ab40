"""topk with a number that depends on the size."""
import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def forward(self, x):
        k = min(4, x.shape[1])
        return x.topk(k, dim=1).values

net = Net().eval()
try:
    torch.export.export(net, (torch.rand(2, 6),), dynamic_shapes=({1: Dim("N")},))
except Exception as e:
    print(type(e).__name__)
ep = torch.export.export(net, (torch.rand(2, 6),), dynamic_shapes=({1: Dim.AUTO},))
ep.module()(torch.rand(2, 9))

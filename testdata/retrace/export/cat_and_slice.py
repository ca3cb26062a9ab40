"""cat, then a slice by the size of the first."""
import torch
from torch import nn
from torch.export import export, Dim

class Net(nn.Module):
    def forward(self, x, y):
        z = torch.cat([x, y])
        return z[: x.shape[0]] * 2 + x

net = Net().eval()
ep = export(net, (torch.ones(3), torch.ones(5)), dynamic_shapes=({0: Dim("A")}, {0: Dim("B")}))
ep.module()(torch.ones(6), torch.ones(2))

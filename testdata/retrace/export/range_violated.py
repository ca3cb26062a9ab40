"""A condition cuts the declared range."""
import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def forward(self, x):
        if x.shape[0] <= 10:
            return x * 2
        return x

net = Net().eval()
try:
    ep = torch.export.export(net, (torch.ones(4),), dynamic_shapes={"x": {0: Dim("B", max=64)}})
except Exception as e:
    print(type(e).__name__)

"""Dim.DYNAMIC where the code fixes the size."""
import torch
from torch import nn
from torch.export import Dim

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(4))

    def forward(self, x):
        return x * self.w

net = Net().eval()
try:
    torch.export.export(net, (torch.ones(4),), dynamic_shapes={"x": {0: Dim.DYNAMIC}})
except Exception as e:
    print(type(e).__name__)

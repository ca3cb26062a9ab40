"""batch norm in eval"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.b = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.b(x)

net = Net().eval()
ep = torch.export.export(net, (torch.ones(8, 3),), dynamic_shapes={"x": {0: Dim("B")}})
m = ep.module()
try:
    m(torch.ones(1, 3))
except Exception as e:
    print(type(e).__name__)

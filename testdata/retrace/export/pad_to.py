"""pad to a multiple"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        n = (-x.shape[0]) % 4
        x = F.pad(x, (0, 0, 0, n))
        return x.view(-1, 4, 3)

net = Net().eval()
ep = torch.export.export(net, (torch.ones(8, 3),), dynamic_shapes={"x": {0: Dim.AUTO}})
m = ep.module()
try:
    m(torch.ones(12, 3))
except Exception as e:
    print(type(e).__name__)
try:
    m(torch.ones(7, 3))
except Exception as e:
    print(type(e).__name__)

"""an optional argument left out"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x, mask=None):
        return x if mask is None else x * mask

net = Net().eval()
ep = torch.export.export(net, (torch.ones(3),))
m = ep.module()
try:
    m(torch.ones(3))
except Exception as e:
    print(type(e).__name__)
try:
    m(torch.ones(3), torch.ones(3))
except Exception as e:
    print(type(e).__name__)

"""a bool argument"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x, double):
        return x * 2 if double else x

net = Net().eval()
ep = torch.export.export(net, (torch.ones(3), True))
m = ep.module()
try:
    m(torch.ones(3), True)
except Exception as e:
    print(type(e).__name__)
try:
    m(torch.ones(3), False)
except Exception as e:
    print(type(e).__name__)

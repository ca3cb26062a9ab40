"""a raise"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        if x.dim() != 3:
            raise ValueError("three dimensions wanted")
        return x

net = Net().eval()
try:
    torch.export.export(net, (torch.ones(8, 3),))
except Exception as e:
    print(type(e).__name__)

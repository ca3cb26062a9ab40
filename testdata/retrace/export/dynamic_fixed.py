"""Dim.DYNAMIC that is fixed"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        return x + torch.ones(8, 3)

net = Net().eval()
try:
    torch.export.export(net, (torch.ones(8, 3),), dynamic_shapes={"x": {0: Dim.DYNAMIC}})
except Exception as e:
    print(type(e).__name__)

"""a number chosen by size"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        k = 2 if x.shape[0] > 16 else 3
        return x * k

net = Net().eval()
ep = torch.export.export(net, (torch.ones(8, 3),), dynamic_shapes={"x": {0: Dim.AUTO}})
m = ep.module()
try:
    m(torch.ones(16, 3))
except Exception as e:
    print(type(e).__name__)
try:
    m(torch.ones(17, 3))
except Exception as e:
    print(type(e).__name__)

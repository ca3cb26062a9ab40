"""a minimum that is enough"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        return x * 2 if x.shape[0] > 4 else x

net = Net().eval()
ep = torch.export.export(net, (torch.ones(8, 3),), dynamic_shapes={"x": {0: Dim("B", min=5)}})
m = ep.module()
try:
    m(torch.ones(9, 3))
except Exception as e:
    print(type(e).__name__)
try:
    m(torch.ones(5, 3))
except Exception as e:
    print(type(e).__name__)
try:
    m(torch.ones(4, 3))
except Exception as e:
    print(type(e).__name__)

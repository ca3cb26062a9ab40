"""chunk in two"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        a, b = x.chunk(2, 1)
        return a * b.sigmoid()

net = Net().eval()
ep = torch.export.export(net, (torch.ones(4, 6),), dynamic_shapes={"x": {0: Dim("B")}})
m = ep.module()
try:
    m(torch.ones(9, 6))
except Exception as e:
    print(type(e).__name__)

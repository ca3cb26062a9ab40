"""upsample to the size"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        return x + F.interpolate(F.max_pool2d(x, 2), size=x.shape[-2:])

net = Net().eval()
ep = torch.export.export(net, (torch.ones(1, 3, 8, 8),), dynamic_shapes={"x": {2: Dim.AUTO, 3: Dim.AUTO}})
m = ep.module()
try:
    m(torch.ones(1, 3, 9, 7))
except Exception as e:
    print(type(e).__name__)

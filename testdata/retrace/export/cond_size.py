"""torch.cond on a size"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        return torch.cond(x.shape[0] > 4, lambda t: t * 2, lambda t: t - 1, (x,))

net = Net().eval()
ep = torch.export.export(net, (torch.ones(6),), dynamic_shapes={"x": {0: Dim("N")}})
m = ep.module()
try:
    m(torch.ones(3))
except Exception as e:
    print(type(e).__name__)

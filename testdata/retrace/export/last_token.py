"""the last position"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        return x[:, -1]

net = Net().eval()
ep = torch.export.export(net, (torch.ones(2, 5, 4),), dynamic_shapes={"x": {1: Dim("T")}})
m = ep.module()
try:
    m(torch.ones(2, 9, 4))
except Exception as e:
    print(type(e).__name__)

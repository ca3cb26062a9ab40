"""positions"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        return (x > 0).nonzero()

net = Net().eval()
ep = torch.export.export(net, (torch.ones(4),))
m = ep.module()
try:
    m(torch.ones(4))
except Exception as e:
    print(type(e).__name__)

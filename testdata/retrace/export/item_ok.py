"""a number with a check"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x, y):
        n = y.sum().item()
        torch._check(n >= 0)
        return x * n

net = Net().eval()
ep = torch.export.export(net, (torch.ones(3), torch.tensor([1, 2])))
m = ep.module()
try:
    m(torch.ones(3), torch.tensor([4, 5]))
except Exception as e:
    print(type(e).__name__)

"""a string argument"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x, how="sum"):
        return x.sum() if how == "sum" else x.mean()

net = Net().eval()
ep = torch.export.export(net, (torch.ones(3), "mean"))
m = ep.module()
try:
    m(torch.ones(3), "mean")
except Exception as e:
    print(type(e).__name__)
try:
    m(torch.ones(3), "sum")
except Exception as e:
    print(type(e).__name__)

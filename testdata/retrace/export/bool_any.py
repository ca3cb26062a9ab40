"""any"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        if (x < 0).any():
            raise ValueError("negative")
        return x.sqrt()

net = Net().eval()
try:
    torch.export.export(net, (torch.ones(6),))
except Exception as e:
    print(type(e).__name__)

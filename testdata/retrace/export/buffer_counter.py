"""a buffer that counts"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("n", torch.zeros(()))

    def forward(self, x):
        self.n += 1
        return x * self.n

net = Net().eval()
ep = torch.export.export(net, (torch.ones(8, 3),))
m = ep.module()
try:
    m(torch.ones(8, 3))
except Exception as e:
    print(type(e).__name__)
try:
    m(torch.ones(8, 3))
except Exception as e:
    print(type(e).__name__)

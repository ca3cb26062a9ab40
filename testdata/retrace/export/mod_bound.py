"""divisible and large"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        assert x.shape[0] % 8 == 0 and x.shape[0] >= 16
        return x * 2

net = Net().eval()
try:
    torch.export.export(net, (torch.ones(32, 3),), dynamic_shapes={"x": {0: Dim("B")}})
except Exception as e:
    print(type(e).__name__)

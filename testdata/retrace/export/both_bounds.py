"""two asserts"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        assert x.shape[0] >= 4
        assert x.shape[0] < 64
        return x

net = Net().eval()
try:
    torch.export.export(net, (torch.ones(8, 3),), dynamic_shapes={"x": {0: Dim("B")}})
except Exception as e:
    print(type(e).__name__)

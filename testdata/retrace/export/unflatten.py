"""unflatten"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        return x.unflatten(0, (2, -1))

net = Net().eval()
try:
    torch.export.export(net, (torch.ones(8, 3),), dynamic_shapes={"x": {0: Dim("B")}})
except Exception as e:
    print(type(e).__name__)

"""keyword arguments"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x, y):
        return x + y

net = Net().eval()
try:
    torch.export.export(net, (torch.ones(3),), {"y": torch.ones(3)}, dynamic_shapes={"x": {0: Dim("S")}, "y": {0: Dim("S")}})
except Exception as e:
    print(type(e).__name__)

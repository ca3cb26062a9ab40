"""B + 1"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x, y):
        return x[1:] + y

net = Net().eval()
try:
    torch.export.export(net, (torch.ones(5, 2), torch.ones(4, 2)), dynamic_shapes={"x": {0: Dim("B") + 1}, "y": {0: Dim("B")}})
except Exception as e:
    print(type(e).__name__)

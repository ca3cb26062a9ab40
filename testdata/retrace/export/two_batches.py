"""batch sizes of two inputs differ in name"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x, y):
        return torch.cat([x, y], 1)

net = Net().eval()
try:
    torch.export.export(net, (torch.ones(4, 2), torch.ones(4, 3)), dynamic_shapes={"x": {0: Dim("B")}, "y": {0: Dim("C")}})
except Exception as e:
    print(type(e).__name__)

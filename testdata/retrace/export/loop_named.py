"""a loop over a named size"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        s = 0
        for i in range(x.shape[0]):
            s = s + x[i]
        return s

net = Net().eval()
try:
    torch.export.export(net, (torch.ones(8, 3),), dynamic_shapes={"x": {0: Dim("B")}})
except Exception as e:
    print(type(e).__name__)

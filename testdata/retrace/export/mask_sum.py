"""sum of selected"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        return x[x > 0].sum()

net = Net().eval()
try:
    torch.export.export(net, (torch.ones(6),), dynamic_shapes={"x": {0: Dim("N")}})
except Exception as e:
    print(type(e).__name__)

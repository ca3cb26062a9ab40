"""example not of the form"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        return x

net = Net().eval()
try:
    torch.export.export(net, (torch.ones(8, 3),), dynamic_shapes={"x": {0: 3 * Dim("B")}})
except Exception as e:
    print(type(e).__name__)

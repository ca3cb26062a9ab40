"""pixel shuffle"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        return F.pixel_shuffle(x, 2)

net = Net().eval()
ep = torch.export.export(net, (torch.ones(1, 8, 4, 4),), dynamic_shapes={"x": {2: Dim("H"), 3: Dim("W")}})
m = ep.module()
try:
    m(torch.ones(1, 8, 5, 6))
except Exception as e:
    print(type(e).__name__)

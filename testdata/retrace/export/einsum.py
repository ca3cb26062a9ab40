"""einsum"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        return torch.einsum("bi,bj->bij", x, x)

net = Net().eval()
ep = torch.export.export(net, (torch.ones(8, 3),), dynamic_shapes={"x": {0: Dim("B")}})
m = ep.module()
try:
    m(torch.ones(3, 3))
except Exception as e:
    print(type(e).__name__)

"""layer norm over a dynamic axis"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        return F.layer_norm(x, x.shape[1:])

net = Net().eval()
ep = torch.export.export(net, (torch.ones(2, 5),), dynamic_shapes={"x": {1: Dim("T")}})
m = ep.module()
try:
    m(torch.ones(2, 7))
except Exception as e:
    print(type(e).__name__)

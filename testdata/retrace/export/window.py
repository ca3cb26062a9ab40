"""windows"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def forward(self, x):
        B, H, W, C = x.shape
        x = x.view(B, H // 4, 4, W // 4, 4, C)
        return x.permute(0, 1, 3, 2, 4, 5).reshape(-1, 4, 4, C)

net = Net().eval()
ep = torch.export.export(net, (torch.ones(2, 8, 8, 3),), dynamic_shapes={"x": {0: Dim("B")}})
m = ep.module()
try:
    m(torch.ones(3, 8, 8, 3))
except Exception as e:
    print(type(e).__name__)

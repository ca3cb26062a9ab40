"""global average"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Linear(3, 2)

    def forward(self, x):
        return self.f(x.mean((2, 3)))

net = Net().eval()
ep = torch.export.export(net, (torch.ones(2, 3, 8, 8),), dynamic_shapes={"x": {0: Dim("B"), 2: Dim("H"), 3: Dim("W")}})
m = ep.module()
try:
    m(torch.ones(1, 3, 5, 7))
except Exception as e:
    print(type(e).__name__)

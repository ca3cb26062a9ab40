"""conv auto"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv1d(3, 4, 3)

    def forward(self, x):
        return self.c(x)

net = Net().eval()
ep = torch.export.export(net, (torch.ones(1, 3, 16),), dynamic_shapes={"x": {2: Dim.AUTO}})
m = ep.module()
try:
    m(torch.ones(1, 3, 3))
except Exception as e:
    print(type(e).__name__)
try:
    m(torch.ones(1, 3, 4))
except Exception as e:
    print(type(e).__name__)
try:
    m(torch.ones(1, 3, 2))
except Exception as e:
    print(type(e).__name__)
try:
    m(torch.ones(2, 3, 9))
except Exception as e:
    print(type(e).__name__)

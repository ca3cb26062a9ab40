"""stride 2 without a bound"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(3, 4, 3, stride=2, padding=1)

    def forward(self, x):
        return self.c(x)

net = Net().eval()
try:
    torch.export.export(net, (torch.ones(1, 3, 16, 16),), dynamic_shapes={"x": {2: Dim("H"), 3: Dim("W")}})
except Exception as e:
    print(type(e).__name__)

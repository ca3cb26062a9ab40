"""flatten into a linear layer"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Linear(12, 2)

    def forward(self, x):
        return self.f(x.flatten(1))

net = Net().eval()
try:
    torch.export.export(net, (torch.ones(2, 3, 4),), dynamic_shapes={"x": {2: Dim("T")}})
except Exception as e:
    print(type(e).__name__)

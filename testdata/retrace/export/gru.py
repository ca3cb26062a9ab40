"""GRU over a batch"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.g = nn.GRU(3, 4, batch_first=True)

    def forward(self, x):
        return self.g(x)[0]

net = Net().eval()
ep = torch.export.export(net, (torch.ones(2, 5, 3),), dynamic_shapes={"x": {0: Dim("B")}})
m = ep.module()
try:
    m(torch.ones(4, 5, 3))
except Exception as e:
    print(type(e).__name__)

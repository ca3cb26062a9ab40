"""a table sliced"""
import torch
from torch import nn
from torch.export import Dim
import torch.nn.functional as F
import math



class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.p = nn.Parameter(torch.zeros(1, 32, 4))

    def forward(self, x):
        return x + self.p[:, :x.shape[1]]

net = Net().eval()
try:
    torch.export.export(net, (torch.ones(2, 5, 4),), dynamic_shapes={"x": {0: Dim("B"), 1: Dim("T")}})
except Exception as e:
    print(type(e).__name__)

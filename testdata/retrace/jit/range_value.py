"""range_value."""
import math
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.rand(4, 4))
        self.items = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
        self.k = 2

    def forward(self, x):
        n = x.sum().int()
        for i in range(n):
            x = x + 1
        return x

torch.manual_seed(0)
net = Net().eval()
traced = torch.jit.trace(net, (torch.ones(3),))
try:
    traced(torch.ones(3))
except Exception as e:
    print(type(e).__name__)
try:
    traced(torch.ones(5))
except Exception as e:
    print(type(e).__name__)

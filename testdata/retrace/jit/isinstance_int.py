"""isinstance_int."""
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
        n = x.shape[0]
        if isinstance(n, int):
            return x * n
        return x + n

torch.manual_seed(0)
net = Net().eval()
traced = torch.jit.trace(net, (torch.rand(4),))
try:
    traced(torch.rand(8))
except Exception as e:
    print(type(e).__name__)

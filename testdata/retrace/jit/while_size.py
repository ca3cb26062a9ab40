"""while_size."""
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
        while x.shape[0] > 2:
            x = x[::2]
        return x

torch.manual_seed(0)
net = Net().eval()
traced = torch.jit.trace(net, (torch.rand(8),))
try:
    traced(torch.rand(7))
except Exception as e:
    print(type(e).__name__)
try:
    traced(torch.rand(16))
except Exception as e:
    print(type(e).__name__)

"""dict_shape."""
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
        d = {3: 1.0, 5: 2.0}
        return x * d.get(x.shape[0], 0.0)

torch.manual_seed(0)
net = Net().eval()
traced = torch.jit.trace(net, (torch.rand(3),))
try:
    traced(torch.rand(3))
except Exception as e:
    print(type(e).__name__)
try:
    traced(torch.rand(5))
except Exception as e:
    print(type(e).__name__)

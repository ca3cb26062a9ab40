"""A batch of one and a small kernel: how many elements there are is asked."""
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, *args, **kw):
        super().__init__()
        self.c = nn.Conv2d(*args, **kw)

    def forward(self, x):
        return self.c(x)

f = torch.compile(Net(16, 8, 3), backend="eager", dynamic=True)
f(torch.rand(1, 16, 64, 60))
f(torch.rand(1, 16, 60, 58))
f(torch.rand(1, 16, 30, 32))
f(torch.rand(1, 16, 28, 30))
f(torch.rand(2, 16, 28, 30))
f(torch.rand(3, 16, 64, 60))

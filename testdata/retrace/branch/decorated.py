"""A decorator that checks."""
import functools
import torch
from torch import nn

def checked(f):
    @functools.wraps(f)
    def g(self, x):
        if x.dim() != 2:
            raise ValueError("rank")
        return f(self, x)
    return g

class Net(nn.Module):
    @checked
    def forward(self, x):
        return x * 2

net = Net().eval()
inputs = (torch.rand(2, 3),)
others = [(torch.rand(3),)]

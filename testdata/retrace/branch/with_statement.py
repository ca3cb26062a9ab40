"""A context manager of the program with an if."""
import torch
from torch import nn

class Scale:
    def __init__(self, x):
        self.big = x.shape[0] > 2

    def __enter__(self):
        return 2.0 if self.big else 1.0

    def __exit__(self, *exc):
        if exc[0] is not None:
            return False
        return None

class Net(nn.Module):
    def forward(self, x):
        with Scale(x) as s:
            return x * s

net = Net().eval()
inputs = (torch.rand(3),)
others = [(torch.rand(2),)]

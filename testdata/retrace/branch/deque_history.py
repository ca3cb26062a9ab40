"""A history of bounded length."""
import collections
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hist = collections.deque(maxlen=2)

    def forward(self, x):
        self.hist.append(x)
        if len(self.hist) == 2:
            return self.hist[0] + self.hist[1]
        return x

net = Net().eval()
inputs = (torch.rand(3),)

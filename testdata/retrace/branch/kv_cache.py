"""A cache of keys that grows."""
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = None

    def forward(self, x):
        if self.k is None:
            self.k = x
        else:
            self.k = torch.cat([self.k, x], 0)
        if self.k.shape[0] > 4:
            self.k = self.k[-4:]
        return self.k.sum(0)

net = Net().eval()
inputs = (torch.rand(2, 3),)

"""A function without a result."""
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        if x.shape[0] > 4:
            return x[:4]


net = Net().eval()
try:
    torch.jit.trace(net, (torch.rand(3),))
except RuntimeError:
    print("RuntimeError")

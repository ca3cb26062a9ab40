"""A slice of a buffer by the length, within its range and beyond."""
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mask", torch.tril(torch.ones(8, 8)))

    def forward(self, x):
        t = x.shape[-1]
        return x.masked_fill(self.mask[:t, :t] == 0, 0.0)

net = Net().eval()
traced = torch.jit.trace(net, (torch.rand(4, 4),))
traced(torch.rand(6, 6))
try:
    traced(torch.rand(9, 9))
except Exception as e:
    print(type(e).__name__)

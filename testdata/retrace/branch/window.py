"""Padding to a multiple of a window."""
import torch
import torch.nn.functional as F
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = 4
    def forward(self, x):
        B, T, C = x.shape
        pad = (self.w - T % self.w) % self.w
        if pad > 0:
            x = F.pad(x, (0, 0, 0, pad))
        y = x.view(B, -1, self.w, C).mean(2)
        return y if T > self.w else y.squeeze(1)
net = Net().eval()
inputs = (torch.ones(2, 6, 3),)
others = [(torch.ones(2, 8, 3),), (torch.ones(2, 3, 3),), (torch.ones(1, 4, 3),)]

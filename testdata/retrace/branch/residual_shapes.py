"""A residual connection where the shapes agree."""
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, cin, cout, stride):
        super().__init__()
        self.conv = nn.Conv1d(cin, cout, 3, stride, 1)

    def forward(self, x):
        y = self.conv(x)
        if y.shape == x.shape:
            y = y + x
        return y

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(2, 2, 1), Block(2, 4, 2)])

    def forward(self, x):
        for b in self.blocks:
            x = b(x)
        return x

net = Net().eval()
inputs = (torch.rand(1, 2, 8),)
others = [(torch.rand(1, 2, 9),), (torch.rand(3, 2, 8),)]

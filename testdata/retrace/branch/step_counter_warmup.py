"""A warm-up counter in Python."""
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0

    def forward(self, x):
        self.step += 1
        if self.step < 3:
            scale = self.step / 3
        else:
            scale = 1.0
        return x * scale

net = Net().eval()
inputs = (torch.ones(3),)

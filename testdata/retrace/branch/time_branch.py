"""The clock decides, always the same way."""
import time
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        if time.time() > 0:
            x = x * 2
        return x

net = Net().eval()
inputs = (torch.rand(3),)

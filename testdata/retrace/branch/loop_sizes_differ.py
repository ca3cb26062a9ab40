"""A condition in a loop meets another size each time."""
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        for i in range(3):
            if x.shape[0] % 2 == 1:
                x = x[:-1]
            x = x[: x.shape[0] // 2]
        return x

net = Net().eval()
inputs = (torch.rand(20),)
others = [(torch.rand(16),), (torch.rand(17),)]

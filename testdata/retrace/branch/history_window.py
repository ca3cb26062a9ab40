"""A window of the last results."""
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.history = []

    def forward(self, x):
        self.history.append(x.mean())
        if len(self.history) > 2:
            self.history.pop(0)
        return x - sum(self.history) / len(self.history)

net = Net().eval()
inputs = (torch.rand(3),)
others = [(torch.rand(5),)]

"""A set of sizes decides."""
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, a, b):
        if len({a.shape[0], b.shape[0]}) == 1:
            return a + b
        return torch.cat([a, b])

net = Net().eval()
inputs = (torch.rand(3), torch.rand(3))
others = [(torch.rand(2), torch.rand(4))]

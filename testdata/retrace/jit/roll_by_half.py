"""torch.roll by half of the size."""
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        return torch.roll(x, x.shape[0] // 2, 0)

net = Net().eval()
traced = torch.jit.trace(net, (torch.arange(4.0),))
traced(torch.arange(8.0))

"""A size as a truth value."""
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x, y):
        if y.shape[0]:
            x = torch.cat([x, y])
        return x.sum()

net = Net().eval()
traced = torch.jit.trace(net, (torch.rand(2), torch.rand(3)))
traced(torch.rand(4), torch.rand(2))
traced(torch.rand(4), torch.rand(0))

"""isinstance of a size is False in a trace, where it is a tensor."""
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        n = x.shape[0]
        if isinstance(n, int):
            return x * 2
        return x + n

net = Net()
traced = torch.jit.trace(net, (torch.ones(4),), check_trace=False)
traced(torch.ones(4))
traced(torch.ones(5))

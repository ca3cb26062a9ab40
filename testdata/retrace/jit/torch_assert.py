"""torch._assert of a size is dropped by the trace; the warning is in PyTorch's lines."""
import torch
from torch import nn, _assert

class Net(nn.Module):
    def forward(self, x):
        _assert(x.shape[0] == 3, "three rows")
        torch._assert(x.dim() == 1, "one axis")
        return x * 2

net = Net()
traced = torch.jit.trace(net, (torch.ones(3),))
traced(torch.ones(3))
try:
    traced(torch.ones(4))
except AssertionError:
    print("refused")

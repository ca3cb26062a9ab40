"""zip of two unbinds"""
import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def forward(self, x):
        return torch.stack([a + b for a, b in zip(x.unbind(0), x.flip(0).unbind(0))])

torch.manual_seed(0)
net = Net().eval()
traced = torch.jit.trace(net, (torch.rand(3, 2),))
try:
    traced(torch.rand(3, 2))
except Exception as e:
    print(type(e).__name__)
try:
    traced(torch.rand(2, 2))
except Exception as e:
    print(type(e).__name__)

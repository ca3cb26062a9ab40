"""split by a number"""
import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def forward(self, x):
        parts = x.split(4)
        return torch.stack([p.sum() for p in parts])

torch.manual_seed(0)
net = Net().eval()
traced = torch.jit.trace(net, (torch.rand(8),))
try:
    traced(torch.rand(8))
except Exception as e:
    print(type(e).__name__)
try:
    traced(torch.rand(12))
except Exception as e:
    print(type(e).__name__)
try:
    traced(torch.rand(10))
except Exception as e:
    print(type(e).__name__)

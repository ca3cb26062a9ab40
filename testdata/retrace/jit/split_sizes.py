"""split by a part of the size"""
import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def forward(self, x):
        n = x.shape[1] // 2
        a, b = x.split([n, x.shape[1] - n], dim=1)
        return a.sum() + 2 * b.sum()

torch.manual_seed(0)
net = Net().eval()
traced = torch.jit.trace(net, (torch.rand(2, 8),))
try:
    traced(torch.rand(2, 8))
except Exception as e:
    print(type(e).__name__)
try:
    traced(torch.rand(2, 6))
except Exception as e:
    print(type(e).__name__)

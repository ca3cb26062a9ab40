"""round of a scaled size"""
import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def forward(self, x):
        n = round(x.shape[0] * 0.5)
        return x[:n] * 2

torch.manual_seed(0)
net = Net().eval()
traced = torch.jit.trace(net, (torch.rand(8),))
try:
    traced(torch.rand(8))
except Exception as e:
    print(type(e).__name__)
try:
    traced(torch.rand(5))
except Exception as e:
    print(type(e).__name__)
try:
    traced(torch.rand(12))
except Exception as e:
    print(type(e).__name__)

"""argmax as an index"""
import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def forward(self, x):
        i = int(x.argmax())
        return x[i]

torch.manual_seed(0)
net = Net().eval()
traced = torch.jit.trace(net, (torch.tensor([1., 3., 2.]),))
try:
    traced(torch.tensor([1., 3., 2.]))
except Exception as e:
    print(type(e).__name__)
try:
    traced(torch.tensor([5., 3., 2.]))
except Exception as e:
    print(type(e).__name__)

"""a GRU cell over time"""
import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(4, 4)

    def forward(self, x):
        h = x.new_zeros(x.shape[0], 4)
        for t in range(x.shape[1]):
            h = self.cell(x[:, t], h)
        return h

torch.manual_seed(0)
net = Net().eval()
traced = torch.jit.trace(net, (torch.rand(2, 3, 4),))
try:
    traced(torch.rand(2, 3, 4))
except Exception as e:
    print(type(e).__name__)
try:
    traced(torch.rand(5, 3, 4))
except Exception as e:
    print(type(e).__name__)
try:
    traced(torch.rand(2, 5, 4))
except Exception as e:
    print(type(e).__name__)

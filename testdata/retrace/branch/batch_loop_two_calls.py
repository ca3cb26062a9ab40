"""One function is called twice with different sizes."""
import torch
from torch import nn

def pad(x, n):
    if x.shape[0] < n:
        x = nn.functional.pad(x, (0, n - x.shape[0]))
    return x

class Net(nn.Module):
    def forward(self, a, b):
        return pad(a, 4) + pad(b, 4)

net = Net().eval()
inputs = (torch.rand(3), torch.rand(4))
others = [(torch.rand(4), torch.rand(2))]

"""chunk and split."""
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        a, b = x.chunk(2, -1)
        c = x.split(x.shape[-1] // 2, -1)
        return a * torch.sigmoid(b) + c[0]

net = Net().eval()
traced = torch.jit.trace(net, (torch.rand(2, 4),))
traced(torch.rand(3, 4))
traced(torch.rand(3, 8))

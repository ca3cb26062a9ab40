"""The size of nonzero stays symbolic."""
import torch
from torch import nn
class Net(nn.Module):
    def forward(self, x):
        n = x.nonzero().shape[0]
        return x[:n] * n
net = Net().eval()
traced = torch.jit.trace(net, (torch.tensor([1.0, 0.0, 2.0]),))
traced(torch.tensor([1.0, 1.0, 2.0]))

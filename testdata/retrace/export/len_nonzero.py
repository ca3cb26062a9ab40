"""len of a result whose size elements decide."""
import torch
from torch import nn
class Net(nn.Module):
    def forward(self, x):
        n = len(x.nonzero())
        return x[:n]
net = Net().eval()
ep = torch.export.export(net, (torch.tensor([1.0, 0.0, 2.0]),))

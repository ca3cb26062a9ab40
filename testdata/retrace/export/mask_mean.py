"""The mean of what a mask selects; a default where nothing is."""
import torch
from torch import nn
class Net(nn.Module):
    def forward(self, x):
        y = x[x > 0]
        if y.numel() == 0:
            return x.sum()
        return y.mean()
net = Net().eval()
ep = torch.export.export(net, (torch.tensor([1.0, 0.0, 2.0]),))

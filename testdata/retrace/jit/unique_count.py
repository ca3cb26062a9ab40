"""numel and size of unique."""
import torch
from torch import nn
class Net(nn.Module):
    def forward(self, x):
        u = x.unique()
        if u.numel() > 2:
            return u * 2
        return u.sum()
net = Net().eval()
traced = torch.jit.trace(net, (torch.tensor([1.0, 0.0, 2.0]),))
traced(torch.tensor([1.0, 1.0, 2.0]))

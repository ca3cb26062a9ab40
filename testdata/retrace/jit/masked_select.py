"""Data dependent sizes are traced."""
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        y = x[x > 0]
        return y.sum() / max(y.numel(), 1)

traced = torch.jit.trace(Net(), (torch.tensor([1.0, -1.0, 2.0]),))
traced(torch.tensor([1.0, -1.0, 2.0]))
traced(torch.tensor([1.0, 3.0, 2.0]))

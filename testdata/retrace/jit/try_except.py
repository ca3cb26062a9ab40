"""try around a size."""
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        try:
            y = x.view(2, -1)
        except RuntimeError:
            y = x.view(1, -1)
        return y * 2

traced = torch.jit.trace(Net(), (torch.ones(4),))
traced(torch.ones(4))
traced(torch.ones(6))
traced(torch.ones(5))

"""A scripted function inside a traced module keeps its branch."""
import torch
from torch import nn

@torch.jit.script
def pick(x):
    if x.sum() > 0:
        return x * 2
    return x - 3

class Net(nn.Module):
    def forward(self, x):
        return pick(x) + 1

traced = torch.jit.trace(Net(), (torch.ones(3),))
traced(-torch.ones(3))
traced(torch.ones(5))

import torch
from torch import nn
import torch.nn.functional as F

class Block(nn.Module):
    def __init__(self, act):
        super().__init__()
        self.act = act

    def forward(self, x):
        return self.act(x)

x = torch.ones(2, 3)
blocks = [torch.compile(Block(a), backend="eager") for a in (torch.relu, F.relu, torch.tanh, F.gelu)]
for b in blocks:
    b(x)
for b in blocks:
    b(x)

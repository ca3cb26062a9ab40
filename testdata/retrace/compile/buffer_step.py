"""a buffer that counts"""
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("steps", torch.zeros((), dtype=torch.long))

    def forward(self, x):
        self.steps += 1
        return x * self.steps

c = torch.compile(Net())
for _ in range(3):
    c(torch.ones(2))

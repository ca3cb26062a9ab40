import torch
from torch import nn

class Block(nn.Module):
    def forward(self, x, n, m):
        return x * n

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.b = Block()

    def forward(self, x, n, m):
        return self.b(x, n, m)

g = torch.compile(Net())
x = torch.ones(3)
g(x, 2, 1)
g(x, 2, 2)
g(x, 3, 2)

"""Numbers of submodules: an int that becomes a float is a symbol from then on."""
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k
    def forward(self, x):
        return x * self.k

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Block(2)
        self.b = Block(3)
    def forward(self, x):
        return self.b(self.a(x))
n = Net()
c = torch.compile(n)
c(torch.ones(2))
n.a.k = 5
c(torch.ones(2))
n.b.k = 2.5
c(torch.ones(2))
n.b.k = 3.5
c(torch.ones(2))
n.b.k = 4.5
c(torch.ones(2))

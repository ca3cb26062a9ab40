"""A bool attribute of a module."""
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(3, 3)
        self.use_relu = True

    def forward(self, x):
        y = self.l(x)
        if self.use_relu:
            y = y.relu()
        return y

net = Net()
c = torch.compile(net, backend="eager")
c(torch.ones(2, 3))
net.use_relu = False
c(torch.ones(2, 3))
net.use_relu = True
c(torch.ones(2, 3))

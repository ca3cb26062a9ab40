import torch
from torch import nn

class Net(nn.Module):
    gain = 2

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)

    def forward(self, x):
        g = getattr(self, "gain", 1)
        h = getattr(self, "other", None)
        y = self.lin(x) * g
        if h is not None:
            y = y + h
        return y

net = Net()
c = torch.compile(net, backend="eager")
x = torch.ones(2, 3)
c(x)
net.gain = 3
c(x)
net.other = 4
c(x)
net.other = 5
c(x)
Net.gain = 7
c(x)

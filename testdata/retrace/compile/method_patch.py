import torch
from torch import nn

def double(x):
    return x * 2

def triple(x):
    return x * 3

class Net(nn.Module):
    def __init__(self, act=torch.relu):
        super().__init__()
        self.act = act
        self.lin = nn.Linear(3, 3)

    def helper(self, x):
        return x + 1

    def forward(self, x):
        return self.act(self.helper(self.lin(x)))

net = Net()
c = torch.compile(net, backend="eager")
x = torch.ones(2, 3)
c(x)
net.act = torch.tanh
c(x)
net.act = double
c(x)
net.act = nn.ReLU()
c(x)
net.helper = double
c(x)
net.helper = triple
c(x)
del net.helper
c(x)
Net.helper = lambda self, x: x - 1
c(x)

import torch
from torch import nn

class Net(nn.Module):
    steps = 1

    def forward(self, x):
        return x * self.steps

net = Net()
c = torch.compile(net, backend="eager")
x = torch.ones(3)
c(x)
Net.steps = 2
c(x)
Net.steps = 3
c(x)
net.steps = 4
c(x)
net.steps = 5
c(x)
c2 = torch.compile(Net(), backend="eager")
c2(x)

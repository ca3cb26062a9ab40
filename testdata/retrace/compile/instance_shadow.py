import torch
from torch import nn

class Net(nn.Module):
    act = None

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(3))

    def forward(self, x):
        y = x * self.w
        if self.act is not None:
            y = self.act(y)
        return y

net = Net()
c = torch.compile(net, backend="eager")
x = torch.ones(2, 3)
c(x)
net.act = torch.relu
c(x)
net.act = torch.tanh
c(x)
net.act = None
c(x)

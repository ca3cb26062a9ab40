import torch
from torch import nn

class Net(nn.Module):
    gain = 2
    name = "a"

    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)

    def forward(self, x):
        y = self.lin(x) * self.gain
        if self.name == "b":
            y = y + 1
        return y

net = Net()
c = torch.compile(net, backend="eager")
x = torch.ones(2, 3)
c(x)
net.gain = 3
c(x)
net.name = "b"
c(x)
Net.gain = 7
c(x)
del net.gain
c(x)
Net.name = "c"
c(x)

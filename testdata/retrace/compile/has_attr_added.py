"""An attribute comes, goes and is asked for with a default."""
import torch
import torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 4)
    def forward(self, x):
        y = self.l(x)
        if hasattr(self, "extra"):
            y = y * 2
        return y
net = Net()
f = torch.compile(net, backend="eager")
x = torch.ones(2, 4)
f(x)
net.extra = True
f(x)
del net.extra
f(x)
net.other = True
f(x)

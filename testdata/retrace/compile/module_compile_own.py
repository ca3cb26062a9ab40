"""compile() of a model, with options, and of a layer of it."""
import torch
import torch.nn as nn
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 4)
    def forward(self, x):
        return self.l(x).relu()
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Block()
        self.b = Block()
    def forward(self, x):
        return self.b(self.a(x))
net = Net()
net.a.compile(backend="eager")
net(torch.ones(2, 4))
net(torch.ones(2, 4))
net(torch.ones(3, 4))
m = Net()
m.compile(backend="eager", dynamic=True)
m(torch.ones(2, 4))
m(torch.ones(3, 4))
with torch.no_grad():
    m(torch.ones(3, 4))

"""Of a dict in a module floats become symbols and ints do not."""
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cfg = {"k": 2, "f": 0.5}
    def forward(self, x):
        return x * self.cfg["k"] * self.cfg["f"]
m = Net()
c = torch.compile(m)
for k in [2, 3, 4]:
    m.cfg["k"] = k
    c(torch.ones(2))
for k in [0.1, 0.2, 0.3]:
    m.cfg["f"] = k
    c(torch.ones(2))

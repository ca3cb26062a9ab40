"""A dict attribute that grows: the number of its keys is guarded where they are iterated."""
import torch
from torch import nn

class Bank(nn.Module):
    def __init__(self):
        super().__init__()
        self.scales = {"a": 1.0, "b": 2.0}

    def forward(self, x):
        for k in self.scales:
            x = x * self.scales[k]
        return x

m = Bank()
f = torch.compile(m, backend="eager")
f(torch.ones(3))
f(torch.ones(3))
m.scales["c"] = 3.0
f(torch.ones(3))
m.scales["c"] = 4.0
f(torch.ones(3))
del m.scales["c"]
f(torch.ones(3))

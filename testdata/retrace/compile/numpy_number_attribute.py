"""a NumPy scalar of a module"""
import numpy as np
import torch
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.k = np.sqrt(16)
    def forward(self, x):
        return x / self.k
m = M()
f = torch.compile(m, backend="eager")
x = torch.ones(9)
f(x)
m.k = np.sqrt(25)
f(x)
f(x)
m.k = 2.0
f(x)

"""a list attribute of a module"""
import torch
class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cfg = [1, 2]
    def forward(self, x):
        return x * self.cfg[0]
m = M()
f = torch.compile(m, backend="eager")
x = torch.ones(3)
f(x)
m.cfg[1] = 7
f(x)
m.cfg = [1, 9]
f(x)
m.cfg = [2, 9]
f(x)

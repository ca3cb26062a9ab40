"""Sizes of registered buffers and parameters are never symbols."""
import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("t", torch.ones(5))

    def forward(self, x):
        if self.t.shape[0] > 4:
            return x + self.t.sum()
        return x - 1


m = M()
f = torch.compile(m, backend="eager")
x = torch.ones(4)
for k in [5, 6, 7, 3, 2, 9]:
    m.t = torch.ones(k)
    f(x)


class P(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(5))

    def forward(self, x):
        return x + self.w.sum()


p = P()
g = torch.compile(p, backend="eager")
for k in [5, 6, 7]:
    p.w = torch.nn.Parameter(torch.ones(k))
    g(x)

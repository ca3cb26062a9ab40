"""writes to arguments, and another view"""
import torch

@torch.compile
def f(x, y):
    x.add_(1)
    return x + y

a = torch.ones(4, 4)
b = torch.ones(4, 4)
f(a, b)
f(a, b)
f(a.t(), b)
f(a, b)
f(a, b.t())
f(a[:, :2], b[:, :2])
f(a, b)

"""a call of the first sizes after others"""
import torch

@torch.compile
def f(x, y):
    return torch.relu(x) + y

a, b = torch.ones(4, 8), torch.ones(4, 8)
f(a, b)
f(a, b)
f(torch.ones(3, 8), torch.ones(3, 8))
f(a, b)
f(a, a)
f(a, a)
f(a, b)
f(a.double(), b)
f(a, b)

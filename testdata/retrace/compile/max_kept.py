import torch

@torch.compile
def f(x, n):
    k = max(n, 0)
    return x + 1

x = torch.ones(8)
f(x, 2)
f(x, 4)
f(x, -5)

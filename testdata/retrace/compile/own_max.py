import torch

def max(n, m):
    if n > m:
        return 1
    return 0

@torch.compile
def f(x, n):
    k = max(n, 0)
    return x + 1

x = torch.ones(3)
f(x, 2)
f(x, -3)

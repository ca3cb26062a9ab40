"""Branches on sizes become guards."""
import torch

@torch.compile(backend="eager", dynamic=True)
def f(x):
    if x.shape[0] > 4:
        return x * 2
    if x.shape[0] % 2 == 0:
        return x + 1
    return x

for n in (8, 6, 4, 3, 2, 5, 1):
    f(torch.ones(n))

"""A function without operations and sizes that vary."""
import torch
@torch.compile(backend="eager", dynamic=True)
def f(x, n):
    if x.shape[0] > n:
        return x
    return x * 2
f(torch.ones(3), 1)
f(torch.ones(4), 1)
f(torch.ones(4), 8)

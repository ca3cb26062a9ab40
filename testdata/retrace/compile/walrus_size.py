"""A walrus over a size."""
import torch

@torch.compile
def f(x):
    if (n := x.shape[0]) > 4:
        return x * n
    return x + n

f(torch.ones(3))
f(torch.ones(5))
f(torch.ones(6))
f(torch.ones(2))

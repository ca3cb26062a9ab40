"""A branch on a float that is a symbol."""
import torch

@torch.compile
def f(x, p):
    if p > 0:
        return x * p
    return x
for p in [0.1, 0.2, 0.3, 0.0, 0.5]:
    f(torch.ones(6), p)

"""A number is guarded by value, one that is a symbol by type."""
import torch
@torch.compile
def f(x, k):
    return x * k
x = torch.ones(2)
f(x, 2)
f(x, 2.5)
f(x, True)
f(x, 3)
f(x, 3.5)
f(x, 4)
f(x, x)
f(x, 6)

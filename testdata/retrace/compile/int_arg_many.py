"""An int argument used as a factor."""
import torch

@torch.compile(backend="eager")
def f(x, k):
    return x * k

for k in (2, 3, 5, 1, 0):
    f(torch.ones(2), k)
f(torch.ones(2), 2.0)
f(torch.ones(2), True)

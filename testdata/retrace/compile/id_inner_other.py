"""Another inner function runs later."""
import torch
def g(x):
    return x
def h(x):
    return x * 2
@torch.compile(backend="eager")
def f(x, n):
    if n > 1:
        return h(x)
    return g(x)
x = torch.ones(3)
f(x, 0)
f(x, 2)
f(x, 3)
f(torch.ones(4), 3)

"""torch.where of one argument, in and out of a loop."""
import torch
@torch.compile(backend="eager")
def f(x):
    i = torch.where(x > 0)[0]
    return x[i].sum()
@torch.compile(backend="eager")
def g(x):
    y = x * 2
    for k in range(2):
        i = torch.where(y > k)[0]
        y = y + y[i].sum()
    return y
@torch.compile(backend="eager")
def h(x):
    return x.argwhere().sum()
f(torch.ones(3))
f(torch.ones(3))
f(torch.ones(4))
g(torch.ones(3))
g(torch.ones(3))
h(torch.ones(3))
h(torch.ones(3))

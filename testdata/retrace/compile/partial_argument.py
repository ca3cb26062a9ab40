"""A partial is an argument."""
from functools import partial
import torch
def scale(x, k):
    return x * k
@torch.compile(backend="eager")
def f(x, fn):
    return fn(x) + 1
x = torch.ones(3)
f(x, partial(scale, k=2))
f(x, partial(scale, k=2))
f(x, partial(scale, k=3))
f(x, partial(scale, k=4))
f(x, torch.relu)
f(x, torch.relu)
f(x, lambda t: t * 2)
f(x, lambda t: t * 2)

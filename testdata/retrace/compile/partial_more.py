"""Partials of a method, of positional arguments and of tensors."""
from functools import partial
import torch
def scale(k, x, b=0):
    return x * k + b
x = torch.ones(3)
for k in (1, 1, 2, 2.5):
    torch.compile(partial(scale, k), backend="eager")(x)
g = torch.compile(scale, backend="eager")
h = partial(g, 4)
h(x)
h(x)
h(x, b=2)
partial(g, 5)(x)
partial(g, 6)(x)

"""functools.partial of other functions, with more or other keywords and positions."""
import functools
import torch

def scale(x, k=1, b=0):
    return x * k + b

def shift(x, k=1, b=0):
    return x + k - b

@torch.compile
def apply(fn, x):
    return fn(x)

x = torch.ones(3)
apply(functools.partial(scale, k=2), x)
apply(functools.partial(shift, k=2), x)
apply(functools.partial(scale, k=2), x)
apply(functools.partial(scale, b=2), x)
apply(functools.partial(scale, k=2, b=1), x)
apply(functools.partial(scale), x)
apply(functools.partial(scale, k=2), x)
apply(scale, x)

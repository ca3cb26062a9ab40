"""functools.partial with positional arguments."""
import functools
import torch

def mix(a, b, x):
    return x * a + b

@torch.compile
def apply(fn, x):
    return fn(x)

x = torch.ones(3)
apply(functools.partial(mix, 2, 3), x)
apply(functools.partial(mix, 2, 3), x)
apply(functools.partial(mix, 2, 4), x)
apply(functools.partial(torch.mul, x), x)
apply(functools.partial(torch.add, x), x)
apply(functools.partial(torch.add, x), x)

"""A number, a tensor of one element, a bool."""
import torch
@torch.compile(backend="eager")
def f(x, s):
    return x * s
x = torch.ones(3)
f(x, 2)
f(x, 2.0)
f(x, torch.tensor(2))
f(x, torch.tensor(2.0))
f(x, True)
f(x, 3)
f(x, 4.5)

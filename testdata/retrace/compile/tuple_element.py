"""tuple"""
import torch
@torch.compile(backend="eager")
def f(x, cfg):
    return x * cfg[0]
x = torch.ones(3)
f(x, (1, 2))
f(x, (1, 3))
f(x, (1, "a"))
f(x, (1, (5, 6)))
f(x, (2, (5, 6)))
f(x, (3, (5, 6)))

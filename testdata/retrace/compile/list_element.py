"""flat"""
import torch
@torch.compile(backend="eager")
def f(x, cfg):
    return x * cfg[0]
x = torch.ones(3)
f(x, [1.5, 2.5])
f(x, [1.5, 3.5])
f(x, [1.5, "a"])
f(x, [1.5, torch.ones(2)])
f(x, [1.5, 3.5, 4.5])
f(x, [7.5, 3.5, 4.5])

"""index by an argument"""
import torch
@torch.compile(backend="eager")
def f(x, cfg, i):
    return x * cfg[i]
x = torch.ones(3)
f(x, ["a", 2], 1)
f(x, ["b", 2], 1)
f(x, [2, 2], 0)

"""unpack"""
import torch
@torch.compile(backend="eager")
def f(x, cfg):
    a, b = cfg
    return x * a
x = torch.ones(3)
f(x, [1, "q"])
f(x, [1, "r"])
f(x, [1, None])
f(x, [2, None])

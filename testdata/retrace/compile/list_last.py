"""negative index and length"""
import torch
@torch.compile(backend="eager")
def f(x, cfg):
    return x * cfg[-1] + len(cfg)
x = torch.ones(3)
f(x, [1, 2])
f(x, [3, 2])
f(x, [3, 2, 2])

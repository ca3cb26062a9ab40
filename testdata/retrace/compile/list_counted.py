"""loop over a list; elements used in part"""
import torch
@torch.compile(backend="eager")
def f(x, cfg):
    for c in cfg:
        x = x + 1
    return x
x = torch.ones(3)
f(x, ["a", "b"])
f(x, ["a", "c"])
f(x, ["a", "c", "d"])

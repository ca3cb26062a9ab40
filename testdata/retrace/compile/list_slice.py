"""a slice of a list"""
import torch
@torch.compile(backend="eager")
def f(x, cfg):
    return x.view(cfg[1:])
x = torch.ones(12)
f(x, ["a", 3, 4])
f(x, ["b", 3, 4])
f(x, ["b", 2, 6])

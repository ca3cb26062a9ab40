"""passed to a function that reads one"""
import torch
def g(x, c):
    return x * c[1]
@torch.compile(backend="eager")
def f(x, cfg):
    return g(x, cfg)
x = torch.ones(3)
f(x, ["a", 2])
f(x, ["b", 2])
f(x, ["b", 3])

"""An attribute of a class that the program changes."""
import torch

class Cfg:
    scale = 2

@torch.compile
def f(x):
    return x * Cfg.scale

f(torch.ones(2))
Cfg.scale = 3
f(torch.ones(2))
Cfg.scale = 4
f(torch.ones(2))

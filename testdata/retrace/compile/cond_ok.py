"""torch.cond"""
import torch
from torch import nn
@torch.compile(fullgraph=True)
def f(x):
    return torch.cond(x.sum() > 0, lambda t: t * 2, lambda t: t - 1, (x,))

f(torch.ones(2))
f(-torch.ones(2))
f(torch.ones(3))

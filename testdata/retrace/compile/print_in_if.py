"""A print under a condition on a flag"""
import torch
from torch import nn
@torch.compile
def f(x, verbose):
    y = x * 2
    if verbose:
        print("y", y.shape)
    return y + 1

x = torch.ones(2)
f(x, False)
f(x, True)
f(x, False)
f(torch.ones(3), True)

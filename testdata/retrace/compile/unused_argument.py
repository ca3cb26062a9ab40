"""An argument that is not read is not guarded"""
import torch
from torch import nn
@torch.compile
def f(x, n):
    return x * 2

f(torch.ones(2), 1)
f(torch.ones(2), 2)
f(torch.ones(2), "a")

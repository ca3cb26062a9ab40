"""a raise"""
import torch
from torch import nn
@torch.compile
def f(x):
    if x.shape[0] > 3:
        raise ValueError("too long")
    return x * 2

f(torch.ones(2))
f(torch.ones(3))
try:
    f(torch.ones(4))
except ValueError:
    print("too long")
f(torch.ones(2))

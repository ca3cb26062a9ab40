"""boolean mask in the middle"""
import torch
from torch import nn
@torch.compile
def f(x):
    y = x * 2
    z = y[y > 1]
    return z.sum()

f(torch.ones(3))
f(torch.zeros(3))
f(torch.ones(4))

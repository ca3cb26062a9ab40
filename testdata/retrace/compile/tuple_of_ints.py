"""A tuple of ints"""
import torch
from torch import nn
@torch.compile
def f(x, shape):
    return x.reshape(shape)

f(torch.ones(12), (3, 4))
f(torch.ones(12), (3, 4))
f(torch.ones(12), (2, 6))
f(torch.ones(12), (4, 3))

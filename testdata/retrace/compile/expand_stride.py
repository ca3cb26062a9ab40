"""Strides of 0."""
import torch
@torch.compile
def f(x):
    return x * 2
f(torch.ones(4, 3))
f(torch.ones(1, 3).expand(4, 3))
f(torch.ones(3).expand(4, 3))

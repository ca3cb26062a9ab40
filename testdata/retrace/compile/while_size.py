"""A while loop over a size"""
import torch
from torch import nn
@torch.compile
def f(x):
    while x.shape[0] > 2:
        x = x[::2] * 1
    return x

for n in [4, 8, 16, 5]:
    f(torch.ones(n))

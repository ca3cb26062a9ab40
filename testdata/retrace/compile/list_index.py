"""an int as index of a list"""
import torch
from torch import nn
@torch.compile
def f(x, i):
    return x * [1.0, 2.0, 3.0, 4.0][i]

for i in [2, 3, 1, 3]:
    f(torch.ones(2), i)

"""nonzero"""
import torch
from torch import nn
@torch.compile
def f(x):
    i = torch.nonzero(x)
    return i + 1

f(torch.tensor([1, 0, 2]))
f(torch.tensor([1, 0, 0]))

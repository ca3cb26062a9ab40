"""Another rank compiles"""
import torch
from torch import nn
@torch.compile
def f(x):
    return x.sum()

f(torch.ones(2))
f(torch.ones(2, 3))
f(torch.ones(2, 3, 4))
f(torch.ones(5))
f(torch.ones(5, 6))

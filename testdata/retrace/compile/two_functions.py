"""two compiled functions"""
import torch
from torch import nn
@torch.compile
def f(x):
    return x * 2

@torch.compile
def g(x):
    return f(x) + 1

f(torch.ones(2))
g(torch.ones(2))
f(torch.ones(3))
g(torch.ones(3))
g(torch.ones(4))

"""a disabled function"""
import torch
from torch import nn
@torch.compiler.disable
def log(x):
    print(x.shape)
    return x

@torch.compile
def f(x):
    y = x * 2
    y = log(y)
    return y + 1

f(torch.ones(2))
f(torch.ones(2))
f(torch.ones(3))

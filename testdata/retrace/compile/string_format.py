"""f-strings of shapes"""
import torch
from torch import nn
@torch.compile
def f(x):
    name = f"{x.shape[0]}"
    return x * len(name)

f(torch.ones(2))
f(torch.ones(3))
f(torch.ones(12))

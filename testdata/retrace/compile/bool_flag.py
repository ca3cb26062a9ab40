"""A bool argument"""
import torch
from torch import nn
@torch.compile
def f(x, flag=False):
    return x + 1 if flag else x - 1

x = torch.ones(2)
f(x)
f(x, True)
f(x, flag=True)
f(x, False)

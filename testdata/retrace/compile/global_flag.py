"""A global flag"""
import torch
from torch import nn
DEBUG = False

@torch.compile
def f(x):
    if DEBUG:
        x = x + 1
    return x * 2

f(torch.ones(2))
DEBUG = True
f(torch.ones(2))
DEBUG = False
f(torch.ones(2))

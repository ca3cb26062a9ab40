"""Functions that are called are inlined"""
import torch
from torch import nn
def g(x, k):
    return x * k

def h(x):
    return g(x, 2) + g(x, 3)

@torch.compile
def f(x):
    return h(x)

f(torch.ones(2))
f(torch.ones(3))
f(torch.ones(4))

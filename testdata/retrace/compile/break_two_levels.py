"""A break two calls down"""
import torch
from torch import nn
def g(x):
    print("g")
    return x + 1

def h(x):
    return g(x) * 2

@torch.compile
def f(x):
    return h(x) - 1

f(torch.ones(2))
f(torch.ones(2))

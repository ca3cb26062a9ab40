"""time in the middle"""
import torch
from torch import nn
import time

@torch.compile
def f(x):
    y = x * 2
    t = time.time()
    return y + 1

f(torch.ones(2))
f(torch.ones(2))
f(torch.ones(3))

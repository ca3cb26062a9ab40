"""A global list that is read"""
import torch
from torch import nn
weights = [1.0, 2.0]

@torch.compile
def f(x):
    return x * weights[0] + weights[1]

f(torch.ones(2))
weights[0] = 3.0
f(torch.ones(2))
weights.append(1.0)
f(torch.ones(2))

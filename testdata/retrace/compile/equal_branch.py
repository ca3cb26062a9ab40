"""torch.equal"""
import torch
from torch import nn
@torch.compile
def f(x, y):
    if torch.equal(x, y):
        return x
    return y * 2

f(torch.ones(2), torch.ones(2))
f(torch.ones(2), torch.zeros(2))

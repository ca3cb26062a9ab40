"""an assertion on values"""
import torch
from torch import nn
@torch.compile
def f(x):
    assert (x >= 0).all()
    return x.sqrt()

f(torch.ones(2))
f(torch.ones(3))

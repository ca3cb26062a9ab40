"""one_hot without a number of classes."""
import torch
from torch import nn
import torch.nn.functional as F

@torch.compile
def f(x):
    y = x + 1
    return F.one_hot(y) * 2

f(torch.arange(4))
f(torch.arange(5))
f(torch.arange(3))

"""print under fullgraph"""
import torch
from torch import nn
@torch.compile(fullgraph=True)
def f(x):
    y = x + 1
    print(y.shape)
    return y

try:
    f(torch.ones(2))
except Exception as e:
    print(type(e).__name__)

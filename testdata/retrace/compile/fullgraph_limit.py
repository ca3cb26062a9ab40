"""the limit under fullgraph"""
import torch
from torch import nn
@torch.compile(fullgraph=True, dynamic=False)
def f(x):
    return x * 2

try:
    for n in range(2, 13):
        f(torch.ones(n))
except Exception as e:
    print(type(e).__name__)

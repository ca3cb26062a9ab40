"""x"""
import torch

@torch.compile
def f(x, k):
    return x.view(k, -1)
f(torch.ones(12), 3)
f(torch.ones(12), 4)
f(torch.ones(12), 6)
f(torch.ones(24), 6)
f(torch.ones(24), 1)
f(torch.ones(36), 6)

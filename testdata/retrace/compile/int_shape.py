"""x"""
import torch

@torch.compile
def f(n):
    return torch.arange(n) * 2
for n in [4, 5, 6, 1, 0]:
    f(n)

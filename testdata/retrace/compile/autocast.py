"""Autocast is global state."""
import torch

@torch.compile
def f(x, w):
    return x @ w

a = torch.ones(2, 2)
f(a, a)
with torch.autocast("cpu", dtype=torch.bfloat16):
    f(a, a)
f(a, a)

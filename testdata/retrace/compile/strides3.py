"""Slices of a wider tensor are not contiguous."""
import torch
@torch.compile
def f(x):
    return x * 2
a = torch.ones(4, 12)
f(a[:, :6])
f(a[:, :8])
f(a[:, :4])
f(torch.ones(4, 5))

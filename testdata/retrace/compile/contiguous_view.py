"""A view of a slice: sizes alike, strides not."""
import torch

@torch.compile
def f(x):
    return x * 2

a = torch.ones(4, 6)
f(a)
f(torch.ones(4, 12)[:, ::2])
f(torch.ones(4, 12)[:, :6])

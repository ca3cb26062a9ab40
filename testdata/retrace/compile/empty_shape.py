"""A function without operations is compiled once and then left alone."""
import torch
@torch.compile
def f(x):
    return x.shape[0] + 1
f(torch.ones(2))
f(torch.ones(3))
f(torch.ones(4))

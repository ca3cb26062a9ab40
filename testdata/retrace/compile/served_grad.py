"""the gradient mode and requires_grad between calls"""
import torch

@torch.compile
def f(x, w):
    return (x * w).sum()

x, w = torch.ones(3), torch.ones(3)
f(x, w)
f(x, w)
w.requires_grad_()
f(x, w)
f(x, w)
with torch.no_grad():
    f(x, w)
f(x, w)
w.requires_grad_(False)
f(x, w)

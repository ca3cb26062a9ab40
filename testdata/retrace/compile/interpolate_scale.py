"""x"""
import torch
import torch.nn.functional as F

@torch.compile
def f(x, s):
    return F.interpolate(x, scale_factor=s)
for k in [0.5, 0.25, 2.0]:
    f(torch.ones(1, 2, 8), k)

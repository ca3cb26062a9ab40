"""a mean by NumPy"""
import numpy as np
import torch
@torch.compile(backend="eager")
def f(x, s):
    return x - s
for a in ([1.0, 2.0], [3.0, 4.0], [5.0, 7.0]):
    f(torch.ones(3), np.mean(a))

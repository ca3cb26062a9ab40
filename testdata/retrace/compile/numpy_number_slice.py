"""a NumPy scalar as a size"""
import numpy as np
import torch
@torch.compile(backend="eager")
def f(x, n):
    return x[:n] + 1
x = torch.ones(9)
f(x, np.int64(2))
f(x, np.int64(5))
f(x, np.int64(6))

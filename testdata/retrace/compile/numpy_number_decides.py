"""a NumPy scalar decides"""
import numpy as np
import torch
@torch.compile(backend="eager")
def f(x, n):
    if n > 2:
        return x * 2
    return x + 1
x = torch.ones(3)
f(x, np.int64(2))
f(x, np.int64(5))
f(x, np.int64(6))
f(x, 6)
f(x, 7)

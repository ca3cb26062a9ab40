"""A NumPy scalar as an argument."""
import numpy as np
import torch
@torch.compile(backend="eager")
def f(x, n):
    return x * n
x = torch.ones(3)
f(x, np.int64(2))
f(x, np.int64(5))
f(x, np.float32(5))
f(x, 2)
f(x, 3)

"""a list of NumPy numbers"""
import numpy as np
import torch
@torch.compile(backend="eager")
def f(x, s):
    return x * s[0]
x = torch.ones(9)
f(x, list(np.arange(3)))
f(x, list(np.arange(3) + 1))
f(x, [1, 2, 3])
f(x, [4, 2, 3])

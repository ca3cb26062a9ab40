"""A draw of NumPy is made at each call."""
import numpy as np
import torch

@torch.compile
def f(x):
    r = np.random.rand()
    return x * r

f(torch.ones(3))
f(torch.ones(3))
f(torch.ones(3))

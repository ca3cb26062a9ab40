"""np item is a Python number"""
import numpy as np
import torch
@torch.compile(backend="eager")
def f(x, n):
    return x * n
a = np.arange(5)
x = torch.ones(3)
f(x, a[1].item())
f(x, a[2].item())
f(x, int(a[3]))
f(x, a[3])

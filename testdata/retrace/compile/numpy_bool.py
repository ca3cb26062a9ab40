"""np.bool_"""
import numpy as np
import torch
@torch.compile(backend="eager")
def f(x, s):
    if s:
        return x * 2
    return x
f(torch.ones(3), np.bool_(True))
f(torch.ones(3), np.bool_(False))
f(torch.ones(3), np.bool_(True))

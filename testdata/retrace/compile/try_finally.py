"""try and finally around operations."""
import torch

@torch.compile
def f(x):
    try:
        y = x.reshape(2, -1)
    except RuntimeError:
        y = x
    return y + 1

f(torch.ones(4))
f(torch.ones(5))
f(torch.ones(6))

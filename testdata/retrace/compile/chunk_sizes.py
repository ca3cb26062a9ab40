"""chunk of a dynamic size."""
import torch

@torch.compile
def f(x):
    a, b = x.chunk(2, dim=0)
    return a * b

f(torch.ones(4))
f(torch.ones(6))
f(torch.ones(8))

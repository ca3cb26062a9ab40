"""the default dtype and the defaults of parameters"""
import torch

@torch.compile
def f(x, k=2):
    return x * k + torch.zeros(3)

a = torch.ones(3)
f(a)
f(a)
f(a, 2)
f(a, 3)
f(a)
f(a, k=3)
torch.set_default_dtype(torch.float64)
f(a)
f(a, 2)

"""caught by the caller"""
import torch
@torch.compile(backend="eager")
def f(x):
    return x.reshape(2, 2)
for n in (4, 5, 4):
    try:
        f(torch.ones(n))
    except RuntimeError:
        print("refused")

"""while n"""
import torch
@torch.compile(backend="eager", fullgraph=True)
def f(x):
    n = x.max().item()
    while n:
        n = n - 1
        x = x + 1
    return x
f(torch.ones(3, dtype=torch.int64))

"""if n"""
import torch
@torch.compile(backend="eager", fullgraph=True)
def f(x):
    n = x.max().item()
    if n:
        return x
    return x + 1
f(torch.ones(3, dtype=torch.int64))

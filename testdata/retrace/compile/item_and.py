"""and"""
import torch
@torch.compile(backend="eager", fullgraph=True)
def f(x, k):
    n = x.max().item()
    if k > 0 and n:
        return x
    return x + 1
f(torch.ones(3, dtype=torch.int64), 1)

"""A conditional expression on a size."""
import torch
@torch.compile
def f(x):
    n = x.shape[0] if x.shape[0] > 5 else 5
    return torch.zeros(n)
for n in [3, 4, 8, 9, 5]:
    f(torch.ones(n))

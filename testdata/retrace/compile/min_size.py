"""min of a size and a constant."""
import torch

@torch.compile
def f(x):
    n = min(x.shape[0], 5)
    return x[:n]

for n in [3, 4, 8, 9, 5]:
    f(torch.ones(n))

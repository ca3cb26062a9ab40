"""A float global: from its second value on it is symbolic."""
import torch

rate = 0.5

@torch.compile
def f(x):
    return x * rate
for k in [0.5, 0.25, 0.125, 2.0]:
    rate = k
    f(torch.ones(2))

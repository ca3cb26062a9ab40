"""A loop that runs while a value is large."""
import torch

@torch.compile
def halve(x):
    n = 0
    while x.sum() > 1:
        x = x / 2
        n += 1
    return x, n

halve(torch.ones(4))
halve(torch.ones(2))

"""A buffer in a global that is written in place."""
import torch

STEP = torch.zeros(1)

@torch.compile
def f(x):
    STEP.add_(1)
    return x * STEP

f(torch.ones(2))
f(torch.ones(2))
f(torch.ones(3))

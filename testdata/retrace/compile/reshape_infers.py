"""reshape with -1 needs divisibility."""
import torch

@torch.compile
def f(x):
    return x.reshape(-1, 4).sum(1)

f(torch.ones(8))
f(torch.ones(12))
f(torch.ones(16))
f(torch.ones(4))

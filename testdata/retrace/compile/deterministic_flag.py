"""A global switch of torch."""
import torch

@torch.compile
def f(x):
    return x.cumsum(0)

f(torch.ones(3))
torch.use_deterministic_algorithms(True)
f(torch.ones(3))
torch.use_deterministic_algorithms(False)
f(torch.ones(3))

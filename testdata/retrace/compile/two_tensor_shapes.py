"""Two tensors whose sizes were equal once."""
import torch

@torch.compile(backend="eager")
def f(a, b):
    return a.sum() + b.sum()

f(torch.ones(3), torch.ones(3))
f(torch.ones(4), torch.ones(4))
f(torch.ones(5), torch.ones(6))
f(torch.ones(7), torch.ones(9))

"""None, then a tensor."""
import torch

@torch.compile(backend="eager")
def f(x, mask=None):
    if mask is not None:
        x = x.masked_fill(mask, 0.0)
    return x.softmax(-1)

f(torch.ones(2, 3))
f(torch.ones(2, 3), torch.zeros(2, 3, dtype=torch.bool))
f(torch.ones(4, 3))
f(torch.ones(4, 3), torch.zeros(4, 3, dtype=torch.bool))

"""A number or a tensor."""
import torch

@torch.compile
def f(x, s):
    if isinstance(s, torch.Tensor):
        return x + s.sum()
    return x + s

x = torch.ones(2)
f(x, 2.0)
f(x, torch.ones(3))
f(x, 3.0)
f(x, 4.0)

"""No operation under fullgraph."""
import torch
@torch.compile(backend="eager", fullgraph=True)
def f(x, n):
    if n > 2:
        return x * 2
    return x
x = torch.ones(3)
f(x, 1)
f(x, 2)
f(x, 3)

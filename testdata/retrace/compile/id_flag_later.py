"""No operation in the second call."""
import torch
@torch.compile(backend="eager")
def f(x, twice):
    if twice:
        return x * 2
    return x
x = torch.ones(3)
f(x, True)
f(x, False)
f(x, True)
f(torch.ones(4), True)
f(x, False)

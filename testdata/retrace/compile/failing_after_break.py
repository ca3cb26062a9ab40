"""An operation that fails after a break."""
import torch
@torch.compile(backend="eager")
def f(x):
    print("x")
    return x.view(4)
f(torch.ones(4))
try:
    f(torch.ones(5))
except RuntimeError:
    print("refused")

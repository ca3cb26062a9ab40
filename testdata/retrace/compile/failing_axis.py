"""An axis that is out of range."""
import torch
@torch.compile(backend="eager")
def f(x):
    return x.sum(2)
try:
    f(torch.ones(3, 3))
except IndexError:
    print("refused")

"""An index that is out of range."""
import torch
@torch.compile(backend="eager")
def f(x):
    return x[5]
f(torch.ones(6))
try:
    f(torch.ones(3))
except IndexError:
    print("refused")

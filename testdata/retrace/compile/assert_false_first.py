"""An assertion over a tensor is a check in the graph: RuntimeError at the function's first line."""
import torch
@torch.compile
def f(x):
    assert x.sum() > 3
    return x * 2
try:
    f(torch.ones(2))
except Exception as e:
    print(type(e).__name__)
f(torch.ones(4))
f(torch.ones(5))

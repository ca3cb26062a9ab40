"""Nothing in a function but a call that breaks."""
import torch
def g(x):
    print("g")
    return x
@torch.compile(backend="eager")
def f(x):
    return g(x)
x = torch.ones(3)
f(x)
f(x)
f(torch.ones(4))

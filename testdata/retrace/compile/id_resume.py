"""Nothing behind a break at first."""
import torch
def g(x, n):
    if n > 2:
        return x + n
    return x
@torch.compile(backend="eager")
def f(x, n):
    y = x * 2
    print("middle")
    return g(y, n)
x = torch.ones(3)
f(x, 1)
f(x, 1)
f(x, 3)
f(x, 4)

"""A number that was the same tensor as another argument before is no symbol yet."""
import torch


@torch.compile(backend="eager")
def f(*xs, **kw):
    y = sum(xs)
    for k, v in kw.items():
        y = y + v
    return y


x = torch.ones(3)
f(x)
f(x, x)
f(x, torch.ones(3))
f(x, a=x)
f(x, a=1)
f(x, a=2)
f(x, b=2)

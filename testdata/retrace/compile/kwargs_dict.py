"""Keyword arguments as a dict."""
import torch

@torch.compile
def f(x, **kw):
    if "scale" in kw:
        x = x * kw["scale"]
    return x + kw.get("shift", 0)

f(torch.ones(2))
f(torch.ones(2), scale=2)
f(torch.ones(2), scale=3)
f(torch.ones(2), shift=1)
f(torch.ones(2), scale=4)

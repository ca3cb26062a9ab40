"""in asks whether a key is there."""
import torch
@torch.compile
def f(x, d):
    y = x + 1
    if "k" in d:
        y = y * d["k"]
    return y
a = torch.ones(2)
f(a, {})
f(a, {"k": a})
f(a, {"j": 2.0})
f(a, {"k": a + 1})

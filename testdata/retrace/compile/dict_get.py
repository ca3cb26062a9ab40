"""dict.get asks whether a key is there."""
import torch
@torch.compile
def f(x, d):
    return x * d.get("k", 1.0)
a = torch.ones(2)
f(a, {})
f(a, {"k": 2.0})
f(a, {"j": 2.0})
f(a, {"k": 3.0})
f(a, {"k": 4.0})

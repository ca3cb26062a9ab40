"""A number of what is given, with which a function computes and which it keeps."""
import torch
@torch.compile(backend="eager")
def f(x, s):
    return {"h": s["h"] + x, "n": s["n"] + 1}
s = {"h": torch.zeros(2), "n": 0}
for _ in range(4):
    s = f(torch.ones(2), s)

"""A number of what is given, with which a function computes and which it keeps."""
import torch
@torch.compile(backend="eager")
def f(x, s):
    h, n = s
    return h + x, n + 1
s = (torch.zeros(2), 0)
for _ in range(4):
    s = f(torch.ones(2), s)

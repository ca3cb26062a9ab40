"""A number of what is given, with which a function computes and which it keeps."""
import torch
@torch.compile(backend="eager")
def f(x, s):
    n = s[0]
    return x * n, n + 1
for i in range(4):
    f(torch.ones(2), [i, 2])
